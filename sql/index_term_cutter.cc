#include "sql/index_term_cutter.h"

#include <algorithm>
#include <set>

#include "core/error.h"
#include "core/text/languages.h"
#include "core/text/spelled_names.h"
#include "sql/index_options.h"

namespace s2v {
namespace {

constexpr std::string_view kOwnTokenizers[] = {"ascii", "porter", "trigram", "unicode61"};

// The version of `english` from which on pieces of names are no words of a text.
constexpr int kPiecesBeside = 5;

// With commas between them.
std::string StemmedLanguages() {
  std::set<std::string_view> names;  // one that has two scripts is there twice
  for (const Language& language : Languages()) {
    if (language.has_stemmer) names.insert(language.name);
  }
  return NamesOf(names);
}

}  // namespace

fts5_api* Fts5Api(sqlite3* db) {
  fts5_api* fts5 = nullptr;
  Statement select(db, "SELECT fts5(?1)");
  const int code = sqlite3_bind_pointer(select.get(), 1, &fts5, "fts5_api_ptr", nullptr);
  if (code == SQLITE_OK) select.Step();
  if (fts5 == nullptr) throw SqlError(SQLITE_ERROR, "FTS5 does not say how to add functions to it");
  return fts5;
}

std::string AutomaticTokenize(const std::string& profile) {
  return std::string(kAutomatic) + " s2v " + profile + " parts";
}

TermCutter::TermCutter(sqlite3* db, const IndexDefinition& index) {
  const std::string& tokenize = index.tokenize;
  std::vector<std::string> words;
  std::string_view rest = tokenize;
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  while (!rest.empty()) {
    const size_t before = rest.size();
    words.push_back(TakeName(&rest));
    if (rest.size() == before) throw InvalidArgument("tokenize: cannot read '" + tokenize + "'");
  }
  if (!words.empty() && words[0] == kAutomatic) words.erase(words.begin());
  if (words.empty()) throw InvalidArgument("tokenize: the name of a tokenizer is expected");
  if (words[0] != "s2v") {
    FindFts5(db, tokenize, words);
    return;
  }
  with_parts_ = words.size() == 3 && words[2] == "parts";
  if (words.size() == (with_parts_ ? 3 : 2)) own_ = FindTokenizer(words[1]);
  if (own_ == nullptr) {
    throw InvalidArgument(
        "tokenize: no tokenizer '" + tokenize +
        "'; s2v is followed by neutral, for any language, or by languages with stems, as german+english, "
        "and perhaps by parts; languages with stems: " +
        StemmedLanguages());
  }
  while (index.tokenizer_version == 0 && own_->former() != nullptr) own_ = own_->former();
  if (index.tokenizer_version != 0) own_ = FindTokenizer(own_->name(), index.tokenizer_version);
  if (own_ == nullptr) {
    throw InvalidArgument("'" + index.name + "' was made with other rules of the tokenizer " +
                          words[1] + ", which this library lacks; " + RebuildHint(index));
  }
  profile_ = own_;
  has_pieces_beside_ = with_parts_ && is_english() && own_->plain().version() >= kPiecesBeside;
  if (index.passages > 0) own_ = &own_->plain();
  is_parallel_ = true;
}

void TermCutter::FindFts5(sqlite3* db, const std::string& tokenize,
                          const std::vector<std::string>& words) {
  std::vector<const char*> arguments;
  for (size_t i = 1; i < words.size(); i++) arguments.push_back(words[i].c_str());
  fts5_api* fts5 = Fts5Api(db);
  void* data = nullptr;
  int code = fts5->xFindTokenizer(fts5, words[0].c_str(), &data, &functions_);
  if (code == SQLITE_OK) {
    code =
        functions_.xCreate(data, arguments.data(), static_cast<int>(arguments.size()), &tokenizer_);
  }
  if (code == SQLITE_NOMEM) throw std::bad_alloc();
  if (code != SQLITE_OK) {
    throw InvalidArgument(
        "tokenize: FTS5 has no tokenizer '" + tokenize +
        "' here; its own are ascii, porter, trigram and unicode61, s2v's are written "
        "'s2v german parts'");
  }
  const auto is_own = [](const std::string& word) {
    return FindNamed(word, kOwnTokenizers) != nullptr;
  };
  // porter stands before the tokenizer whose terms it stems.
  is_parallel_ = sqlite3_threadsafe() != 0 && is_own(words[0]) &&
                 (words[0] != "porter" || words.size() == 1 || is_own(words[1]));
}

TermCutter::~TermCutter() {
  if (tokenizer_ != nullptr) functions_.xDelete(tokenizer_);
}

void TermCutter::AddOwn(std::string_view text, RowTerms* terms) const {
  own_->CutTerms(text, with_parts_, &tokens_);
  const size_t pieces = has_pieces_beside_ ? CountBeforePieces(tokens_) : tokens_.size();
  const auto add = [&](size_t begin, size_t end, bool parts) {
    for (size_t i = begin; i < end && terms->size() < RowTerms::kMost; i++) {
      if (IsPart(tokens_[i]) != parts) continue;
      terms->bytes += tokens_[i];
      terms->ends.push_back(static_cast<uint32_t>(terms->bytes.size()));
    }
  };
  const auto end_column = [&] { terms->columns.push_back(static_cast<uint32_t>(terms->size())); };
  add(0, pieces, /*parts=*/false);
  end_column();
  // One behind another, so that a phrase finds camel case in camelCase.
  add(pieces, tokens_.size(), /*parts=*/false);
  add(0, tokens_.size(), /*parts=*/true);
  end_column();
}

void TermCutter::AddColumn(std::string_view text, RowTerms* terms, bool is_question,
                           std::vector<WordPlace>* places) const {
  if (own_ != nullptr) return AddOwn(text, terms);
  struct Column {
    std::string_view text;
    RowTerms* terms;
    std::vector<WordPlace>* places;
  };
  // FTS5 calls it, so no exception may leave it.
  const auto add = [](void* data, int, const char* token, int bytes, int begin, int end) {
    const auto& column = *static_cast<Column*>(data);
    RowTerms* to = column.terms;
    if (to->size() == RowTerms::kMost) return SQLITE_OK;
    try {
      to->bytes.append(token, static_cast<size_t>(bytes));
      to->ends.push_back(static_cast<uint32_t>(to->bytes.size()));
      if (column.places == nullptr) return SQLITE_OK;
      // An application's tokenizer may say anything.
      const auto place = [&](int at) {
        return WholeCharacters(column.text, static_cast<size_t>(std::max(at, 0)));
      };
      column.places->push_back({place(begin), std::max(place(begin), place(end))});
    } catch (...) {
      return SQLITE_NOMEM;
    }
    return SQLITE_OK;
  };
  Column column{text, terms, places};
  const int code = functions_.xTokenize(
      tokenizer_, &column, is_question ? FTS5_TOKENIZE_QUERY : FTS5_TOKENIZE_DOCUMENT, text.data(),
      static_cast<int>(std::min<size_t>(text.size(), INT32_MAX)), add);
  if (code == SQLITE_NOMEM) throw std::bad_alloc();
  if (code != SQLITE_OK) throw SqlError(code, "FTS5's tokenizer fails");
  terms->columns.insert(terms->columns.end(), 2, static_cast<uint32_t>(terms->size()));
}

}  // namespace s2v
