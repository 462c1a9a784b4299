// The charts of the report (report_html.h).
#include <algorithm>
#include <cmath>

#include "ext/cli/report_html.h"

namespace s2v {
namespace {

constexpr double kWidth = 800, kHeight = 340;
constexpr double kLeft = 60, kRight = 20, kTop = 16, kBottom = 46;

std::string Place(double value) {
  return FormatNumber("%.1f", value);
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
  return "<svg viewBox=\"0 0 " + Place(kWidth) + " " + Place(height) +
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
      svg += SvgText(X(i * step), bottom + 16, "middle", "tick", FormatNumber("%g", i * step));
    }
    const double y_step = TickStep(y_);
    for (double i = std::ceil(y_.low / y_step); i * y_step <= y_.high; i++) {
      svg += SvgLine(kLeft, Y(i * y_step), kWidth - kRight, Y(i * y_step));
      svg += SvgText(kLeft - 6, Y(i * y_step) + 4, "end", "tick", FormatNumber("%g", i * y_step));
    }
    svg += SvgText((kLeft + kWidth - kRight) / 2, kHeight - 8, "middle", "", x_name);
    return svg + SvgText(4, kTop - 4, "start", "", y_name);
  }

 private:
  const Range x_, y_;
};

}  // namespace

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
               FormatNumber("%.4f", losses[i]) + "</title></circle>\n";
  }
  return OpenSvg(kHeight, "loss over the epochs") + plane.Axes("epoch", "loss", 1) +
         "<path class=\"curve\" d=\"" + path + "\"/>\n" + circles + "</svg>\n";
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
  return svg + "</svg>\n";
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
  for (const MapPoint& point : points) {
    if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
    svg += SvgText(kWidth / 2 + scale * (point.x - (x.low + x.high) / 2),
                   height / 2 - scale * (point.y - (y.low + y.high) / 2), "middle", "", point.word);
  }
  return svg + "</g>\n</svg>\n";
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
                     FormatNumber("%.1f", 100 * share) + " % " + kFigures[i].first);
    }
    y += kGroup;
  }
  return svg + "</svg>\n";
}

}  // namespace s2v
