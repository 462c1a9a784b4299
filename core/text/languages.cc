#include "core/text/languages.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "core/text/unicode_chars.h"

namespace s2v {
namespace {

// Among those of the commonest thirty words of running text. Languages without a stemmer are there
// so that they are not taken for others.
constexpr Language kLanguages[] = {
    {"english", Script::kLatin, true, 0.30,
     "the of and to in is that it for was with as on be at by this are from or an not have which you"},
    {"german", Script::kLatin, true, 0.30,
     "der die und den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er "
     "sie oder wird bei"},
    {"french", Script::kLatin, true, 0.28,
     "le la les des du et un une dans est pour que qui sur par au avec ne pas ce il sont ou plus cette aux vous",
     0.09, "de à en a y"},
    {"spanish", Script::kLatin, true, 0.32,
     "el la los las del y en que un una se por con para es no su lo al como más pero sus o este fue",
     0.1, "de a o si ya e"},
    {"portuguese", Script::kLatin, true, 0.30,
     "o os as da do dos das e em que um uma para com não se na no por mais é como ao ou foi seu sua pelo",
     0.09, "de a à"},
    {"italian", Script::kLatin, true, 0.26,
     "il lo la gli le di che e un una per in è non con del della dei delle si da al nel sono come più alla",
     0.03, "a o i"},
    {"catalan", Script::kLatin, true, 0.30,
     "el la els les de del i en que un una per amb és no es al dels com més aquest seva són pel ser",
     0.04, "a o"},
    {"romanian", Script::kLatin, true, 0.26,
     "și în de la pe cu un o nu este care din că pentru să se mai sau fi al ale lui sunt prin după",
     0.03, "a o"},
    {"dutch", Script::kLatin, true, 0.32,
     "de het een van en in is dat op te zijn voor met niet die aan er om ook als bij door of wordt naar uit"},
    {"swedish", Script::kLatin, true, 0.28,
     "och att det i en som på är av för med till den har de inte om ett han men var jag sig från vi så kan"},
    {"danish", Script::kLatin, true, 0.28,
     "og at det i en som på er af for med til den har de ikke om et han men var jeg sig fra vi så kan blev"},
    {"norwegian", Script::kLatin, true, 0.28,
     "og å det i en som på er av for med til den har de ikke om et han men var jeg seg fra vi så kan ble"},
    {"finnish", Script::kLatin, true, 0.14,
     "ja on ei se että oli hän joka myös ovat kun mutta kuin sen tai jos niin mukaan ole voi hänen sekä"},
    {"hungarian", Script::kLatin, true, 0.22,
     "a az és hogy nem is egy volt ez meg de csak el már ki ha mint vagy azt még ami van amely"},
    {"turkish", Script::kLatin, true, 0.13,
     "ve bir bu için ile de da olarak çok daha olan gibi kadar sonra ne ya her en değil veya ancak o"},
    {"indonesian", Script::kLatin, true, 0.20,
     "yang dan di dari untuk dengan pada ini itu dalam adalah tidak ke akan juga oleh atau sebagai telah"},
    {"irish", Script::kLatin, true, 0.28,
     "an na agus ar is go ag tá sé do le bhí i mar ní ach sin seo leis bhfuil raibh chun dá"},
    {"basque", Script::kLatin, true, 0.16,
     "eta da ez du bat zen dira ere izan zuen baina dute edo baino den egin beste hau oso dela"},
    {"lithuanian", Script::kLatin, true, 0.15,
     "ir į kad yra su iš buvo tai kaip ar jis už dėl apie bet nuo po iki taip savo prie būti"},
    {"serbian", Script::kLatin, true, 0.24,
     "i je u da se na su za od kao koji ali ili koja bio što iz po nije sa biti samo"},
    {"polish", Script::kLatin, false, 0.20,
     "i w na z się nie do jest to że o jak po za od przez dla oraz są był ale jego który lub"},
    {"czech", Script::kLatin, false, 0.20,
     "a je v se na že s z do i o k pro jako za by ale který jsou nebo byl jeho při také podle"},
    {"slovak", Script::kLatin, false, 0.20,
     "a je v sa na že s z do aj o k pre ako za by ale ktorý sú alebo bol jeho pri podľa však"},
    {"slovenian", Script::kLatin, false, 0.24,
     "in je v na se da za so z pa ki kot ali bi od do po tudi ne pri leta bil še iz"},
    {"vietnamese", Script::kLatin, false, 0.20,
     "và của là có trong được cho các một với không người này đã khi để những từ đến tại về ở như"},
    {"estonian", Script::kLatin, false, 0.18,
     "ja on ei ta see et kui oli ka mis oma aga või ning kes pärast selle olid nii välja nagu siis"},
    {"latvian", Script::kLatin, false, 0.17,
     "un ir ar no uz par kā bija tika gada arī bet ka tā pēc vai kas līdz viņš tas pie lai"},
    {"albanian", Script::kLatin, false, 0.28,
     "të e në dhe i për me që një nga është u më si ka nuk se nga kjo ishte por"},
    {"icelandic", Script::kLatin, false, 0.26,
     "og að í á er sem til við um var með ekki en hann fyrir af frá það þar svo einnig"},
    // Of these the words that others have too are left out, as far as the rest tells them from
    // these.
    {"afrikaans", Script::kLatin, false, 0.36,
     "die van en het in is nie wat vir sy was dat op hy om te word ek aan as ook deur daar hierdie na uit"},
    {"esperanto", Script::kLatin, false, 0.22,
     "la kaj al estas mi kiu ke kun pri ĝi sed ĉi tiu ili estis pli dum oni kiel kiuj"},
    {"kurdish", Script::kLatin, false, 0.18,
     "û di ji bi ku li ew bo jî ev dibe hatiye nav wek ser ên yên wê"},
    {"latin", Script::kLatin, false, 0.10,
     "ad ut cum ex quod sed ab quae esse aut atque nec quam sunt eius hoc"},
    {"swahili", Script::kLatin, false, 0.23,
     "ya na wa kwa ni katika za kuwa hii hiyo cha yake lakini ili kama baada wake zaidi vya"},
    {"tagalog", Script::kLatin, false, 0.34,
     "ang ng sa na mga at ay ko hindi ito kung may nang isang niya ako mo"},
    {"welsh", Script::kLatin, false, 0.18,
     "yn yr ar mae ei wedi ac gan hi nid fod bydd eu roedd ond mewn neu"},
    {"greek", Script::kGreek, true, 1, ""},
    {"russian", Script::kCyrillic, true, 0.20,
     "и в не на что с он как это по но из у за от для же к его все или при так был она также если"},
    {"serbian", Script::kCyrillic, true, 0.24,
     "и је у да се на су за од као који али или која био што из по није са бити само"},
    {"ukrainian", Script::kCyrillic, false, 0.20,
     "і в у на не що з та до як він це за від для його але або було є при також які його про"},
    {"bulgarian", Script::kCyrillic, false, 0.28,
     "и в на е да се от за не с са като по до при през във че но или това след му който"},
    {"macedonian", Script::kCyrillic, false, 0.28,
     "и во на е да се од за со не ќе го ги што ја како по или до кој беше но тоа"},
    {"armenian", Script::kArmenian, true, 1, ""},
    {"yiddish", Script::kHebrew, true, 0.25,
     "און די דער אין איז פון צו דאס מיט אויף האט א פאר ניט נישט זיך ער"},
    {"hebrew", Script::kHebrew, false, 0.15,
     "של את על לא הוא עם זה היא כי גם או אל אני אך היה בין יותר כל"},
    {"arabic", Script::kArabic, true, 0.20,
     "في من على إلى أن عن هذا التي مع هذه كان الذي لا ما أو كما بعد بين عام"},
    {"persian", Script::kArabic, false, 0.25,
     "در به از که این را با است برای آن یک های شده خود تا بر یا هم می"},
    {"urdu", Script::kArabic, false, 0.30,
     "کے کی میں سے اور ہے کا کو نے پر یہ اس بھی ایک ہیں کہ تھا نہیں تھے"},
    {"hindi", Script::kDevanagari, true, 0.32,
     "के में की है से और का को ने पर यह एक कि भी हैं इस था लिए जो नहीं तो"},
    {"nepali", Script::kDevanagari, true, 0.18,
     "र छ को मा पनि यो छन् भने गर्न लागि हो हुन्छ गरेको एक तथा भएको यस"},
    {"marathi", Script::kDevanagari, false, 0.15,
     "आहे आणि या व हे तो ते च होते आहेत मध्ये हा ही एक होता केले करून नाही"},
    {"tamil", Script::kTamil, true, 1, ""}};

struct Block {
  uint32_t first, last;
  Script script;
};
constexpr Block kBlocks[] = {
    {'a', 'z', Script::kLatin},          {0x00C0, 0x024F, Script::kLatin},
    {0x0370, 0x03FF, Script::kGreek},    {0x0400, 0x052F, Script::kCyrillic},
    {0x0530, 0x058F, Script::kArmenian}, {0x0590, 0x05FF, Script::kHebrew},
    {0x0600, 0x06FF, Script::kArabic},   {0x0750, 0x077F, Script::kArabic},
    {0x08A0, 0x08FF, Script::kArabic},   {0x0900, 0x097F, Script::kDevanagari},
    {0x0B80, 0x0BFF, Script::kTamil},    {0x1100, 0x11FF, Script::kUnspaced},  // Hangul, jamo
    {0x1E00, 0x1EFF, Script::kLatin},    {0x1F00, 0x1FFF, Script::kGreek},
    {0xAC00, 0xD7FF, Script::kUnspaced},  // Hangul
};

// A bit for each language that has the word among its common ones.
class CommonWords {
 public:
  explicit CommonWords(bool with_more) {
    static_assert(std::size(kLanguages) <= 64);
    for (size_t i = 0; i < std::size(kLanguages); i++) {
      Add(kLanguages[i].common_words, i);
      if (with_more) Add(kLanguages[i].more_words, i);
    }
  }
  // Returns the word, for as long as the program runs; "" where no language has it.
  template <typename Use>
  std::string_view ForEachLanguageOf(std::string_view word, Use use) const {
    const auto found = languages_.find(word);
    if (found == languages_.end()) return "";
    for (uint64_t bits = found->second; bits != 0; bits &= bits - 1)
      use(static_cast<size_t>(std::countr_zero(bits)));
    return found->first;
  }

 private:
  void Add(std::string_view words, size_t language) {
    for (const std::string_view word : SplitAt(words, ' '))
      languages_[word] |= uint64_t{1} << language;
  }
  std::unordered_map<std::string_view, uint64_t> languages_;
};

// Of a script that has no common words here, as Georgian.
bool IsOtherLetter(std::string_view word) {
  const uint32_t c = FirstPoint(word);
  return c >= 0x80 && char_table[c].kind == CharKind::kLetter;
}

// A letter that English words hardly have.
bool HasAccent(std::string_view word) {
  if (IsAscii(word)) return false;
  const std::vector<int32_t> letters = DecodePoints(word);
  return std::any_of(letters.begin(), letters.end(), [](int32_t c) {
    return c >= 0x80 && char_table[c].kind == CharKind::kLetter;
  });
}

double ShareOf(size_t language) {
  return kLanguages[language].share + kLanguages[language].more_share;
}

const CommonWords& AllCommonWords() {
  // never destroyed, as the tokenizers
  static const auto& common = *new CommonWords(/*with_more=*/true);
  return common;
}

// In addresses of mail and of pages com, de and single letters are no words of a language.
std::string WithoutAddresses(std::string_view text) {
  const auto is_of_run = [](char c) { return c > ' ' && c < 0x7f; };
  std::string kept;
  for (auto at = text.begin(); at != text.end();) {
    const auto end = std::find_if_not(at, text.end(), is_of_run);
    const std::string_view run(at, end);
    const bool is_address =
        run.find('@', 1) != run.npos || run.find("://") != run.npos || run.starts_with("www.");
    if (!is_address) kept += run;
    at = std::find_if(end, text.end(), is_of_run);
    kept.append(end, at);
  }
  return kept;
}

}  // namespace

Script ScriptOf(std::string_view word) {
  const uint32_t c = FirstPoint(word);
  for (const Block& block : kBlocks) {
    if (c >= block.first && c <= block.last) return block.script;
  }
  return c >= 0x80 && char_table[c].kind == CharKind::kUnspaced ? Script::kUnspaced
                                                                : Script::kOther;
}

std::span<const Language> Languages() {
  return kLanguages;
}

const Language* FindStemmedLanguage(std::string_view name) {
  for (const Language& language : kLanguages) {
    if (language.name == name && language.has_stemmer) return &language;
  }
  return nullptr;
}

void AddCommon(std::string_view word, std::vector<double>* evidence) {
  // never destroyed, as the tokenizers
  static const auto& common = *new CommonWords(/*with_more=*/false);
  common.ForEachLanguageOf(word, [&](size_t i) { (*evidence)[i] += 1 / kLanguages[i].share; });
}

bool IsCommonWord(std::string_view word, std::string_view profile) {
  std::vector<double> common(std::size(kLanguages));
  AddCommon(word, &common);
  const std::vector<std::string_view> names = SplitAt(profile, '+');
  const auto is_named = [&](const Language& language) {
    return std::find(names.begin(), names.end(), language.name) != names.end();
  };
  const bool names_any = std::any_of(std::begin(kLanguages), std::end(kLanguages), is_named);
  for (size_t i = 0; i < common.size(); i++) {
    if (common[i] > 0 && (!names_any || is_named(kLanguages[i]))) return true;
  }
  return false;
}

void LanguageDetector::Add(std::string_view text) {
  CutRuns(WithoutAddresses(text), /*parts_scripts=*/true, &tokens_);
  std::vector<uint64_t> hits(std::size(kLanguages));
  for (size_t i = 0; i < tokens_.size(); i++) {
    const Script script = ScriptOf(tokens_[i]);
    if (script == Script::kUnspaced) unspaced_ += DecodePoints(tokens_[i]).size();
    others_ += script == Script::kOther && IsOtherLetter(tokens_[i]);
    if (script == Script::kOther || script == Script::kUnspaced) continue;
    words_++;
    words_of_script_[script]++;
    accented_ += script == Script::kLatin && HasAccent(tokens_[i]);
    const std::string_view word =
        AllCommonWords().ForEachLanguageOf(tokens_[i], [&](size_t language) { hits[language]++; });
    if (!word.empty()) times_[word]++;
  }
  rows_++;
  for (size_t i = 0; i < hits.size(); i++) hits_[i] += hits[i];
  // Clearly of a language: three of its words at least, more than of any other, and by their shares
  // half as many again.
  const auto words = [&](size_t i) { return static_cast<double>(hits[i]) / ShareOf(i); };
  size_t first = 0;
  for (size_t i = 1; i < hits.size(); i++) {
    if (words(i) > words(first)) first = i;
  }
  bool is_clear = hits[first] > 2;
  for (size_t i = 0; i < hits.size(); i++) {
    is_clear = is_clear && (i == first || (hits[i] < hits[first] && words(first) > 1.5 * words(i)));
  }
  rows_of_[first] += is_clear;
  decided_rows_ += is_clear;
}

LanguageDetector::OwnWords LanguageDetector::FindOwnWords(
    size_t language, const std::vector<size_t>& besides) const {
  // a word that is so small a part of the language's is there by chance
  constexpr uint64_t kRare = 200;
  OwnWords own;
  for (const auto& [word, times] : times_) {
    bool is_its = false, is_other = false;
    AllCommonWords().ForEachLanguageOf(word, [&](size_t i) {
      is_its |= i == language;
      is_other |= i != language && std::count(besides.begin(), besides.end(), i) > 0;
    });
    if (!is_its || is_other) continue;
    own.different += kRare * times > hits_[language];
    if (CharacterCount(word) == 1) continue;
    own.times += times;
    own.most = std::max(own.most, times);
  }
  return own;
}

std::vector<size_t> LanguageDetector::LanguagesBeside(size_t main) const {
  // Common words: another language shares a few.
  constexpr uint64_t kLeastDifferent = 5;
  constexpr double kLeastRows = 0.1;  // of those that are clearly of one language, and some:
  constexpr uint64_t kSomeRows = 3;
  // Or, where rows are too short to tell, of English and another one: so much of the words is running
  // text in it, by words that the others here lack; without the commonest, which may be of a name,
  // half as much. English has no relatives here, whose words it could be taken for.
  constexpr double kLeastOwn = 0.1;
  const Script script = kLanguages[main].script;
  std::vector<size_t> here = {main}, others;
  for (size_t i = 0; i < std::size(kLanguages); i++) {
    if (i == main || kLanguages[i].script != script) continue;
    const bool has_rows =
        rows_of_[i] >= kSomeRows &&
        static_cast<double>(rows_of_[i]) >= kLeastRows * static_cast<double>(decided_rows_);
    const bool is_here = has_rows && FindOwnWords(i, {main}).different >= kLeastDifferent;
    (is_here ? here : others).push_back(i);
  }
  std::sort(others.begin(), others.end(),
            [&](size_t a, size_t b) { return StrengthOf(a) > StrengthOf(b); });
  const auto words = static_cast<double>(words_of_script_.at(script));
  const auto is_english = [](size_t i) { return kLanguages[i].name == "english"; };
  for (const size_t i : others) {
    if (!is_english(main) && !is_english(i)) continue;
    const OwnWords own = FindOwnWords(i, here);
    const auto is_share = [&](uint64_t times, double share) {
      return static_cast<double>(times) > share * ShareOf(i) * words;
    };
    if (own.different < kLeastDifferent || !is_share(own.times, kLeastOwn) ||
        !is_share(own.times - own.most, kLeastOwn / 2))
      continue;
    here.push_back(i);
    break;  // the next one may be its relative
  }
  std::sort(here.begin(), here.end());
  return here;
}

double LanguageDetector::StrengthOf(size_t language) const {
  return static_cast<double>(hits_[language]) / std::sqrt(ShareOf(language));
}

double LanguageDetector::WordsIn(size_t language) const {
  return static_cast<double>(hits_[language]) / ShareOf(language);
}

LanguageGuess LanguageDetector::Guess() const {
  constexpr uint64_t kFewWords = 200;
  constexpr double kLeastCommon = 0.2;  // of what running text has
  // Common words: another language shares a few. Those of English are hardly in others, and tables
  // of short texts have few of them.
  constexpr uint64_t kLeastDifferent = 5, kLeastEnglish = 2;
  constexpr double kLeastScript = 0.05;  // of all words
  const auto percent = [](double share) {
    return std::to_string(std::lround(std::min(share, 1.0) * 100)) + " %";
  };
  const std::string of_rows =
      std::to_string(words_) + " words in " + std::to_string(rows_) + " rows";
  const uint64_t as_words = words_ + unspaced_ / 2;
  if (as_words < kFewWords) {
    return {"neutral", "too little to tell a language from: " + of_rows};
  }
  const double all = static_cast<double>(as_words);
  std::vector<std::pair<double, std::string>> found;  // words, language
  std::string reason;
  const auto tell = [&](const std::string& what) { reason += (reason.empty() ? "" : "; ") + what; };
  // Something that is not English, which has the profile `english` to itself where there is nothing
  // else.
  const uint64_t others = std::max({unspaced_ / 2, others_, accented_});
  bool has_others = static_cast<double>(others) > kLeastScript * all;
  if (unspaced_ / 2 > words_) tell("most is written without blanks: pairs of characters");
  for (const auto& entry : words_of_script_) {
    const Script script = entry.first;
    const uint64_t words = entry.second;
    if (static_cast<double>(words) < kLeastScript * all) continue;
    has_others |= script != Script::kLatin;
    const auto is_here = [&](size_t i) { return kLanguages[i].script == script; };
    size_t main = SIZE_MAX;
    for (size_t i = 0; i < std::size(kLanguages); i++) {
      if (is_here(i) && (main == SIZE_MAX || StrengthOf(i) > StrengthOf(main))) main = i;
    }
    if (main == SIZE_MAX) continue;
    const bool is_only = kLanguages[main].common_words.empty();
    const bool is_stray = 2 * words < as_words && rows_of_[main] == 0;  // names, letters
    const uint64_t least = kLanguages[main].name == "english" ? kLeastEnglish : kLeastDifferent;
    const bool has_few = FindOwnWords(main, {}).different < least ||
                         WordsIn(main) < kLeastCommon * static_cast<double>(words);
    if (!is_only && (is_stray || has_few)) {
      tell("its words are of no language that is known");
      continue;
    }
    for (const size_t i : LanguagesBeside(main)) {
      const std::string name(kLanguages[i].name);
      tell(name + (kLanguages[i].has_stemmer ? "" : ", which has no stemmer") +
           (is_only ? " by its script"
                    : ", " + percent(WordsIn(i) / static_cast<double>(words)) +
                          " of the words by its common ones"));
      has_others |= !kLanguages[i].has_stemmer;
      if (kLanguages[i].has_stemmer)
        found.emplace_back(is_only ? static_cast<double>(words) : WordsIn(i), name);
    }
  }
  std::sort(found.begin(), found.end(), std::greater());
  std::string tokenizer;
  for (const auto& [words, name] : found) {
    // A language may have two scripts.
    const bool is_there = ("+" + tokenizer + "+").find("+" + name + "+") != tokenizer.npos;
    if (!is_there) tokenizer += (tokenizer.empty() ? "" : "+") + name;
  }
  if (tokenizer.empty()) tokenizer = kNeutralTokenizer;
  // `english` alone knows of no pairs of characters.
  if (tokenizer == "english" && has_others) tokenizer += "+" + std::string(kNeutralTokenizer);
  return {tokenizer, reason + " (of " + of_rows + ")"};
}

}  // namespace s2v
