// The map of index.html on its canvas: a dot for each row, coloured by its group, with some words of the group; the row under
// the pointer is shown, a click asks for rows like it.
'use strict';

const kColours = ['#2a78d6', '#d1603d', '#2f9e6e', '#9a5bc4', '#c29a1c', '#d1497f', '#3aa5b8', '#7d8a2e', '#8a6d5b'];
const figure = document.querySelector('figure'), canvas = figure.querySelector('canvas'), hint = document.getElementById('hint');
let shown = null, marked = new Set(), pointed = null, chosen = () => {};

function onRow(act) { chosen = act; }

function showMap(map) {
  shown = map;
  figure.hidden = false;
  document.getElementById('found').classList.add('mapped');
  figure.querySelector('figcaption').textContent = `${map.points.length} rows; what lies together means the same. ` +
      'A dot shows its row, and asks for rows like it; rings: rows that were found.';
  canvas.setAttribute('aria-label', 'map of rows: ' + map.groups.map(group => group.words.join(' ')).filter(Boolean).join(', '));
  paint();
}
function hideMap() {
  shown = pointed = null;
  figure.hidden = hint.hidden = true;
  document.getElementById('found').classList.remove('mapped');
}
function markFound(texts) {
  marked = new Set(texts.map(text => String(text).slice(0, 400)));
  paint();
}

// Places are 0 .. 1; a margin for dots and words at the edge.
const size = () => canvas.clientWidth;
const toCanvas = value => 24 + value * (size() - 48);

function paint() {
  if (!shown || figure.hidden) return;
  const scale = devicePixelRatio || 1, style = getComputedStyle(document.documentElement), pen = canvas.getContext('2d');
  canvas.width = canvas.height = Math.round(size() * scale);
  pen.scale(scale, scale);
  const dot = (point, radius) => {
    pen.beginPath();
    pen.arc(toCanvas(point.x), toCanvas(point.y), radius, 0, 7);
  };
  pen.globalAlpha = 0.65;
  for (const point of shown.points) {
    pen.fillStyle = kColours[point.group % kColours.length];
    dot(point, 2.2);
    pen.fill();
  }
  pen.globalAlpha = 1;
  pen.strokeStyle = style.getPropertyValue('--ink');
  pen.lineWidth = 2;
  for (const point of shown.points) {
    if (!marked.has(point.text) && point !== pointed) continue;
    dot(point, 6);
    pen.stroke();
  }
  pen.font = '600 13px system-ui, sans-serif';
  pen.textAlign = 'center';
  pen.lineJoin = 'round';
  pen.lineWidth = 4;
  pen.strokeStyle = style.getPropertyValue('--card');
  pen.fillStyle = style.getPropertyValue('--ink');
  for (const {x, y, words} of shown.groups) {
    const text = words.join(', '), half = pen.measureText(text).width / 2 + 4;
    const middle = Math.min(Math.max(toCanvas(x), half), size() - half);
    pen.strokeText(text, middle, toCanvas(y));
    pen.fillText(text, middle, toCanvas(y));
  }
}

function point(event) {
  const {left, top} = canvas.getBoundingClientRect(), x = event.clientX - left, y = event.clientY - top;
  let best = null, least = 15 * 15;
  for (const one of shown.points) {
    const square = (toCanvas(one.x) - x) ** 2 + (toCanvas(one.y) - y) ** 2;
    if (square < least) [best, least] = [one, square];
  }
  hint.hidden = !best;
  if (best) {
    hint.textContent = best.text.length > 200 ? best.text.slice(0, 200) + ' …' : best.text;
    const right = toCanvas(best.x) < size() / 2;
    hint.style.left = right ? toCanvas(best.x) + 10 + 'px' : '';
    hint.style.right = right ? '' : size() - toCanvas(best.x) + 10 + 'px';
    hint.style.top = toCanvas(best.y) + 10 + 'px';
  }
  if (best !== pointed) {
    pointed = best;
    paint();
  }
}
canvas.onpointermove = canvas.onpointerdown = point;
canvas.onpointerleave = () => {
  hint.hidden = true;
  pointed = null;
  paint();
};
canvas.onclick = () => pointed && chosen(pointed.text.slice(0, 200));
addEventListener('resize', paint);
matchMedia('(prefers-color-scheme: dark)').onchange = paint;
