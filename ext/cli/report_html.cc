#include "ext/cli/report_html.h"

#include <cstdio>

namespace s2v {
namespace {

constexpr char kStyle[] = R"css(
:root { color-scheme: light dark; --back: #fff; --text: #1b1f24; --faint: #5d6670; --line: #d5dae0;
        --a: #1f5fbf; --b: #c2571a; --c: #2c7a4b; }
@media screen and (prefers-color-scheme: dark) {
  :root { --back: #14171b; --text: #e4e7eb; --faint: #9aa4af; --line: #363d45;
          --a: #7db0ff; --b: #f0a267; --c: #79cf9b; }
}
body { background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif;
       max-width: 52rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .4rem; break-after: avoid; }
p { color: var(--faint); margin: .3rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .88rem; }
th, td { text-align: left; vertical-align: top; padding: .2rem .6rem .2rem 0;
         border-bottom: 1px solid var(--line); }
th { font-weight: 600; min-width: 7rem; } td.number { text-align: right; }
tr, svg { break-inside: avoid; }
svg { width: 100%; height: auto; display: block; }
svg text { fill: var(--text); font: 12px system-ui, sans-serif; }
svg .axis { stroke: var(--line); stroke-width: 1; } svg .tick { fill: var(--faint); }
svg .curve { fill: none; stroke: var(--a); stroke-width: 2; }
svg circle { fill: var(--a); } svg .cloud { fill-opacity: .45; }
svg .map text { font-size: 11px; }
.bar1 { fill: var(--a); } .bar2 { fill: var(--b); } .bar3 { fill: var(--c); }
small { color: var(--faint); }
@media print { body { max-width: none; padding: 0; font-size: 11pt; }
               * { print-color-adjust: exact; } }
)css";

std::string FactTable(const std::vector<std::pair<std::string, std::string>>& facts) {
  std::string html = "<table>\n";
  for (const auto& [name, value] : facts) {
    html += "<tr><th scope=\"row\">" + EscapeHtml(name) + "</th><td>" + EscapeHtml(value) +
            "</td></tr>\n";
  }
  return html + "</table>\n";
}

std::string NeighbourTable(const std::vector<Neighbours>& rows, const char* head) {
  std::string html = std::string("<table class=\"neighbours\">\n<tr><th scope=\"col\">") + head +
                     "</th><th scope=\"col\">nearest, with their cosine</th></tr>\n";
  for (const Neighbours& row : rows) {
    html += "<tr><td>" + EscapeHtml(row.text);
    if (!row.count.empty()) html += " <small>" + EscapeHtml(row.count) + "</small>";
    html += "</td><td>";
    for (size_t i = 0; i < row.neighbours.size(); i++) {
      if (i > 0) html += row.count.empty() ? "<br/>" : ", ";
      html += EscapeHtml(row.neighbours[i].text) + " <small>" +
              FormatNumber("%.2f", row.neighbours[i].cosine) + "</small>";
    }
    html += "</td></tr>\n";
  }
  return html + "</table>\n";
}

std::string Section(const std::string& title, const std::string& note, const std::string& body) {
  return "<section>\n<h2>" + title + "</h2>\n" +
         (note.empty() ? "" : "<p>" + EscapeHtml(note) + "</p>\n") + body + "</section>\n";
}

std::string TableSections(const ReportData& data) {
  if (!data.table_problem.empty()) {
    return Section("The training table", "Nothing about its rows: " + data.table_problem, "");
  }
  std::string html =
      Section("Nearest rows", "Rows of a random sample of " + data.table + ", among the sample.",
              NeighbourTable(data.row_neighbours, "row"));
  std::string note = "Rows of a random sample of " + data.table +
                     " are cut into two halves; the first half looks for its second among " +
                     std::to_string(data.queries) + ". " + data.overlap;
  std::string bars = RetrievalBars(data.outcomes);
  if (data.queries < 2) {
    note = "No retrieval: fewer than two rows of the sample are long enough to be cut in halves.";
    bars.clear();
  }
  return html + Section("Retrieval of a row's second half", note, bars);
}

}  // namespace

std::string FormatNumber(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof(text), format, value);
  return text;
}

std::string EscapeHtml(std::string_view text) {
  std::string html;
  for (const char c : text) {
    switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      case '\'':
        html += "&#39;";
        break;
      default:
        const auto byte = static_cast<unsigned char>(c);
        if ((byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f) {
          html += "\xef\xbf\xbd";
        } else {
          html += c;
        }
    }
  }
  return html;
}

std::string ReportHtml(const ReportData& data) {
  const std::string title = "Model " + data.model;
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width\"/>\n<title>" +
      EscapeHtml(title) + "</title>\n<style>" + kStyle + "</style>\n</head>\n<body>\n<h1>" +
      EscapeHtml(title) + "</h1>\n";
  html += Section("How it was made", "", FactTable(data.facts));
  html += Section("Loss over the epochs", "Mean of equation 3 over the target words of an epoch.",
                  LossChart(data.losses));
  const std::string shown = std::to_string(data.points.size());
  html += Section("Length of a word's vector",
                  data.points.size() == static_cast<uint64_t>(data.words)
                      ? "All " + shown + " words."
                      : shown + " of " + std::to_string(data.words) +
                            " words: the most frequent, and others evenly by rank.",
                  NormChart(data.points));
  html += Section("Map of frequent words",
                  "The " + std::to_string(data.map.size()) +
                      " most frequent words of at least 4 letters, scaled to length 1, on the "
                      "first two principal "
                      "components, which carry " +
                      FormatNumber("%.0f", 100 * data.map_share) + " % of their variance.",
                  WordMap(data.map));
  html += Section("Nearest words", "Words from frequent to rare, with their counts.",
                  NeighbourTable(data.word_neighbours, "word"));
  html += TableSections(data);
  html += Section("Parameters", "", FactTable(data.parameters));
  return html + "</body>\n</html>\n";
}

}  // namespace s2v
