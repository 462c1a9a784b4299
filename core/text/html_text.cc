// The text of HTML, version 2.
//
// 1. A tag is < or </, a letter, letters, digits, - and :, then a blank, / or >, and what follows
//    up to a > that is not between two " or two ' behind a =. From a quote on that is not closed,
//    quotes hide no >. What no > ends is no tag: its < is text.
// 2. Tags of what stands within a line (kInline) vanish, H<sub>2</sub>O is H2O; any other is a
//    line's end.
// 3. What is between <script>, <style> and the other kHidden and their end tag, or the text's end,
//    is left out; so are <!-- comments -->, <!declarations> and <?instructions>. Of <![CDATA[...]]>
//    what is in it stays.
// 4. &name; of kEntities and kMoreEntities, &#number; and &#xnumber; are the characters that they
//    stand for, &nbsp; and its like a blank. Others are text. In version 1 those of kMoreEntities
//    were text too.
// 5. Blanks and lines' ends become one blank. A text without < and & stays as it is.
#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/numbers.h"
#include "core/text/markup.h"
#include "core/text/utf8.h"

namespace s2v {
namespace {

constexpr std::string_view kBlanks = " \t\n\r\f\v";
constexpr std::string_view kInline =
    " a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark nobr q rp rt ruby s samp small span strike strong sub "
    "sup time tt u var wbr ";
constexpr std::string_view kHidden = " script style noscript template svg math object iframe ";
// Tags that make a text one of HTML: not those that people make up, as <name>.
constexpr std::string_view kTelling =
    " html head body title div p br hr span a img ul ol li dl dt dd table tr td th thead tbody h1 h2 h3 h4 h5 h6 b i u em strong "
    "small sub sup pre code blockquote font center script style section article header footer nav figure figcaption ";
constexpr size_t kMostNameBytes = 32;

// Names and characters, one behind the other: those of HTML 4, and letters of other languages of
// Europe.
constexpr std::string_view kEntities =
    "amp & lt < gt > quot \" apos ' iexcl ¡ cent ¢ pound £ curren ¤ yen ¥ brvbar ¦ sect § uml ¨ copy © ordf ª laquo « not ¬ "
    "shy \u00AD reg ® macr ¯ deg ° plusmn ± sup2 ² sup3 ³ acute ´ micro µ para ¶ middot · cedil ¸ sup1 ¹ ordm º raquo » frac14 ¼ "
    "frac12 ½ frac34 ¾ iquest ¿ Agrave À Aacute Á Acirc Â Atilde Ã Auml Ä Aring Å AElig Æ Ccedil Ç Egrave È Eacute É Ecirc Ê "
    "Euml Ë Igrave Ì Iacute Í Icirc Î Iuml Ï ETH Ð Ntilde Ñ Ograve Ò Oacute Ó Ocirc Ô Otilde Õ Ouml Ö times × Oslash Ø Ugrave Ù "
    "Uacute Ú Ucirc Û Uuml Ü Yacute Ý THORN Þ szlig ß agrave à aacute á acirc â atilde ã auml ä aring å aelig æ ccedil ç egrave è "
    "eacute é ecirc ê euml ë igrave ì iacute í icirc î iuml ï eth ð ntilde ñ ograve ò oacute ó ocirc ô otilde õ ouml ö divide ÷ "
    "oslash ø ugrave ù uacute ú ucirc û uuml ü yacute ý thorn þ yuml ÿ OElig Œ oelig œ Scaron Š scaron š Yuml Ÿ fnof ƒ circ ˆ "
    "tilde ˜ Alpha Α Beta Β Gamma Γ Delta Δ Epsilon Ε Zeta Ζ Eta Η Theta Θ Iota Ι Kappa Κ Lambda Λ Mu Μ Nu Ν Xi Ξ Omicron Ο Pi Π "
    "Rho Ρ Sigma Σ Tau Τ Upsilon Υ Phi Φ Chi Χ Psi Ψ Omega Ω alpha α beta β gamma γ delta δ epsilon ε zeta ζ eta η theta θ iota ι "
    "kappa κ lambda λ mu μ nu ν xi ξ omicron ο pi π rho ρ sigmaf ς sigma σ tau τ upsilon υ phi φ chi χ psi ψ omega ω "
    "zwnj \u200C zwj \u200D lrm \u200E rlm \u200F ndash – mdash — lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ dagger † Dagger ‡ "
    "bull • hellip … permil ‰ prime ′ Prime ″ lsaquo ‹ rsaquo › oline ‾ frasl ⁄ euro € trade ™ larr ← uarr ↑ rarr → darr ↓ harr ↔ "
    "minus − infin ∞ ne ≠ le ≤ ge ≥ asymp ≈ Abreve Ă abreve ă Aogon Ą aogon ą Cacute Ć cacute ć Ccaron Č ccaron č Dcaron Ď dcaron ď "
    "Dstrok Đ dstrok đ Ecaron Ě ecaron ě Eogon Ę eogon ę Gbreve Ğ gbreve ğ Idot İ imath ı Lstrok Ł lstrok ł Nacute Ń nacute ń "
    "Ncaron Ň ncaron ň Odblac Ő odblac ő Rcaron Ř rcaron ř Sacute Ś sacute ś Scedil Ş scedil ş Tcaron Ť tcaron ť Uring Ů uring ů "
    "Udblac Ű udblac ű Zacute Ź zacute ź Zcaron Ž zcaron ž Zdot Ż zdot ż";

// Of HTML 5 letters of other languages, which would part a word, what stands between words, and of
// symbols those of HTML 4 and others that pages have, since a name that is not known is a word.
constexpr std::string_view kMoreEntities =
    "Amacr Ā amacr ā Ccirc Ĉ ccirc ĉ Cdot Ċ cdot ċ Edot Ė edot ė Emacr Ē emacr ē ENG Ŋ eng ŋ gacute ǵ Gcedil Ģ Gcirc Ĝ gcirc ĝ "
    "Gdot Ġ gdot ġ Hcirc Ĥ hcirc ĥ Hstrok Ħ hstrok ħ IJlig Ĳ ijlig ĳ Imacr Ī imacr ī inodot ı Iogon Į iogon į Itilde Ĩ "
    "itilde ĩ Jcirc Ĵ jcirc ĵ Kcedil Ķ kcedil ķ kgreen ĸ Lacute Ĺ lacute ĺ Lcaron Ľ lcaron ľ Lcedil Ļ lcedil ļ Lmidot Ŀ "
    "lmidot ŀ napos ŉ Ncedil Ņ ncedil ņ Omacr Ō omacr ō Racute Ŕ racute ŕ Rcedil Ŗ rcedil ŗ Scirc Ŝ scirc ŝ Tcedil Ţ tcedil ţ "
    "Tstrok Ŧ tstrok ŧ Ubreve Ŭ ubreve ŭ Umacr Ū umacr ū Uogon Ų uogon ų Utilde Ũ utilde ũ Wcirc Ŵ wcirc ŵ Ycirc Ŷ ycirc ŷ "
    "fflig ﬀ ffilig ﬃ ffllig ﬄ filig ﬁ fllig ﬂ Acy А acy а Bcy Б bcy б Vcy В vcy в Gcy Г gcy г Dcy Д dcy д IEcy Е iecy е "
    "ZHcy Ж zhcy ж Zcy З zcy з Icy И icy и Jcy Й jcy й Kcy К kcy к Lcy Л lcy л Mcy М mcy м Ncy Н ncy н Ocy О ocy о Pcy П pcy п "
    "Rcy Р rcy р Scy С scy с Tcy Т tcy т Ucy У ucy у Fcy Ф fcy ф KHcy Х khcy х TScy Ц tscy ц CHcy Ч chcy ч SHcy Ш shcy ш "
    "SHCHcy Щ shchcy щ HARDcy Ъ hardcy ъ Ycy Ы ycy ы SOFTcy Ь softcy ь Ecy Э ecy э YUcy Ю yucy ю YAcy Я yacy я IOcy Ё iocy ё "
    "DJcy Ђ djcy ђ GJcy Ѓ gjcy ѓ Jukcy Є jukcy є DScy Ѕ dscy ѕ Iukcy І iukcy і YIcy Ї yicy ї Jsercy Ј jsercy ј LJcy Љ ljcy љ "
    "NJcy Њ njcy њ TSHcy Ћ tshcy ћ KJcy Ќ kjcy ќ Ubrcy Ў ubrcy ў DZcy Џ dzcy џ epsi ε upsi υ Upsi ϒ epsiv ϵ phiv ϕ piv ϖ "
    "rhov ϱ sigmav ς thetav ϑ thetasym ϑ upsih ϒ kappav ϰ varepsilon ϵ varphi ϕ varpi ϖ varrho ϱ varsigma ς vartheta ϑ "
    "varkappa ϰ AMP & LT < GT > QUOT \" excl ! num # dollar $ percnt % lpar ( rpar ) ast * midast * plus + comma , period . "
    "sol / colon : semi ; equals = quest ? commat @ lsqb [ lbrack [ bsol \\ rsqb ] rbrack ] Hat ^ lowbar _ UnderBar _ grave ` "
    "lcub { lbrace { verbar | vert | VerticalLine | rcub } rbrace } hyphen ‐ dash ‐ horbar ― Verbar ‖ Vert ‖ lsquor ‚ rsquor ’ "
    "ldquor „ rdquor ” OpenCurlyQuote ‘ CloseCurlyQuote ’ OpenCurlyDoubleQuote “ CloseCurlyDoubleQuote ” bullet • centerdot · "
    "ddagger ‡ mldr … nldr ‥ caret ⁁ hybull ⁃ ZeroWidthSpace \u200B NoBreak \u2060 COPY © REG ® TRADE ™ weierp ℘ image ℑ "
    "real ℜ alefsym ℵ crarr ↵ lArr ⇐ uArr ⇑ rArr ⇒ dArr ⇓ hArr ⇔ forall ∀ part ∂ exist ∃ empty ∅ nabla ∇ isin ∈ notin ∉ ni ∋ "
    "prod ∏ sum ∑ lowast ∗ radic √ prop ∝ ang ∠ and ∧ or ∨ cap ∩ cup ∪ int ∫ there4 ∴ sim ∼ cong ≅ equiv ≡ sub ⊂ sup ⊃ nsub ⊄ "
    "sube ⊆ supe ⊇ oplus ⊕ otimes ⊗ perp ⊥ sdot ⋅ lceil ⌈ rceil ⌉ lfloor ⌊ rfloor ⌋ lang ⟨ rang ⟩ loz ◊ spades ♠ clubs ♣ "
    "hearts ♥ diams ♦ check ✓ cross ✗ star ☆ starf ★ phone ☎ male ♂ female ♀ numero № copysr ℗ sung ♪ flat ♭ natural ♮ sharp ♯ "
    "square □ squf ▪ target ⌖";
constexpr std::string_view kBlankEntities = "nbsp ensp emsp thinsp";
constexpr std::string_view kMoreBlankEntities =
    "emsp13 emsp14 numsp puncsp hairsp ThinSpace VeryThinSpace MediumSpace ThickSpace NonBreakingSpace Tab NewLine";

// Characters 128 to 159 of Windows-1252: entities with these numbers mean them.
constexpr uint16_t kWindows[] = {0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,   0x017D, 0x8F,
                                 0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

bool IsHtmlBlank(char c) {
  return kBlanks.find(c) != kBlanks.npos;
}

void AddBlank(std::string* plain) {
  if (!plain->empty() && !IsHtmlBlank(plain->back())) *plain += ' ';
}

// With a blank on each side of the name.
bool IsIn(std::string_view names, const std::string& name) {
  return names.find(" " + name + " ") != names.npos;
}

using Entities = std::unordered_map<std::string_view, std::string_view>;

void AddEntities(std::string_view names_and_characters, std::string_view blanks,
                 Entities* entities) {
  const std::vector<std::string_view> words = SplitAt(names_and_characters, ' ');
  for (size_t i = 0; i + 1 < words.size(); i += 2) entities->emplace(words[i], words[i + 1]);
  for (const std::string_view blank : SplitAt(blanks, ' ')) entities->emplace(blank, " ");
}

const Entities& EntitiesOf(bool is_former) {
  // Never destroyed, as the tokenizers.
  static const auto& former = *new auto([] {
    Entities made;
    AddEntities(kEntities, kBlankEntities, &made);
    return made;
  }());
  static const auto& present = *new auto([] {
    Entities made = former;
    AddEntities(kMoreEntities, kMoreBlankEntities, &made);
    return made;
  }());
  return is_former ? former : present;
}

// The name of the tag, in small letters, behind its < or </; "" where there is none.
std::string TagName(std::string_view text) {
  std::string name;
  for (const char c : text.substr(0, kMostNameBytes + 1)) {
    const bool is_first = name.empty();
    if (IsAsciiLetter(c) || (!is_first && (IsAsciiDigit(c) || c == '-' || c == ':'))) {
      name += LowerAscii(c);
      continue;
    }
    return IsHtmlBlank(c) || c == '/' || c == '>' ? name : "";
  }
  return "";
}

}  // namespace

void EndLine(std::string* plain) {
  while (!plain->empty() && plain->back() == ' ') plain->pop_back();
  if (!plain->empty() && plain->back() != '\n') *plain += '\n';
}

size_t HtmlReader::Find(std::string_view what, size_t at, bool* is_there) const {
  const size_t found = *is_there ? text_.find(what, at) : text_.npos;
  *is_there = found != text_.npos;
  return found;
}

// The > of a tag; npos where there is none.
size_t HtmlReader::TagEnd(size_t at) {
  char quote = 0, last = 0;
  for (size_t i = at; quotes_close_ && i < text_.size(); i++) {
    const char c = text_[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '>') {
      return i;
    } else if ((c == '"' || c == '\'') && last == '=') {
      quote = c;
    }
    if (!IsHtmlBlank(c)) last = c;
  }
  // from here on quotes hide no >: so no part of a text is read more than twice
  quotes_close_ = false;
  return Find(">", at, &has_end_);
}

size_t HtmlReader::TakeTag(size_t at, std::string* plain) {
  const std::string_view rest = text_.substr(at);
  size_t end = text_.npos;
  if (rest.starts_with("<!--")) end = Find("-->", at + 4, &has_comment_end_);
  if (end != text_.npos) return end + 3;
  if (rest.starts_with("<![CDATA[")) {
    end = Find("]]>", at + 9, &has_cdata_end_);
    if (end == text_.npos) return 0;
    EndLine(plain);
    *plain += text_.substr(at + 9, end - at - 9);
    EndLine(plain);
    return end + 3;
  }
  if (rest.starts_with("<!") || rest.starts_with("<?")) {
    end = Find(">", at, &has_end_);
    return end == text_.npos ? 0 : end + 1;
  }
  const bool is_closing = rest.starts_with("</");
  const size_t name_at = at + (is_closing ? 2 : 1);
  const std::string name = TagName(text_.substr(name_at));
  if (name.empty()) return 0;
  end = TagEnd(name_at + name.size());
  if (end == text_.npos) return 0;
  if (!IsIn(kInline, name)) EndLine(plain);
  if (is_closing || !IsIn(kHidden, name) || text_[end - 1] == '/') return end + 1;
  // Stops before the end tag, which is read as any other.
  for (size_t next = end + 1; (next = text_.find("</", next)) != text_.npos; next += 2) {
    if (TagName(text_.substr(next + 2)) == name) return next;
  }
  return text_.size();
}

size_t HtmlReader::TakeEntity(size_t at, std::string* plain) const {
  const std::string_view rest = text_.substr(at, kMostNameBytes);
  const size_t end = rest.find(';');
  if (end == rest.npos || end < 2) return 0;
  std::string_view name = rest.substr(1, end - 1);
  if (name[0] != '#') {
    const Entities& entities = EntitiesOf(is_former_);
    const auto found = entities.find(name);
    if (found == entities.end()) return 0;
    found->second == " " ? AddBlank(plain) : void(*plain += found->second);
    return at + end + 1;
  }
  name.remove_prefix(1);
  const bool is_hex = name.starts_with('x') || name.starts_with('X');
  if (is_hex) name.remove_prefix(1);
  if (name.size() > 8) return 0;
  uint32_t number = 0;
  if (!ParseNumber(name, &number, is_hex ? 16 : 10)) return 0;
  if (number >= 128 && number < 160) number = kWindows[number - 128];
  const bool is_none = number == 0 || number > 0x10FFFF || (number >= 0xD800 && number < 0xE000);
  const bool is_blank = (number > 0 && number < 33) || number == 0xA0;
  if (is_blank) {
    AddBlank(plain);
  } else {
    AppendPoint(is_none ? 0xFFFD : static_cast<int32_t>(number), plain);
  }
  return at + end + 1;
}

void MakePlainHtml(std::string_view text, int version, std::string* plain) {
  plain->clear();
  if (text.find_first_of("<&") == text.npos) {
    *plain = text;
    return;
  }
  HtmlReader reader(text, /*is_former=*/version == 1);
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    size_t next = 0;
    if (c == '<') next = reader.TakeTag(at, plain);
    if (c == '&') next = reader.TakeEntity(at, plain);
    if (next == 0) {
      IsHtmlBlank(c) ? AddBlank(plain) : plain->push_back(c);
      next = at + 1;
    }
    at = next;
  }
  while (!plain->empty() && IsHtmlBlank(plain->back())) plain->pop_back();
}

bool IsWrittenAsHtml(std::string_view text) {
  const size_t last = text.rfind('>');
  for (size_t at = 0; (at = text.find('<', at)) != text.npos; at++) {
    const bool is_closing = text.substr(at).starts_with("</");
    if (text.substr(at).starts_with("<!--") || text.substr(at).starts_with("<!DOCTYPE"))
      return true;
    const size_t begin = at + (is_closing ? 2 : 1);
    const std::string name = TagName(text.substr(begin));
    if (!name.empty() && IsIn(kTelling, name) && last != text.npos && last >= begin) return true;
  }
  return false;
}

}  // namespace s2v
