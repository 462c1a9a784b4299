#include "ext/cli/published.h"

#include "core/config.h"
#include "ext/cli/text_table.h"

namespace s2v {
namespace {

constexpr char kSource[] =
    "Pagliardini, Gupta, Jaggi: Unsupervised Learning of Sentence Embeddings using Compositional "
    "n-Gram Features, NAACL 2018";
constexpr size_t kFiles = 7, kTasks = 6;

struct SimilarityRow {
  const char* model;
  int pearson[kFiles], spearman[kFiles];  // x 100; the STS 2014 files, SICK
};
const char* const kFileNames[kFiles] = {"deft-news", "deft-forum", "onwn", "tweet-news",
                                        "images",    "headlines",  "sick"};
constexpr SimilarityRow kSimilarity[] = {
    {"books unigrams", {67, 49, 72, 75, 82, 63, 70}, {62, 49, 75, 70, 78, 61, 61}},
    {"books uni+bigrams", {67, 51, 68, 75, 79, 62, 70}, {62, 51, 71, 70, 75, 59, 62}},
    {"Wikipedia unigrams", {71, 47, 68, 72, 79, 67, 71}, {66, 47, 70, 68, 76, 63, 64}},
    {"Wikipedia uni+bigrams", {74, 50, 64, 72, 79, 67, 71}, {68, 50, 66, 67, 75, 62, 63}},
    {"Twitter unigrams", {74, 53, 72, 78, 81, 68, 71}, {67, 52, 75, 72, 77, 64, 62}},
    {"Twitter uni+bigrams", {74, 54, 69, 77, 79, 67, 72}, {68, 54, 72, 70, 76, 62, 63}},
};

struct TransferRow {
  const char* model;
  double accuracy[kTasks];
  double msrp_accuracy, msrp_f1;
};
const char* const kTaskNames[kTasks] = {"MR", "CR", "SUBJ", "MPQA", "TREC", "average"};
constexpr TransferRow kTransfer[] = {
    {"Sent2Vec books unigrams", {75.1, 80.2, 90.6, 86.3, 83.8, 81.4}, 72.2, 80.3},
    {"Sent2Vec books uni+bigrams", {75.8, 80.3, 91.2, 85.9, 86.4, 82.0}, 72.5, 80.8},
    {"Sent2Vec Wikipedia unigrams", {77.3, 80.3, 92.0, 87.4, 85.4, 82.4}, 71.8, 80.2},
    {"Sent2Vec Wikipedia uni+bigrams", {77.9, 80.9, 92.6, 86.9, 89.2, 83.3}, 72.4, 80.8},
    {"Sent2Vec Twitter uni+bigrams", {78.0, 82.1, 91.8, 86.7, 89.8, 83.5}, 72.4, 80.6},
    {"TF-IDF unigrams", {73.7, 79.2, 90.3, 82.4, 85.0, 80.7}, 73.6, 81.7},
    {"C-BOW books", {73.6, 77.3, 89.1, 85.0, 82.2, 79.1}, 67.6, 76.1},
    {"SkipThought", {76.5, 80.1, 93.6, 87.1, 92.2, 83.8}, 73.0, 82.0},
};

// 75.1 -> "75.1"
std::string OneDigit(double value) {
  std::string text = NumberText(value);
  return text.find('.') == std::string::npos ? text + ".0" : text;
}

std::string JsonHead(const char* task, const char* model) {
  return std::string("{\"published\":") + JsonString(kSource) + ",\"task\":" + JsonString(task) +
         ",\"encoder\":" + JsonString(model);
}

std::string Heading(const char* what) {
  return std::string("\nPublished, not measured here: ") + kSource + "; " + what + "\n";
}

}  // namespace

std::string PublishedSimilarity(bool json) {
  std::string lines;
  std::vector<std::string> header = {"published"};
  for (const char* name : kFileNames) header.push_back(std::string(name) + ">");
  TextTable table(header);
  for (const SimilarityRow& row : kSimilarity) {
    std::vector<std::string> cells = {row.model};
    for (size_t i = 0; i < kFiles; i++) {
      cells.push_back(std::to_string(row.pearson[i]) + "/" + std::to_string(row.spearman[i]));
      lines += JsonHead("similarity", row.model) + ",\"file\":" + JsonString(kFileNames[i]) +
               ",\"pearson\":" + NumberText(row.pearson[i] / 100.0) +
               ",\"spearman\":" + NumberText(row.spearman[i] / 100.0) + "}\n";
    }
    table.AddRow(std::move(cells));
  }
  if (json) return lines;
  return Heading("STS 2014 by file, and SICK; Pearson/Spearman x 100") + table.Text();
}

std::string PublishedTransfer(bool json) {
  std::string lines;
  std::vector<std::string> header = {"published"};
  for (const char* name : kTaskNames) header.push_back(std::string(name) + ">");
  header.push_back("MSRP acc/F1>");
  TextTable table(header);
  for (const TransferRow& row : kTransfer) {
    std::vector<std::string> cells = {row.model};
    for (size_t i = 0; i < kTasks; i++) {
      cells.push_back(OneDigit(row.accuracy[i]));
      lines += JsonHead("transfer", row.model) + ",\"file\":" + JsonString(kTaskNames[i]) +
               ",\"accuracy\":" + NumberText(row.accuracy[i]) + "}\n";
    }
    cells.push_back(OneDigit(row.msrp_accuracy) + "/" + OneDigit(row.msrp_f1));
    lines += JsonHead("transfer", row.model) +
             ",\"file\":\"MSRP\",\"accuracy\":" + NumberText(row.msrp_accuracy) +
             ",\"f1\":" + NumberText(row.msrp_f1) + "}\n";
    table.AddRow(std::move(cells));
  }
  if (json) return lines;
  return Heading("accuracy in percent; the average is of all six with MSRP's accuracy") +
         table.Text();
}

}  // namespace s2v
