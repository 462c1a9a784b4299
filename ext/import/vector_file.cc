#include "ext/import/vector_file.h"

#include <filesystem>

#include "core/error.h"
#include "ext/import/rows_in_file.h"

namespace s2v {
namespace {

constexpr std::string_view kFormats[] = {"auto",     "vec",      "word2vec",
                                         "fasttext", "sent2vec", "model2vec"};

// What the first bytes look like.
std::string_view Recognised(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored) || path.ends_with(".safetensors")) {
    return "model2vec";
  }
  ByteFile file(path);
  if (file.size() >= 8 && file.NextNumber<int32_t>() == kTrainedFileMagic) return "fasttext";
  file.Seek(0);
  std::string_view line;
  uint64_t words = 0, dimension = 0;
  if (!file.NextText('\n', &line) || !IsVectorsHead(line, &words, &dimension)) return "vec";
  // Text has a blank or a line end behind the first number, binary numbers have it by chance only.
  if (!file.NextText(' ', &line)) return "word2vec";
  const size_t bytes = std::min<uint64_t>(4, file.size() - file.position());
  const std::string_view number(file.Next(bytes), bytes);
  return number.find_first_not_of("0123456789+-.eE naif\r\n") == std::string_view::npos
             ? "vec"
             : "word2vec";
}

}  // namespace

void CheckVectorFormat(std::string_view format) {
  CheckKnown("format", format, kFormats);
}

std::unique_ptr<VectorFile> OpenVectorFile(sqlite3* db, const std::string& path,
                                           std::string_view format) {
  if (format == "auto") format = Recognised(path);
  if (format == "vec") return OpenTextVectors(path);
  if (format == "word2vec") return OpenBinaryVectors(path);
  if (format == "model2vec") return OpenStaticModel(db, path);
  return OpenTrainedFile(path);
}

}  // namespace s2v
