#include <algorithm>
#include <cmath>
#include <cstdio>

#include "ext/cli/report.h"
#include "ext/cli/text.h"

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
.chart { overflow-x: auto; }
@media screen and (max-width: 640px) {
  .chart svg { width: 640px; }
  .neighbours th, .neighbours td { display: block; padding-right: 0; }
  .neighbours td:first-child { border-bottom: 0; font-weight: 600; }
}
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
    if (!row.label.empty()) html += " <small>" + EscapeHtml(row.label) + "</small>";
    html += "</td><td>";
    for (size_t i = 0; i < row.neighbours.size(); i++) {
      const Neighbours::Neighbour& near = row.neighbours[i];
      if (i > 0) html += row.of_rows ? "<br/>" : ", ";
      html += EscapeHtml(near.text) + " <small>" + EscapeHtml(near.label) +
              (near.label.empty() ? "" : ", ") + Format("%.2f", near.cosine) + "</small>";
    }
    html += "</td></tr>\n";
  }
  return html + "</table>\n";
}

std::string Section(const std::string& title, const std::string& note, const std::string& body) {
  return "<section>\n<h2>" + title + "</h2>\n" +
         (note.empty() ? "" : "<p>" + EscapeHtml(note) + "</p>\n") + body + "</section>\n";
}

// Whether words alone find more, by the mean reciprocal rank.
std::string Verdict(const std::vector<RetrievalOutcome>& outcomes) {
  const auto rank_of = [&](const char* encoder) -> std::optional<double> {
    for (const RetrievalOutcome& outcome : outcomes) {
      if (outcome.encoder == encoder && outcome.score) return outcome.score->mean_reciprocal_rank;
    }
    return std::nullopt;
  };
  const auto model = rank_of("model"), bm25 = rank_of("bm25");
  if (!model || !bm25) return "";
  if (*model >= *bm25) return "The model finds more than BM25 of FTS5, which goes by words alone.";
  return "BM25 of FTS5, which goes by words alone, finds more than the model here: search this table by "
         "both, with an s2v_index.";
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
  note += " " + Verdict(data.outcomes);
  std::string bars = RetrievalBars(data.outcomes);
  if (data.queries < 2) {
    note = "No retrieval: fewer than two rows of the sample are long enough to be cut in halves.";
    bars.clear();
  }
  return html + Section("Retrieval of a row's second half", note, bars);
}

constexpr double kWidth = 800, kHeight = 340;
constexpr double kLeft = 60, kRight = 20, kTop = 16, kBottom = 46;

std::string Place(double value) {
  return Format("%.1f", value);
}

struct Range {
  double low = INFINITY, high = -INFINITY;
  void Add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  // Never empty, so that it can be divided by.
  Range Widened() const {
    if (!(low <= high)) return {0, 1};
    const double margin = high > low ? 0.04 * (high - low) : std::max(1e-6, 0.1 * std::abs(low));
    return {low - margin, high + margin};
  }
};

// 1, 2 or 5 times a power of ten: about five steps.
double TickStep(const Range& range) {
  const double rough = (range.high - range.low) / 5;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) return factor * power;
  }
  return 10 * power;
}

std::string OpenSvg(double height, const std::string& name) {
  return "<div class=\"chart\">\n<svg viewBox=\"0 0 " + Place(kWidth) + " " + Place(height) +
         "\" role=\"img\" aria-label=\"" + EscapeHtml(name) + "\">\n";
}

std::string SvgText(double x, double y, const char* anchor, const char* kind,
                    const std::string& text) {
  return "<text x=\"" + Place(x) + "\" y=\"" + Place(y) + "\" text-anchor=\"" + anchor + "\"" +
         (*kind ? std::string(" class=\"") + kind + "\"" : "") + ">" + EscapeHtml(text) +
         "</text>\n";
}

std::string SvgLine(double x1, double y1, double x2, double y2) {
  return "<line class=\"axis\" x1=\"" + Place(x1) + "\" y1=\"" + Place(y1) + "\" x2=\"" +
         Place(x2) + "\" y2=\"" + Place(y2) + "\"/>\n";
}

// The plane of a chart: places of values, grid lines with numbers, names of the axes.
class Plane {
 public:
  Plane(const Range& x, const Range& y) : x_(x), y_(y) {}
  double X(double x) const {
    return kLeft + (x - x_.low) / (x_.high - x_.low) * (kWidth - kLeft - kRight);
  }
  double Y(double y) const {
    return kHeight - kBottom - (y - y_.low) / (y_.high - y_.low) * (kHeight - kTop - kBottom);
  }
  std::string Axes(const std::string& x_name, const std::string& y_name,
                   double least_x_step) const {
    std::string svg;
    const double bottom = kHeight - kBottom;
    const double step = std::max(least_x_step, TickStep(x_));
    for (double i = std::ceil(x_.low / step); i * step <= x_.high; i++) {
      svg += SvgLine(X(i * step), kTop, X(i * step), bottom);
      svg += SvgText(X(i * step), bottom + 16, "middle", "tick", Format("%g", i * step));
    }
    const double y_step = TickStep(y_);
    for (double i = std::ceil(y_.low / y_step); i * y_step <= y_.high; i++) {
      svg += SvgLine(kLeft, Y(i * y_step), kWidth - kRight, Y(i * y_step));
      svg += SvgText(kLeft - 6, Y(i * y_step) + 4, "end", "tick", Format("%g", i * y_step));
    }
    svg += SvgText((kLeft + kWidth - kRight) / 2, kHeight - 8, "middle", "", x_name);
    return svg + SvgText(4, kTop - 4, "start", "", y_name);
  }

 private:
  const Range x_, y_;
};

}  // namespace

std::string EscapeHtml(std::string_view text) {
  constexpr std::pair<char, const char*> kEntities[] = {
      {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
  std::string html;
  for (const char c : text) {
    const auto entity = std::find_if(std::begin(kEntities), std::end(kEntities),
                                     [c](const auto& known) { return known.first == c; });
    const auto byte = static_cast<unsigned char>(c);
    if (entity != std::end(kEntities)) {
      html += entity->second;
    } else if ((byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f) {
      html += "\xef\xbf\xbd";
    } else {
      html += c;
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
  html += Section("How it was made", data.warning, FactTable(data.facts));
  html += Section("Loss over the epochs", "Mean of equation 3 over the target words of an epoch.",
                  LossChart(data.losses));
  const std::string shown = std::to_string(data.points.size());
  html += Section("Length of a word's vector",
                  data.points.size() == static_cast<uint64_t>(data.words)
                      ? "All " + shown + " words."
                      : shown + " of " + std::to_string(data.words) +
                            " words: the most frequent, and others evenly by rank.",
                  NormChart(data.points));
  html += Section(
      "Map of frequent words",
      "The " + std::to_string(data.map.size()) +
          " most frequent words of at least 4 letters, scaled to length 1, on the "
          "first two principal components, which carry " +
          Format("%.0f", 100 * data.map_share) +
          " % of their variance. Where labels would overlap, a dot stands for the rarer word.",
      WordMap(data.map));
  html += Section("Nearest words", "Words from frequent to rare, with their counts.",
                  NeighbourTable(data.word_neighbours, "word"));
  html += TableSections(data);
  html += Section("Parameters", "", FactTable(data.parameters));
  return html + "</body>\n</html>\n";
}

std::string LossChart(const std::vector<double>& losses) {
  Range x, y;
  for (size_t i = 0; i < losses.size(); i++) {
    if (!std::isfinite(losses[i])) continue;
    x.Add(static_cast<double>(i + 1));
    y.Add(losses[i]);
  }
  const Plane plane(x.Widened(), y.Widened());
  std::string path, circles;
  for (size_t i = 0; i < losses.size(); i++) {
    if (!std::isfinite(losses[i])) continue;
    const std::string cx = Place(plane.X(static_cast<double>(i + 1))),
                      cy = Place(plane.Y(losses[i]));
    path += (path.empty() ? "M" : " L") + cx + " " + cy;
    circles += "<circle class=\"epoch\" cx=\"" + cx + "\" cy=\"" + cy + "\" r=\"3\"><title>" +
               Format("%.4f", losses[i]) + "</title></circle>\n";
  }
  return OpenSvg(kHeight, "loss over the epochs") + plane.Axes("epoch", "loss", 1) +
         "<path class=\"curve\" d=\"" + path + "\"/>\n" + circles + "</svg>\n</div>\n";
}

std::string NormChart(const std::vector<WordPoint>& points) {
  Range x, y;
  const auto shown = [](const WordPoint& point) {
    return std::isfinite(point.log_frequency) && std::isfinite(point.norm);
  };
  for (const WordPoint& point : points) {
    if (!shown(point)) continue;
    x.Add(point.log_frequency);
    y.Add(point.norm);
  }
  const Plane plane(x.Widened(), y.Widened());
  std::string svg = OpenSvg(kHeight, "vector norm against log word frequency") +
                    plane.Axes("log10 of the word's frequency", "norm", 0);
  for (const WordPoint& point : points) {
    if (!shown(point)) continue;
    svg += "<circle class=\"cloud\" cx=\"" + Place(plane.X(point.log_frequency)) + "\" cy=\"" +
           Place(plane.Y(point.norm)) + "\" r=\"2.5\"><title>" + EscapeHtml(point.word) +
           "</title></circle>\n";
  }
  return svg + "</svg>\n</div>\n";
}

std::string WordMap(const std::vector<MapPoint>& points) {
  constexpr double kMargin = 50;
  Range x, y;
  for (const MapPoint& point : points) {
    if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
    x.Add(point.x);
    y.Add(point.y);
  }
  x = x.Widened();
  y = y.Widened();
  // One scale for both axes: distances on the page are those of the plane.
  const double scale = std::min((kWidth - 2 * kMargin) / (x.high - x.low), 700 / (y.high - y.low));
  const double height = std::max(120.0, scale * (y.high - y.low)) + 40;
  std::string svg = OpenSvg(height, "map of frequent words") + "<g class=\"map\">\n";
  constexpr double kLetter = 6.2, kLine = 13;  // what a letter of 11 px takes, about
  struct Label {
    double left, right, y;
  };
  std::vector<Label> labels;
  for (const MapPoint& point :
       points) {  // from frequent to rare: of labels in one place the first is written
    if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
    const double at_x = kWidth / 2 + scale * (point.x - (x.low + x.high) / 2),
                 at_y = height / 2 - scale * (point.y - (y.low + y.high) / 2),
                 half = kLetter * static_cast<double>(point.word.size()) / 2;
    const Label label{at_x - half, at_x + half, at_y};
    const bool free = std::none_of(labels.begin(), labels.end(), [&](const Label& other) {
      return label.left < other.right && other.left < label.right &&
             std::abs(label.y - other.y) < kLine;
    });
    if (free) {
      labels.push_back(label);
      svg += SvgText(at_x, at_y, "middle", "", point.word);
    } else {
      svg += "<circle class=\"dot\" cx=\"" + Place(at_x) + "\" cy=\"" + Place(at_y - 4) +
             "\" r=\"2\"><title>" + EscapeHtml(point.word) + "</title></circle>\n";
    }
  }
  return svg + "</g>\n</svg>\n</div>\n";
}

std::string RetrievalBars(const std::vector<RetrievalOutcome>& outcomes) {
  constexpr double kBar = 14, kGroup = 3 * kBar + 14, kNames = 130, kFull = kWidth - kNames - 150;
  constexpr std::pair<const char*, double RetrievalScore::*> kFigures[] = {
      {"recall@1", &RetrievalScore::recall_at_1},
      {"recall@10", &RetrievalScore::recall_at_10},
      {"reciprocal rank", &RetrievalScore::mean_reciprocal_rank}};
  std::string svg = OpenSvg(kGroup * static_cast<double>(outcomes.size()) + 10,
                            "retrieval, percent, for each encoder");
  double y = 10;
  for (const RetrievalOutcome& outcome : outcomes) {
    svg += SvgText(kNames - 10, y + 2 * kBar - 3, "end", "", outcome.encoder);
    if (!outcome.score) svg += SvgText(kNames, y + 2 * kBar - 3, "start", "tick", "not measured");
    for (int i = 0; outcome.score && i < 3; i++) {
      const double share = *outcome.score.*kFigures[i].second, top = y + i * kBar;
      svg += "<rect class=\"bar" + std::to_string(i + 1) + "\" x=\"" + Place(kNames) + "\" y=\"" +
             Place(top) + "\" width=\"" + Place(std::max(0.5, share * kFull)) + "\" height=\"" +
             Place(kBar - 2) + "\"/>\n";
      svg += SvgText(kNames + share * kFull + 6, top + kBar - 4, "start", "tick",
                     Format("%.1f", 100 * share) + " % " + kFigures[i].first);
    }
    y += kGroup;
  }
  return svg + "</svg>\n</div>\n";
}

}  // namespace s2v
