#include "core/text/number_forms.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/error.h"
#include "core/text/spelled_names.h"
#include "core/text/unicode_chars.h"

namespace s2v {
namespace {

constexpr size_t kMostForms = 1000, kMostOfSize = 4;  // numbers of a size
constexpr size_t kOfYear = 4, kGroup = 3;             // digits; of thousands
// Letters of a unit, and of one that is joined to its number, as in 27inch.
constexpr size_t kMostOfUnit = 3, kMostOfJoinedUnit = 12;

bool IsUnitOf(std::string_view text, size_t most) {
  const std::vector<int32_t> letters = DecodePoints(text);
  return !letters.empty() && letters.size() <= most &&
         std::all_of(letters.begin(), letters.end(), [](int32_t c) {
           return char_table[static_cast<uint32_t>(c)].kind == CharKind::kLetter;
         });
}

constexpr std::string_view kDigits = "0123456789", kOfNumber = "0123456789.,";

bool IsNumber(std::string_view text) {
  return text.find_first_not_of(kOfNumber) == text.npos;
}

// Of 62,5 62.5, of 4,7mm 4.7mm, and the other way round; "" of what is no number with one of the
// signs.
std::string WithOtherSign(std::string number) {
  const size_t at = number.find_first_not_of(kDigits);
  if (at == 0 || at == number.npos || (number[at] != ',' && number[at] != '.')) return "";
  const bool has_more_signs = number.find_first_of(".,-/:", at + 1) != number.npos;
  if (has_more_signs || at + 1 == number.size() || !IsAsciiDigit(number[at + 1])) return "";
  number[at] = number[at] == ',' ? '.' : ',';
  return number;
}

// Of 14.5 14.50, and the other way round; "" of what has no fraction of one digit or two.
std::string WithOtherZero(std::string number) {
  constexpr size_t kMostOfFraction = 2;
  const size_t sign = number.find_first_of(".,");
  if (!IsNumber(number) || sign == 0 || sign == number.npos) return "";
  const size_t digits = number.size() - sign - 1;
  if (number.find_first_of(".,", sign + 1) != number.npos || digits > kMostOfFraction) return "";
  if (digits == 1) return number + '0';
  if (digits == 0 || number.back() != '0' || number.ends_with("00")) return "";
  number.pop_back();
  return number;
}

// Of uF μF, and the other way round, of C and F degrees; "" of another unit.
std::string OtherUnit(std::string_view unit) {
  constexpr std::string_view kMicro = "\u00B5", kMu = "\u03BC", kDegree = "\u00B0";
  if (!MayBeUnit(unit)) return "";
  if (unit == "C" || unit == "c" || unit == "F" || unit == "f")
    return std::string(kDegree) + std::string(unit);
  for (const std::string_view sign : {kMicro, kMu}) {
    if (unit.size() > sign.size() && unit.starts_with(sign))
      return "u" + std::string(unit.substr(sign.size()));
  }
  constexpr std::string_view kUnits = "mslLgAFHVWCTNMSP";  // how they begin
  return unit.size() > 1 && unit[0] == 'u' && kUnits.find(unit[1]) != kUnits.npos
             ? std::string(kMu) + std::string(unit.substr(1))
             : "";
}

// Of 7.11.2024 07.11.2024, 2024-11-07 and 2024.11.07, of 2024-11-07 07.11.2024 and 7.11.2024, each
// also with full stops or parted, as far as that tells the day from the month; nothing of what is no
// date.
std::vector<std::string> OtherDates(std::string_view run) {
  constexpr size_t kOfDay = 2;
  std::vector<std::string> dates;
  for (const char sign : {'.', '/', '-'}) {
    std::vector<std::string_view> parts = SplitAt(run, sign);
    const auto is_of_day = [](std::string_view part) {
      return (part.size() == 1 || part.size() == kOfDay) &&
             part.find_first_not_of(kDigits) == part.npos;
    };
    const auto is_year = [](std::string_view part) {
      return part.size() == kOfYear && part.find_first_not_of(kDigits) == part.npos;
    };
    if (parts.size() != 3) continue;
    const bool is_year_first = is_year(parts.front());
    if (is_year_first == is_year(parts.back()) || !is_of_day(parts[1]) ||
        !is_of_day(parts[is_year_first ? 2 : 0]))
      continue;
    const auto add = [&](char between, bool is_padded) {
      std::string date;
      for (std::string_view part : parts) {
        if (part.size() == kOfDay && part[0] == '0') part.remove_prefix(1);
        if (!date.empty()) date += between;
        if (part.size() == 1 && is_padded) date += '0';
        date += part;
      }
      dates.push_back(std::move(date));
    };
    for (const bool is_padded : {true, false}) {
      add(sign, is_padded);
      add(sign == '.' ? ' ' : '.', is_padded);
    }
    std::reverse(parts.begin(), parts.end());
    // Of 5/6/2024 nothing tells which is the month, nor in 05-06-2024 for 2024-06-05.
    const bool tells_month = sign == '.' || !is_year_first;
    for (const bool is_padded : {true, false}) {
      if (sign == '/' && !is_year_first) break;
      add('.', is_padded);
      if (tells_month) add('-', is_padded);
    }
  }
  return dates;
}

// Of 05.02.23 05.02.2023, and of 05/02/23 05/02/2023. century: its first two digits. "" of what is
// no such date.
std::string WithCentury(const std::string& run, std::string_view century) {
  constexpr size_t kMostOfPart = 2;  // digits
  constexpr int kMonths = 12, kDays = 31;
  for (const char sign : {'.', '/'}) {
    const std::vector<std::string_view> parts = SplitAt(run, sign);
    const bool are_numbers = std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
      return part.size() <= kMostOfPart && part.find_first_not_of(kDigits) == part.npos;
    });
    if (parts.size() != 3 || !are_numbers || parts[2].size() != kMostOfPart) continue;
    int day = 0, month = 0;
    std::from_chars(parts[0].data(), parts[0].data() + parts[0].size(), day);
    std::from_chars(parts[1].data(), parts[1].data() + parts[1].size(), month);
    if (sign == '/' && month > kMonths) std::swap(day, month);  // 12/24/23
    if (day == 0 || day > kDays || month == 0 || month > kMonths) continue;
    return run.substr(0, run.size() - kMostOfPart) + std::string(century) + std::string(parts[2]);
  }
  return "";
}

// Of 05.02.2023 05.02.23; "" of what has no such year behind a full stop, stroke or blank.
std::string WithShortYear(const std::string& date) {
  const size_t sign = date.find_last_of("./ ");
  if (sign == date.npos || date.size() - sign - 1 != kOfYear) return "";
  return date.substr(0, sign + 1) + date.substr(date.size() - 2);
}

// Whether a number of so many digits has thousands that may be parted.
bool MayHaveGroups(std::string_view number, size_t digits) {
  constexpr size_t kLeastDigits = 4, kMostDigits = 9;
  return digits >= kLeastDigits && digits <= kMostDigits && number[0] != '0';
}

// Of 12500 12,500.
std::string Grouped(std::string digits, char sign) {
  for (size_t at = digits.size(); at > kGroup;) digits.insert(at -= kGroup, 1, sign);
  return digits;
}

// Of 12500 12,500, 12.500 and "12 500", of 2980kg 2,980kg, 2.980kg and "2 980kg".
std::vector<std::string> WithGroups(const std::string& run) {
  const size_t digits = std::min(run.find_first_not_of(kDigits), run.size());
  const std::string unit = run.substr(digits);
  if (!MayHaveGroups(run, digits) || (!unit.empty() && !MayBeUnit(unit))) return {};
  std::vector<std::string> forms;
  for (const char sign : {',', '.', ' '})
    forms.push_back(Grouped(run.substr(0, digits), sign) + unit);
  return forms;
}

// Of 1.900,00, 1,900.00, "1 900,00" and 1900,00 all of these, with a full stop and with a comma
// before the fraction; nothing of what is no amount of 1,000 or more with two digits there.
std::vector<std::string> FormsOfAmount(std::string_view amount) {
  constexpr size_t kOfFraction = 3;  // with the sign before it
  if (amount.size() <= kOfFraction) return {};
  const std::string_view whole = amount.substr(0, amount.size() - kOfFraction);
  const char sign = amount[whole.size()];
  const std::string fraction(amount.substr(whole.size() + 1));
  std::string digits(whole);
  std::erase_if(digits, [](char c) { return !IsAsciiDigit(c); });
  const bool has_fraction =
      (sign == ',' || sign == '.') && fraction.find_first_not_of(kDigits) == fraction.npos;
  if (!has_fraction || !MayHaveGroups(digits, digits.size())) return {};
  const char other_sign = sign == ',' ? '.' : ',';
  if (whole != digits && whole != Grouped(digits, other_sign) && whole != Grouped(digits, ' '))
    return {};
  std::vector<std::string> forms;
  for (const auto& [before_fraction, between] : {std::pair{',', '.'}, std::pair{'.', ','}}) {
    for (const std::string& one : {digits, Grouped(digits, between), Grouped(digits, ' ')})
      forms.push_back(one + before_fraction + fraction);
  }
  return forms;
}

// A time of the day as it is written elsewhere: of 9:30 09:30, 9.30, 09.30, 9h30 and 09h30; nothing
// of another number, which 9.37 may be as well.
std::vector<std::string> WithOtherTimeSign(const std::string& run) {
  constexpr int kHours = 24, kMinutes = 59, kRound = 5;
  const size_t at = run.find_first_not_of(kDigits);
  if (at == 0 || at > 2 || at == run.npos || run.size() != at + 3) return {};
  const char sign = LowerAscii(run[at]);
  if (!IsAsciiDigit(run[at + 1]) || !IsAsciiDigit(run[at + 2])) return {};
  int hours = 0, minutes = 0;
  std::from_chars(run.data(), run.data() + at, hours);
  std::from_chars(run.data() + at + 1, run.data() + run.size(), minutes);
  const bool may_be_time = sign == ':' || sign == 'h' || (sign == '.' && minutes % kRound == 0);
  if (!may_be_time || hours > kHours || minutes > kMinutes) return {};
  const std::string bare = std::to_string(hours), padded = (hours < 10 ? "0" : "") + bare;
  std::vector<std::string> forms;
  for (const char other : {':', '.', 'h'}) {
    for (const std::string& hour : {bare, padded}) {
      const std::string form = hour + other + run.substr(at + 1);
      if (form != run && std::count(forms.begin(), forms.end(), form) == 0) forms.push_back(form);
    }
  }
  return forms;
}

// With an x for each X or ×, and without signs of sentences around it.
std::string WithSmallX(std::string_view run) {
  constexpr std::string_view kTimes = "\u00D7", kBefore = "([{", kBehind = ".,;:!?)]}";
  std::string size = LowerAscii(run);
  ReplaceAll(kTimes, "x", &size);
  size.erase(size.find_last_not_of(kBehind) + 1);
  size.erase(0, std::min(size.find_first_not_of(kBefore), size.size()));
  return size;
}

// The digits of what is long, as a telephone number and an ISBN are; "" of another.
std::string AllInOne(std::string_view numbers) {
  constexpr size_t kLeastDigits = 8;
  std::string digits(numbers);
  std::erase_if(digits, [](char c) { return !IsAsciiDigit(c); });
  return digits.size() < kLeastDigits ? "" : digits;
}

// Of 20240115 2024-01-15; "" of what is no such date of 1900 to 2099.
std::string PartedDate(const std::string& run) {
  constexpr size_t kDigitsOfDate = 8;
  const bool is_year = run.starts_with("19") || run.starts_with("20");
  if (!is_year || run.size() != kDigitsOfDate || AllInOne(run) != run) return "";
  const std::string month = run.substr(4, 2), day = run.substr(6);
  const bool is_date = month >= "01" && month <= "12" && day >= "01" && day <= "31";
  return is_date ? run.substr(0, 4) + "-" + month + "-" + day : "";
}

// Of 0xc0000005 c0000005, and the other way round; "" of what has no eight digits, or no such sign.
std::string WithOtherHexSign(std::string_view run) {
  constexpr size_t kDigitsOfCode = 8;
  constexpr std::string_view kSign = "0x", kHexDigits = "0123456789abcdefABCDEF";
  const bool has_sign = LowerAscii(run).starts_with(kSign);
  const std::string_view digits = has_sign ? run.substr(kSign.size()) : run;
  const bool are_hex = digits.find_first_not_of(kHexDigits) == digits.npos;
  if (digits.size() != kDigitsOfCode || !are_hex) return "";
  return has_sign ? std::string(digits) : std::string(kSign) + std::string(digits);
}

// Of 2'980, as Swiss write it, 2,980; "" of what has no apostrophe.
std::string WithCommas(std::string_view run) {
  constexpr std::string_view kApostrophe = "\u2019";
  std::string number(run);
  ReplaceAll(kApostrophe, ",", &number);
  std::replace(number.begin(), number.end(), '\'', ',');
  return number != run && IsNumber(number) ? number : "";
}

void AddFormsOfNumber(const std::string& run, std::vector<NumberForm>* forms) {
  const size_t before = forms->size();
  const auto add = [&](const std::string& words, bool is_loose = false,
                       bool may_be_version = false) {
    const bool is_new =
        std::none_of(forms->begin() + static_cast<std::ptrdiff_t>(before), forms->end(),
                     [&](const NumberForm& form) { return form.words == words; });
    if (!words.empty() && is_new) forms->push_back({words, run, is_loose, may_be_version});
  };
  const auto add_dates = [&](const std::string& date, bool is_loose, bool may_be_version) {
    for (const std::string& other : OtherDates(date)) {
      add(other, is_loose, may_be_version);
      if (other.find('-') == kOfYear) add(AllInOne(other), is_loose, may_be_version);
      add(WithShortYear(other), /*is_loose=*/true, may_be_version);
    }
  };
  if (run.find_first_of(kDigits) == run.npos) return;
  const auto has = [&](char sign, std::ptrdiff_t times) {
    return std::count(run.begin(), run.end(), sign) >= times;
  };
  const auto with = [&](char from, char to) {
    std::string changed = run;
    std::replace(changed.begin(), changed.end(), from, to);
    return changed;
  };
  if (IsNumber(run) && IsAsciiDigit(run[0])) add(run);
  const bool is_version = LowerAscii(run[0]) == 'v' && has('.', 1) && IsNumber(run.substr(1));
  if (is_version) add(run.substr(1));
  if (IsNumber(run) && has(',', 1)) add(WithoutCommas(run));
  const std::string commas = WithCommas(run), whole = WithoutCommas(commas);
  if (!whole.empty()) {
    add(commas);
    add(whole);
    add(WithOtherSign(commas));
  }
  if (IsNumber(run) && has('.', 2)) add(with('.', ' '));
  add(WithOtherSign(run));
  for (const std::string& form : FormsOfAmount(commas.empty() ? run : commas)) add(form);
  add(WithOtherHexSign(run));
  const size_t unit = std::min(run.find_first_not_of(kOfNumber), run.size());
  const std::string other_unit = unit > 0 ? OtherUnit(run.substr(unit)) : "";
  if (!other_unit.empty()) add(run.substr(0, unit) + other_unit);
  if (unit > 0 && IsUnitOf(run.substr(unit), kMostOfJoinedUnit) && IsAsciiDigit(run[unit - 1])) {
    const std::string number = run.substr(0, unit), other_number = WithOtherSign(number),
                      digits = WithoutCommas(number);
    add(number + " " + run.substr(unit));
    if (!other_number.empty()) add(other_number + " " + run.substr(unit));
    if (!digits.empty()) add(digits + run.substr(unit));
    for (const std::string& form : FormsOfAmount(number)) {
      add(form + " " + run.substr(unit));
      add(form, /*is_loose=*/true);
    }
    add(number, /*is_loose=*/true);
  }
  if (IsNumber(run) && (run.ends_with(",00") || run.ends_with(".00")))
    add(run.substr(0, run.size() - 3), /*is_loose=*/true);
  const std::string other_zero = WithOtherZero(run);
  for (const std::string& form : {other_zero, WithOtherSign(other_zero)})
    add(form, /*is_loose=*/true, /*may_be_version=*/true);
  if (IsNumber(run) && has('.', 1) && !has(',', 1))
    add(WithoutCommas(with('.', ',')), /*is_loose=*/true);
  constexpr size_t kLeastBehindSign = 4;  // digits, of an article's number as 6-7908
  for (const char sign : {'/', '-'}) {
    const size_t behind = run.find(sign) + 1;
    const bool is_article = behind + kLeastBehindSign <= run.size() && has(sign, 1) &&
                            run.find_first_not_of(kDigits, behind) == run.npos &&
                            run.find_first_not_of(kDigits) == behind - 1;
    if (is_article || has(sign, 2)) add(with(sign, '.'));
  }
  if (run.find_first_not_of("0123456789-/") == run.npos) add(AllInOne(run));
  const std::string parted_date = PartedDate(run);
  add(parted_date);
  add_dates(parted_date.empty() ? run : parted_date, /*is_loose=*/false, /*may_be_version=*/false);
  constexpr size_t kOfPaddedDate = 8;
  const bool may_be_version = has('.', 1) && run.size() < kOfPaddedDate;  // as 2.7.18
  add_dates(WithCentury(run, "20"), /*is_loose=*/may_be_version, may_be_version);
  add_dates(WithCentury(run, "19"), /*is_loose=*/true, may_be_version);
  for (const std::string& form : WithGroups(run))
    add(form, /*is_loose=*/form.find(' ') != form.npos);
  for (const std::string& form : WithOtherTimeSign(run)) add(form);
}

// Of "gtx 1080" gtx1080, as names of things may have it: letters, and what begins with a digit.
// given: in the question.
void AddFormOfName(const std::string& name, const std::string& number, const std::string& given,
                   std::vector<NumberForm>* forms) {
  constexpr size_t kMostLetters = 8;
  const auto is_of_number = [](char c) { return IsAsciiDigit(c) || IsAsciiLetter(c); };
  const std::vector<int32_t> letters = DecodePoints(name);
  const bool is_word = std::all_of(letters.begin(), letters.end(), [](int32_t c) {
    return KindOf(static_cast<uint32_t>(c)) == CharKind::kLetter;
  });
  if (letters.empty() || letters.size() > kMostLetters || !is_word) return;
  if (number.empty() || !IsAsciiDigit(number[0]) ||
      !std::all_of(number.begin(), number.end(), is_of_number))
    return;
  forms->push_back({name + number, given});
}

// Of "B2 19" B2.19. name, number: one behind the other in the question.
void AddFormOfParts(const std::string& name, const std::string& number,
                    std::vector<NumberForm>* forms) {
  const bool is_name = !name.empty() && IsAsciiLetter(name[0]) && IsAsciiDigit(name.back());
  if (is_name && IsAsciiDigit(number[0]) && IsNumber(number))
    forms->push_back({name + "." + number, name + " " + number});
}

// Of gtx-1080 and SD-8779-T gtx1080 and SD8779T, of get_name getname, of NE968E "NE 968 E".
void AddFormsOfJoinedName(const std::string& run, std::vector<NumberForm>* forms) {
  constexpr size_t kMostParts = 3;
  const std::vector<std::string_view> parts = SplitAt(run, '-');
  if (parts.size() > 1 && parts.size() <= kMostParts) {
    const std::string number =
        std::string(parts[1]) + std::string(parts.size() > 2 ? parts[2] : "");
    AddFormOfName(std::string(parts[0]), number, run, forms);
  }
  std::string in_one = run;
  if (std::erase(in_one, '_') > 0) forms->push_back({in_one, run, /*is_loose=*/true});
  // In USB3.0 a full stop is of the number.
  const auto is_of_number = [&](size_t i) {
    const bool is_within = run[i] == '.' && i > 0 && IsAsciiDigit(run[i - 1]) &&
                           i + 1 < run.size() && IsAsciiDigit(run[i + 1]);
    return IsAsciiDigit(run[i]) || is_within;
  };
  std::string parted;
  size_t cuts = 0;
  for (size_t i = 0; i < run.size(); i++) {
    if (!IsAsciiLetter(run[i]) && !is_of_number(i)) return;
    const bool is_cut = i > 0 && is_of_number(i) != is_of_number(i - 1);
    if (is_cut) parted += ' ';
    parted += run[i];
    cuts += is_cut;
  }
  if (cuts > 0 && cuts < kMostParts && IsAsciiLetter(run[0])) forms->push_back({parted, run});
}

// Of 2 980 2980, 2,980 and 2.980; of 06 12 34 56 06123456 and 06.12.34.56. runs: of digits. before:
// stands before them, as GB before 123 4567 89.
void AddFormsOfRow(const std::vector<std::string>& runs, const std::string& before,
                   std::vector<NumberForm>* forms) {
  constexpr size_t kMostRuns = 8, kLeastOfStops = 3, kMostBefore = 4, kLeastBehind = 5;
  if (runs.size() < 2 || runs.size() > kMostRuns) return;
  const auto joined = [&](std::string_view sign) {
    std::string all = runs[0];
    for (size_t i = 1; i < runs.size(); i++) (all += sign) += runs[i];
    return all;
  };
  const std::string given = joined(" ");
  const bool are_groups = std::all_of(runs.begin() + 1, runs.end(),
                                      [](const std::string& run) { return run.size() == kGroup; });
  const bool is_number = are_groups && runs[0].size() <= kGroup && runs[0][0] != '0',
             may_have_stops = runs.size() >= kLeastOfStops;
  if (is_number || may_have_stops || !AllInOne(given).empty())
    forms->push_back({joined(""), given});
  if (is_number) forms->push_back({joined(","), given});
  if (is_number || may_have_stops) forms->push_back({joined("."), given});
  const bool is_long = joined("").size() >= kLeastBehind;
  if (is_long && !before.empty() && before.size() <= kMostBefore && IsAsciiLetter(before[0]))
    forms->push_back({before + joined(""), before + " " + given});
}

// Of "1 900,00" the amount's other forms. runs: of digits, before its last one.
void AddFormsOfPartedAmount(const std::vector<std::string>& runs, const std::string& last,
                            std::vector<NumberForm>* forms) {
  constexpr size_t kMostBefore = 2;
  std::string given = last;
  for (size_t i = 1; i <= std::min(runs.size(), kMostBefore); i++) {
    given = runs[runs.size() - i] + " " + given;
    for (const std::string& form : FormsOfAmount(given)) forms->push_back({form, given});
  }
}

void AddFormsWithUnit(const std::string& run, const std::string& unit,
                      std::vector<NumberForm>* forms) {
  const size_t begin = run.find_last_not_of(kOfNumber) + 1;
  if (begin == run.size() || !MayBeUnit(unit)) return;
  const std::string number = run.substr(begin), given = number + " " + unit;
  const std::string other_number = WithOtherSign(number), other_unit = OtherUnit(unit);
  forms->push_back({number + unit, given});
  if (begin > 0) forms->push_back({run + unit, run + " " + unit});
  if (!other_number.empty()) forms->push_back({other_number + unit, given});
  if (!other_unit.empty()) {
    forms->push_back({number + " " + other_unit, given});
    forms->push_back({number + other_unit, given});
  }
}

// Of 120x60, 120 x 60 and 120×60, of more numbers and with a unit, behind all or behind each, the
// other ways and itself; of M8x40 too. Of 2m x 50cm those with the same units.
class SizeForms {
 public:
  explicit SizeForms(std::vector<NumberForm>* forms) : forms_(*forms) {}

  void Add(std::string_view run) {
    const std::string typed = WithSmallX(run);
    const bool may_go_on = !numbers_.empty() && !is_open_;
    // 90x190 mal 2 is a number of them.
    const bool is_by = FindNamed(typed, kBy) != nullptr && (numbers_.size() == 1 || sign_ == run);
    if ((typed == "x" || is_by) && may_go_on) {
      is_open_ = true;
      sign_ = run;
    } else if (may_go_on && units_.back().empty() && MayBeUnit(typed)) {
      units_.back() = typed;
      (given_ += ' ') += run;
    } else {
      AddNumbers(run, typed);
    }
  }

  // No more of it follows.
  void End() {
    const bool is_size =
        numbers_.size() > 1 && numbers_.size() <= kMostOfSize && numbers_[0] != "0";
    for (const char* between : {"x", " x ", " × "}) {
      if (is_size && forms_.size() < kMostForms) AddForms(between);
    }
    numbers_.clear();
    units_.clear();
    given_.clear();
    sign_ = "";
    is_open_ = false;
  }

 private:
  // What x is in words, in some languages.
  static constexpr std::string_view kBy[] = {"by", "por", "mal", "auf", "par", "per", "na", "на"};

  // A run as 120 or 120x60, the last one perhaps with a unit. typed: as WithSmallX has it.
  void AddNumbers(std::string_view run, const std::string& typed) {
    const size_t behind = typed.find_last_of(kDigits) + 1;
    const std::string unit = typed.substr(behind);
    const std::vector<std::string_view> parts =
        SplitAt(std::string_view(typed).substr(0, behind), 'x');
    const bool are_numbers = std::all_of(parts.begin(), parts.end(), [&](std::string_view part) {
      if (part.data() == typed.data()) part.remove_prefix(LettersBefore(part));
      return !part.empty() && IsNumber(part) && IsAsciiDigit(part.back());
    });
    const bool is_of_size = behind > 0 && are_numbers && (unit.empty() || MayBeUnit(unit));
    if (!is_of_size || !is_open_) End();
    if (!is_of_size) return;
    numbers_.insert(numbers_.end(), parts.begin(), parts.end());
    units_.resize(numbers_.size());
    units_.back() = unit;
    if (is_open_) ((given_ += ' ') += sign_) += ' ';
    given_ += run;
    up_to_number_ = given_.size();
    is_open_ = false;
  }
  // The M of M8x40, of up to two letters.
  static size_t LettersBefore(std::string_view part) {
    constexpr size_t kMost = 2;
    const size_t letters = std::min(part.find_first_of(kDigits), part.size());
    return letters <= kMost && std::all_of(part.begin(), part.begin() + letters, IsAsciiLetter)
               ? letters
               : 0;
  }
  void AddForms(std::string_view between) {
    const bool may_part = between[0] == ' ';
    const auto last = std::find_if(units_.rbegin(), units_.rend(),
                                   [](const std::string& unit) { return !unit.empty(); });
    const std::string unit = last == units_.rend() ? "" : *last;
    const auto is_another = [&](const std::string& one) { return !one.empty() && one != unit; };
    if (std::any_of(units_.begin(), units_.end(), is_another)) {  // 2m x 50cm
      forms_.push_back({Joined(units_, "", between), given_});
      if (may_part) forms_.push_back({Joined(units_, " ", between), given_});
      return;
    }
    const std::vector<std::string> none(numbers_.size());
    const std::string bare = Joined(none, "", between);
    forms_.push_back({bare, given_.substr(0, up_to_number_)});
    if (!unit.empty()) forms_.push_back({bare + unit, given_});
    if (!IsAsciiDigit(numbers_[0][0])) return;
    if (!unit.empty()) return AddWithUnit(unit, between, /*is_loose=*/false);
    for (const char* other : {"mm", "cm", "m"}) AddWithUnit(other, between, /*is_loose=*/true);
  }
  // With a unit behind each number.
  void AddWithUnit(const std::string& unit, std::string_view between, bool is_loose) {
    const std::vector<std::string> each(numbers_.size(), unit);
    forms_.push_back({Joined(each, "", between), given_, is_loose});
    if (between[0] == ' ') forms_.push_back({Joined(each, " ", between), given_, is_loose});
  }
  // units: of each number; gap: before a unit.
  std::string Joined(const std::vector<std::string>& units, std::string_view gap,
                     std::string_view between) const {
    std::string all;
    for (size_t i = 0; i < numbers_.size(); i++) {
      (all += i == 0 ? "" : between) += numbers_[i];
      if (!units[i].empty()) (all += gap) += units[i];
    }
    return all;
  }

  std::vector<NumberForm>& forms_;
  std::vector<std::string> numbers_, units_;  // "": it has none
  std::string given_;        // as it stands in the question, up to the unit behind the last number
  size_t up_to_number_ = 0;  // without that unit
  bool is_open_ = false;     // a number may follow
  std::string_view sign_;    // behind which
};

// Without what stands around a word and is none of it.
std::string WithoutSigns(std::string_view run) {
  std::vector<int32_t> points = DecodePoints(run);
  const auto is_of_word = [](int32_t c) { return IsWordKind(KindOf(static_cast<uint32_t>(c))); };
  points.erase(std::find_if(points.rbegin(), points.rend(), is_of_word).base(), points.end());
  points.erase(points.begin(), std::find_if(points.begin(), points.end(), is_of_word));
  return EncodePoints(points);
}

}  // namespace

bool MayBeUnit(std::string_view text) {
  return IsUnitOf(text, kMostOfUnit);
}

std::vector<NumberForm> FormsOfNumbers(std::string_view text) {
  std::vector<NumberForm> forms;
  std::string before, before_that;
  std::vector<std::string> row;  // of numbers
  std::string before_row;
  for (const std::string_view run : SplitAt(text, ' ')) {
    const std::string given = WithoutSigns(run);
    if (given.empty()) continue;
    if (forms.size() >= kMostForms) break;
    if (given.find_first_not_of(kDigits) != given.npos) {
      AddFormsOfRow(row, before_row, &forms);
      AddFormsOfPartedAmount(row, given, &forms);
      row.clear();
    } else {
      if (row.empty()) before_row = before;
      row.push_back(given);
    }
    const std::string both = before + " " + given;
    AddFormOfName(before, given, both, &forms);
    if (MayBeUnit(given))
      AddFormOfName(before_that, before + given, before_that + " " + both, &forms);
    AddFormOfParts(before, given, &forms);
    AddFormsOfJoinedName(given, &forms);
    AddFormsWithUnit(before, given, &forms);
    AddFormsOfNumber(given, &forms);
    before_that = std::exchange(before, given);
  }
  AddFormsOfRow(row, before_row, &forms);
  SizeForms sizes(&forms);
  for (const std::string_view run : SplitAt(text, ' ')) {
    if (!run.empty()) sizes.Add(run);
  }
  sizes.End();
  return forms;
}

}  // namespace s2v
