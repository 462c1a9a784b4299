#include "ext/import/vector_file.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/error.h"
#include "sql/system/platform.h"

namespace s2v {
namespace {

constexpr VectorFormat kFormats[] = {
    {"vec", "text of fastText, GloVe, word2vec", OpenTextVectors},
    {"word2vec", "its binary form", OpenBinaryVectors},
    {"fasttext", ".bin of fastText", OpenTrainedFile},
    {"sent2vec", ".bin of the authors' sent2vec", OpenTrainedFile},
    {"model2vec", "a folder with model.safetensors and tokenizer.json", OpenStaticModel},
};

// What is packed or encoded otherwise than any of the formats, by its first bytes.
constexpr struct {
  std::string_view begin, advice;
} kOtherFiles[] = {
    {"\x1F\x8B", "the file is packed: gunzip it first"},
    {"BZh91AY&SY", "the file is packed: bunzip2 it first"},
    {"PK\x03\x04", "the file is packed: unzip it first"},
    {"\xFF\xFE", "the file is UTF-16, UTF-8 is expected: iconv -f UTF-16 -t UTF-8 makes it that"},
    {"\xFE\xFF", "the file is UTF-16, UTF-8 is expected: iconv -f UTF-16 -t UTF-8 makes it that"},
};

void CheckNotPacked(const std::string& path) {
  ByteFile file(path);
  for (const auto& [begin, advice] : kOtherFiles) {
    file.Seek(0);
    if (file.size() > begin.size() &&
        std::string_view(file.Next(begin.size()), begin.size()) == begin)
      file.Fail(0, std::string(advice));
  }
}

// What the first bytes look like.
std::string_view Recognised(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(PathOf(path), ignored) || path.ends_with(".safetensors")) {
    return "model2vec";
  }
  ByteFile file(path);
  if (file.size() >= 8 && file.NextNumber<int32_t>() == kTrainedFileMagic) return "fasttext";
  file.Seek(0);
  SkipByteOrderMark(&file);
  std::string_view line;
  uint64_t words = 0, dimension = 0;
  if (!file.NextText('\n', &line) || !IsVectorsHead(line, &words, &dimension)) return "vec";
  // Behind the first word, in text, stand a number, or what is meant to be one; binary numbers look
  // like either by chance only.
  constexpr uint64_t kLongWord = 4096, kNumberBytes = 4, kLooked = 32;
  const size_t bytes = std::min(kLongWord, file.size() - file.position());
  std::string_view next(file.Next(bytes), bytes);
  const size_t blank = next.find_first_of(" \t");
  if (blank == next.npos) return "word2vec";
  next = next.substr(blank + 1, kLooked);
  const auto is_written = [](char c) {
    return (c >= ' ' && c <= '~') || IsBlankByte(c) || c == '\n';
  };
  const bool is_number =
      next.substr(0, kNumberBytes).find_first_not_of("0123456789+-.eE naif\r\n") == next.npos;
  return is_number || std::all_of(next.begin(), next.end(), is_written) ? "vec" : "word2vec";
}

}  // namespace

void VectorFile::SetDimension(uint64_t byte, uint64_t claimed) {
  constexpr uint32_t kMostDimension = 4096;
  if (claimed < 1 || claimed > kMostDimension) {
    file_.Fail(byte, "vectors of dimension " + std::to_string(claimed) + ", where 1 to " +
                         std::to_string(kMostDimension) + " can be" +
                         (claimed == 0 ? "; perhaps it is no file of word vectors" : ""));
  }
  dimension = static_cast<uint32_t>(claimed);
}

void VectorFile::CheckRoom(uint64_t byte, uint64_t count, uint64_t bytes,
                           const char* things) const {
  if (count <= (file_.size() - file_.position()) / bytes) return;
  file_.Fail(byte, std::to_string(count) + " " + things + ", more than the file has room for");
}

bool VectorFile::AddWord(std::string_view word, uint64_t count, uint64_t place) {
  constexpr uint64_t kWordsPerTick = 4096;
  if (++ticks_ % kWordsPerTick == 0) {
    tick_(static_cast<double>(file_.position()) / static_cast<double>(file_.size()));
  }
  const uint32_t id = vocabulary_->size();
  if (word.empty() || word.size() > kMostWordBytes ||
      std::any_of(word.begin(), word.end(), IsBlankByte) ||
      vocabulary_->words.Insert(word, HashWord(word)) != id) {
    skipped++;
    return false;
  }
  if (count > INT64_MAX - vocabulary_->token_count)
    file_.Fail(place, "counts that are more than a number can be");
  vocabulary_->counts.push_back(count);
  vocabulary_->token_count += count;
  places_.push_back(place);
  return true;
}

void VectorFile::AddFloats(uint64_t place) {
  const char* bytes = file_.At(place, size_t{dimension} * sizeof(float));
  for (uint32_t i = 0; i < dimension; i++) {
    float value;
    std::memcpy(&value, bytes + i * sizeof(float), sizeof(value));
    if (!std::isfinite(value)) {
      file_.Fail(place + i * sizeof(float), "a number that is not finite");
    }
    row_[i] += value;
  }
}

void CheckVectorFormat(std::string_view format) {
  std::vector<std::string_view> names = {"auto"};
  for (const VectorFormat& known : kFormats) names.push_back(known.name);
  CheckKnown("format", format, names);
}

std::span<const VectorFormat> VectorFormats() {
  return kFormats;
}

std::unique_ptr<VectorFile> OpenVectorFile(sqlite3* db, const std::string& path,
                                           std::string_view format) {
  if (format == "auto") format = Recognised(path);
  if (format != "model2vec") CheckNotPacked(path);
  return FindNamed(format, kFormats, &VectorFormat::name)->open(db, path);
}

}  // namespace s2v
