#include "core/text/number_forms.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <ctime>

namespace {

// Without those that are what is given.
std::string Joined(const std::vector<s2v::NumberForm>& forms) {
  std::string all;
  for (const auto& [words, given, is_loose, may_be_version] : forms) {
    if (words != given) all += (all.empty() ? "" : "|") + words + (is_loose ? "~" : "=") + given;
  }
  return all;
}

TEST_CASE("a number and a size are forms of themselves") {
  for (const char* number : {"14", "2,980", "62.5", "120x60"}) {
    const auto forms = s2v::FormsOfNumbers(number);
    CHECK(std::any_of(forms.begin(), forms.end(),
                      [&](const auto& one) { return one.words == number && one.given == number; }));
  }
}

TEST_CASE("a number is written in other ways") {
  const auto forms = [](const char* run) { return Joined(s2v::FormsOfNumbers(run)); };
  CHECK(forms("2,980") == "2980=2,980|2.980=2,980");
  CHECK(forms("2,980,000") == "2980000=2,980,000");
  CHECK(forms("1,25,000") == "125000=1,25,000");
  CHECK(forms("12,50,00,000") == "125000000=12,50,00,000");
  CHECK(forms("125,00,000").empty());
  CHECK(forms("62,5") == "62.5=62,5|62,50~62,5|62.50~62,5");
  CHECK(forms("62.50") == "62,50=62.50|62.5~62.50|62,5~62.50");
  CHECK(forms("62.5mm") == "62,5mm=62.5mm|62.5 mm=62.5mm|62,5 mm=62.5mm|62.5~62.5mm");
  CHECK(forms("180C") == "180°C=180C|180 C=180C|180~180C");
  CHECK(forms("6-7908") == "6.7908=6-7908");
  CHECK(forms("v2.9") == "v 2.9=v2.9|2.9=v2.9");
  CHECK(forms("USB3.0") == "USB 3.0=USB3.0");
  CHECK(forms("14.00") == "14,00=14.00|14~14.00|14:00=14.00|14h00=14.00");
  CHECK(forms("2.980") == "2,980=2.980|2980~2.980");
  CHECK(
      forms("10,000mAh") ==
      "10.000mAh=10,000mAh|10,000 mAh=10,000mAh|10.000 mAh=10,000mAh|10000mAh=10,000mAh|10,000~10,000mAh");
  CHECK(forms("27inch") == "27 inch=27inch|27~27inch");
  CHECK(
      forms("21.09.1984") ==
      "21 09 1984=21.09.1984|21.09.84~21.09.1984|21 09 84~21.09.1984|21.9.1984=21.09.1984|"
      "21.9.84~21.09.1984|21 9 1984=21.09.1984|21 9 84~21.09.1984|"
      "1984.09.21=21.09.1984|1984-09-21=21.09.1984|19840921=21.09.1984|1984.9.21=21.09.1984|1984-9-21=21.09.1984");
  CHECK(
      forms("7.11.2024") ==
      "7 11 2024=7.11.2024|07.11.2024=7.11.2024|07.11.24~7.11.2024|07 11 2024=7.11.2024|"
      "07 11 24~7.11.2024|7.11.24~7.11.2024|7 11 24~7.11.2024|"
      "2024.11.07=7.11.2024|2024-11-07=7.11.2024|20241107=7.11.2024|2024.11.7=7.11.2024|2024-11-7=7.11.2024");
  CHECK(forms("7-11-2024").find("|2024-11-07=7-11-2024|") != std::string::npos);
  CHECK(forms("2024.11.07")
            .find("|07.11.2024=2024.11.07|07.11.24~2024.11.07|07-11-2024=2024.11.07|") !=
        std::string::npos);
  CHECK(
      forms("07/11/2024") ==
      "07.11.2024=07/11/2024|07112024=07/11/2024|07/11/24~07/11/2024|07.11.24~07/11/2024|7/11/2024=07/11/2024|"
      "7/11/24~07/11/2024|7.11.2024=07/11/2024|7.11.24~07/11/2024");
  CHECK(forms("20240709").starts_with("0x20240709=20240709|2024-07-09=20240709|"));
  CHECK(forms("20240709").find("|09.07.2024=20240709|") != std::string::npos);
  CHECK(forms("20241309").find("2024-13") == std::string::npos);
  CHECK(forms("0xC0000005") == "C0000005=0xC0000005");
  CHECK(forms("c0000005").find("0xc0000005=c0000005") != std::string::npos);
  CHECK(forms("c000005").find("0x") == std::string::npos);
  CHECK(forms("get_header") == "getheader~get_header");
  CHECK(forms("2024-7-9") ==
        "2024.7.9=2024-7-9|2024-07-09=2024-7-9|20240709=2024-7-9|2024.07.09=2024-7-9|"
        "09.07.2024=2024-7-9|09.07.24~2024-7-9|9.7.2024=2024-7-9|9.7.24~2024-7-9");
  CHECK(
      forms("1'299.90") ==
      "1,299.90=1'299.90|1299.90=1'299.90|1299,90=1'299.90|1.299,90=1'299.90|1 299,90=1'299.90|1 299.90=1'299.90");
  CHECK(forms("1’299") == "1,299=1’299|1299=1’299|1.299=1’299");
  CHECK(forms("5'11").empty());
  CHECK(
      forms("21/09/1984") ==
      "21.09.1984=21/09/1984|21091984=21/09/1984|21/09/84~21/09/1984|21.09.84~21/09/1984|21/9/1984=21/09/1984|"
      "21/9/84~21/09/1984|21.9.1984=21/09/1984|21.9.84~21/09/1984");
  CHECK(forms("2024-06-08") ==
        "2024.06.08=2024-06-08|20240608=2024-06-08|2024-6-8=2024-06-08|2024.6.8=2024-06-08|"
        "08.06.2024=2024-06-08|08.06.24~2024-06-08|8.6.2024=2024-06-08|8.6.24~2024-06-08");
  CHECK(forms("4.7uF") == "4,7uF=4.7uF|4.7μF=4.7uF|4.7 uF=4.7uF|4,7 uF=4.7uF|4.7~4.7uF");
  CHECK(forms("5µm") == "5um=5µm|5 µm=5µm|5~5µm");
  CHECK(forms("2980") == "2,980=2980|2.980=2980|2 980~2980");
  CHECK(forms("1250000") == "1,250,000=1250000|1.250.000=1250000|1 250 000~1250000");
  CHECK(forms("2980kg") ==
        "2980 kg=2980kg|2980~2980kg|2,980kg=2980kg|2.980kg=2980kg|2 980kg~2980kg");
  CHECK(forms("2980円") == "2,980=2980|2.980=2980|2 980~2980");
  CHECK(forms("16:30") == "16.30=16:30|16h30=16:30");
  CHECK(forms("9h05") == "9:05=9h05|09:05=9h05|9.05=9h05|09.05=9h05|09h05=9h05");
  CHECK(forms("16.30") == "16,30=16.30|16.3~16.30|16,3~16.30|16:30=16.30|16h30=16.30");
  for (const char* run :
       {"0298", "980", "1234567890", "25:30", "12:60", "1:5", "12:305", "123:00"}) {
    CAPTURE(run);
    CHECK(forms(run).empty());
  }
  CHECK(forms("16.37") == "16,37=16.37");
  for (const char* run : {"", "x", "uF", "5", "5,", ".5", "5.x", "1.2.x", "5-6", "5kilo5"}) {
    CAPTURE(run);
    CHECK(forms(run).empty());
  }
}

TEST_CASE("a date with a year of two digits is of this century, or of the last one") {
  const auto has = [](const std::string& run, const std::string& form) {
    const auto forms = s2v::FormsOfNumbers(run);
    return std::any_of(forms.begin(), forms.end(), [&](const s2v::NumberForm& one) {
      const std::string signs =
          std::string(one.is_loose ? "~" : "") + (one.may_be_version ? "v" : "");
      return one.words + signs == form;
    });
  };
  for (const char* form : {"05.02.2023", "5.2.2023", "2023-02-05", "20230205", "05 02 2023"}) {
    CAPTURE(form);
    CHECK(has("05.02.23", form));
    CHECK(has("5.2.23", std::string(form) + "~v"));
  }
  CHECK(has("05.02.23", "05.02.1923~"));
  CHECK(has("05.02.23", "5.2.23~"));
  CHECK(has("5.2.23", "05.02.1923~v"));
  CHECK(has("5.2.23", "05.02.23~v"));
  CHECK(has("05/02/23", "05.02.2023"));
  CHECK(has("12/24/23", "12/24/2023"));
  CHECK_FALSE(has("05/02/23", "2023-02-05"));
  for (const char* run : {"12.24.23", "32.1.23", "0.2.23", "5.0.23", "5.2.3", "5.2.123", "5.x.23",
                          "5.2.23.1", "..23", "13/13/23"}) {
    CAPTURE(run);
    CHECK(Joined(s2v::FormsOfNumbers(run)).find("2023") == std::string::npos);
  }
}

TEST_CASE("an amount is written with other signs before its thousands and its fraction") {
  const auto has = [](const std::string& text, const std::string& form) {
    return ("|" + Joined(s2v::FormsOfNumbers(text)) + "|").find("|" + form + "|") !=
           std::string::npos;
  };
  const char* const amounts[] = {"1900,50",  "1900.50",  "1.900,50", "1,900.50",
                                 "1 900,50", "1 900.50", "1'900.50", "1’900.50"};
  for (const std::string asked : amounts) {
    for (const std::string form : {"1900,50", "1900.50", "1.900,50", "1,900.50", "1 900,50"}) {
      CAPTURE(asked);
      CAPTURE(form);
      CHECK((asked == form || has(asked, form + "=" + asked)));
    }
  }
  CHECK(has("12.345.678,90", "12345678.90=12.345.678,90"));
  CHECK(has("12 345 678,90", "12,345,678.90=12 345 678,90"));
  CHECK(has("no 7 1 900,50", "1900.50=1 900,50"));
  CHECK(has("1900,50EUR", "1.900,50 EUR=1900,50EUR"));
  CHECK(has("1900,50EUR", "1.900,50~1900,50EUR"));
  CHECK(Joined(s2v::FormsOfNumbers("1.900.50")).find(',') == std::string::npos);
  CHECK(Joined(s2v::FormsOfNumbers("19.00,50")).empty());
  CHECK(Joined(s2v::FormsOfNumbers("0900,50")) == "0900.50=0900,50|0900,5~0900,50|0900.5~0900,50");
  CHECK(Joined(s2v::FormsOfNumbers("1900,505")) == "1900.505=1900,505");
  CHECK(Joined(s2v::FormsOfNumbers("19 00,50")).find("1900") == std::string::npos);
}

TEST_CASE("numbers with blanks between them are one") {
  const auto forms = [](const char* text) {
    std::vector<s2v::NumberForm> of_rows = s2v::FormsOfNumbers(text);
    std::erase_if(of_rows,
                  [](const auto& form) { return form.given.find(' ') == std::string::npos; });
    return Joined(of_rows);
  };
  CHECK(forms("a 2 980 km") == "a2=a 2|2980=2 980|2,980=2 980|2.980=2 980|980km=980 km");
  CHECK(forms("GB 123 4567 89") ==
        "GB123=GB 123|123456789=123 4567 89|123.4567.89=123 4567 89|GB123456789=GB 123 4567 89");
  CHECK(forms("0612 3456") == "06123456=0612 3456");
  CHECK(Joined(s2v::FormsOfNumbers("978-0-7502-7084-6")) ==
        "978.0.7502.7084.6=978-0-7502-7084-6|9780750270846=978-0-7502-7084-6");
  CHECK(Joined(s2v::FormsOfNumbers("12-34-56")) == "12.34.56=12-34-56");
  CHECK(forms("06 12 34") == "061234=06 12 34|06.12.34=06 12 34");
  for (const char* text : {"12 34", "0 980", "5", "1 2 3 4 5 6 7 8 9"}) {
    CAPTURE(text);
    CHECK(forms(text) == "");
  }
}

TEST_CASE("a size is written with and without blanks, with x or ×") {
  const auto forms = [](const char* text) {
    std::vector<s2v::NumberForm> of_sizes = s2v::FormsOfNumbers(text);
    std::erase_if(of_sizes,
                  [](const auto& form) { return form.words.find("80 x 9") == std::string::npos; });
    return Joined(of_sizes);
  };
  const auto sure = [](const char* text) {
    std::vector<s2v::NumberForm> of_sizes = s2v::FormsOfNumbers(text);
    std::erase_if(of_sizes, [](const auto& form) { return form.is_loose; });
    return Joined(of_sizes);
  };
  CHECK(sure("80x9") == "80 x 9=80x9|80 × 9=80x9");
  CHECK(sure("80×9,5×7") == "80x9,5x7=80×9,5×7|80 x 9,5 x 7=80×9,5×7|80 × 9,5 × 7=80×9,5×7");
  CHECK(forms("(80 X 9),") == "80 x 9=(80 X 9),");
  CHECK(forms("a 80 × 9 cm") == "80 x 9=80 × 9|80 x 9cm=80 × 9 cm");
  CHECK(forms("80x9cm") == "80 x 9=80x9cm|80 x 9cm=80x9cm");
  CHECK(forms("80cm x 9cm") == "80 x 9=80cm x 9cm|80 x 9cm=80cm x 9cm");
  CHECK(forms("80 cm x 9 cm.") == "80 x 9=80 cm x 9|80 x 9cm=80 cm x 9 cm.");
  CHECK(forms("80 cm x 9") == "80 x 9=80 cm x 9|80 x 9cm=80 cm x 9");
  CHECK(Joined(s2v::FormsOfNumbers("80x9cm")) ==
        "80x9=80x9cm|80cmx9cm=80x9cm|80 x 9=80x9cm|80 x 9cm=80x9cm|80cm x 9cm=80x9cm|"
        "80 cm x 9 cm=80x9cm|80 × 9=80x9cm|80 × 9cm=80x9cm|80cm × 9cm=80x9cm|"
        "80 cm × 9 cm=80x9cm");
  // In words, and without a unit those of rows behind each number.
  for (const std::string by : {"by", "por", "mal", "Auf", "par", "per", "na", "на"}) {
    const std::string size = "80 " + by + " 9";
    CAPTURE(by);
    CHECK(forms(size.c_str()) == "80 x 9=" + size);
    CHECK(forms((size + " " + by + " 7 cm").c_str()) ==
          "80 x 9 x 7=" + size + " " + by + " 7|80 x 9 x 7cm=" + size + " " + by + " 7 cm");
  }
  CHECK(forms("80x9 mal 7") == forms("80x9 mal"));
  CHECK(forms("80 mal 9 auf 7").starts_with("80 x 9=80 mal 9|"));
  CHECK(forms("1 by 2, 80x9 by 7").starts_with("80 x 9=80x9|"));
  const std::string of_any = Joined(s2v::FormsOfNumbers("80 x 9"));
  for (const char* form : {"|80cm x 9cm~", "|80 mm x 9 mm~", "|80 m × 9 m~", "|80cmx9cm~"})
    CHECK(of_any.find(form) != std::string::npos);
  CHECK(Joined(s2v::FormsOfNumbers("M8x40")).find("mm") == std::string::npos);
  // Of several units each stays with its number.
  CHECK(forms("80cm x 9mm").empty());
  const std::string of_two = Joined(s2v::FormsOfNumbers("2m x 50cm"));
  CHECK(
      of_two.ends_with("2mx50cm=2m x 50cm|2 m x 50 cm=2m x 50cm|2m × 50cm=2m x 50cm|"
                       "2 m × 50 cm=2m x 50cm"));
  CHECK(of_two.find("2cm") == std::string::npos);
  CHECK(Joined(s2v::FormsOfNumbers("M8x40")) == "m8x40=M8x40|m8 x 40=M8x40|m8 × 40=M8x40");
  CHECK(Joined(s2v::FormsOfNumbers("LED8x40")).empty());
  CHECK(forms("80x9 4 x 5") == "80 x 9=80x9");
  for (const char* text : {"80 x", "80 x x 9", "80 x a 9", "80xx9", "80x", "x", "×", "80 9",
                           "0x80 x 9", "80 x 9 x 1 x 1 x 1"}) {
    CAPTURE(text);
    CHECK(forms(text).empty());
  }
}

TEST_CASE("a size of very many numbers takes time in proportion to its length") {
  std::string text;
  for (int i = 0; i < 500000; i++) text += "1cm x ";
  constexpr double kMostSeconds = 10;  // a fifth of one; by the square nearly a minute
  const std::clock_t start = std::clock();
  s2v::FormsOfNumbers(text);
  CHECK(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC < kMostSeconds);
}

TEST_CASE("a number and its unit are one word") {
  const auto forms = [](const char* run, const char* unit) {
    return Joined(s2v::FormsOfNumbers(std::string(run) + " " + unit));
  };
  CHECK(forms("5", "kg") == "5kg=5 kg");
  CHECK(forms("4,5", "kg") == "4.5=4,5|4,50~4,5|4.50~4,5|4,5kg=4,5 kg|4.5kg=4,5 kg");
  CHECK(forms("(5", "kg).") == "5kg=5 kg");
  CHECK(forms("5", " kg") == "5kg=5 kg");
  CHECK(forms("18-55", "mm") == "55mm=55 mm|18-55mm=18-55 mm");
  CHECK(forms("M3x10", "mm") ==
        "10mm=10 mm|M3x10mm=M3x10 mm|m3x10=M3x10|m3x10mm=M3x10 mm|m3 x 10=M3x10|"
        "m3 x 10mm=M3x10 mm|m3 × 10=M3x10|m3 × 10mm=M3x10 mm");
  CHECK(forms("5", "uF") == "5uF=5 uF|5 μF=5 uF|5μF=5 uF");
  CHECK(forms("gtx", "1080") == "gtx1080=gtx 1080|1,080=1080|1.080=1080|1 080~1080");
  CHECK(forms("", "gtx-1080") == "gtx1080=gtx-1080");
  CHECK(forms("gsr", "12V") == "gsr12V=gsr 12V|12 V=12V|12~12V");
  CHECK(forms("SD", "8779 T") ==
        "SD8779=SD 8779|8,779=8779|8.779=8779|8 779~8779|SD8779T=SD 8779 T|8779T=8779 T");
  CHECK(forms("", "SD-8779-T") == "SD8779T=SD-8779-T|SD.8779.T=SD-8779-T");
  CHECK(forms("", "NE968E") == "NE 968 E=NE968E");
  CHECK(forms("Kanton", "Ⅳ").empty());
  CHECK(forms("verylongname", "12").empty());
  CHECK(forms("gtx2", "12") == "gtx 2=gtx2|gtx2.12=gtx2 12");
  CHECK(forms("5", "kilo").empty());
  CHECK(forms("5", "").empty());
  CHECK(forms("5", "x1") == "x 1=x1");
  CHECK(forms("", "kg").empty());
  CHECK(forms("x", "kg").empty());
}

}  // namespace
