#include "sql/index_model.h"

#include "core/error.h"
#include "core/text/subword_tokenizer.h"
#include "core/text/text_format.h"
#include "sql/index_term_cutter.h"
#include "sql/sentence_table.h"

namespace s2v {

void ChooseTokenize(sqlite3* db, IndexDefinition* index, IndexEmbedder* embedder) {
  if (!index->words) return;
  const bool has_model = index->dimension > 0 && (!index->of_vectors || !index->model_hash.empty());
  const Tokenizer* of_model = has_model ? embedder->Model().info().shape.tokenizer : nullptr;
  if (index->tokenize.starts_with(kAutomatic)) {
    std::string profile = of_model == nullptr ? "" : std::string(NameOfCutter(of_model->name()));
    const ProfileName name = SplitProfileName(profile);
    if (name.profile != "english" && FindLanguageTokenizer(name.profile) == nullptr) {
      profile = GuessTexts(db, index->table, index->TextColumns(), "", name.format, index->schema)
                    .tokenizer;
    }
    index->tokenize = AutomaticTokenize(profile);
  }
  index->tokenizer_version = 0;
  const Tokenizer* own = TermCutter(db, *index).profile();
  if (own == nullptr) return;
  // By the model's rules where it has the same tokenizer, so that both know the same words; else,
  // and where vectors are given, by the present ones.
  const bool is_model =
      of_model != nullptr && !index->of_vectors && of_model->name() == own->name();
  index->tokenizer_version = (is_model ? of_model : FindTokenizer(own->name()))->version();
}

void CheckModel(const IndexDefinition& index, IndexEmbedder* embedder) {
  if (index.of_vectors || index.model_hash.empty()) return;
  const std::string gone = "'" + index.name + "' was made with a model that is gone; ";
  if (!embedder->HasModel())
    throw InvalidArgument(gone + embedder->WhyNoModel() + ", and then " + RebuildHint(index) +
                          ", or " + DropHint(index.name) + " with model = name" +
                          (index.words ? "; until then ask it by 'words'" : ""));
  const ModelInfo& info = embedder->Model().info();
  if (info.hash != index.model_hash)
    throw InvalidArgument(gone + "'" + info.name + "' is another; " + RebuildHint(index));
  if (info.shape.dimension != index.dimension)
    ThrowMalformed(index.name + "_config, dimension; " + RebuildHint(index));
}

void CheckReader(sqlite3* db, const IndexDefinition& index, const ModelInfo& info) {
  const bool has_dimension = info.shape.dimension == index.dimension;
  if (has_dimension && (index.model_hash.empty() || info.hash == index.model_hash)) return;
  const std::string column = index.table + "." + index.columns[0];
  const std::string ways_out = "; " +
                               (IsEmbeddedAtReading(db, index)
                                    ? ""
                                    : "give a vector, or make the index with model = name; where " +
                                          column + " was filled anew, ") +
                               RebuildHint(index);
  if (!has_dimension) {
    throw InvalidArgument("model '" + info.name + "' has dimension " +
                          std::to_string(info.shape.dimension) + ", the index " +
                          std::to_string(index.dimension) + ways_out);
  }
  throw InvalidArgument("model '" + info.name +
                        "' is another one than embedded the questions of '" + index.name +
                        "' when it was made, so its embeddings and " + column +
                        " have nothing to do with each other" + ways_out);
}

std::string HashOfModel(const IndexDefinition& index, IndexEmbedder* embedder) {
  const auto dimension = [&] { return embedder->Model().info().shape.dimension; };
  if (index.of_vectors &&
      (index.dimension == 0 || !embedder->HasModel() || dimension() != index.dimension))
    return "";
  return embedder->Model().info().hash;
}

std::string WhyWordsAlone(const IndexDefinition& index, IndexEmbedder* embedder) {
  const std::string next = embedder->HasModel() ? RebuildHint(index) : embedder->WhyNoModel();
  return "'" + index.name + "' was made before there was a model" +
         (index.words ? ", and answers by words alone; " : "; ") + next;
}

}  // namespace s2v
