// A map of texts: places on a plane where texts that mean the same lie together, groups of them, and words that tell the groups
// apart. Each text is drawn to those it is most like and pushed away by others that are picked at random, as UMAP does it
// (McInnes, Healy, Melville 2018). Needs no random numbers but its own, so that a table has the same map each time.
'use strict';

const kNeighbours = 10, kRounds = 200, kGroups = 9;

// vectors: Float32Arrays of length 1; rest(): awaited between slices of some milliseconds of work.
// {x, y, group} of each, within 0 .. 1.
async function makeMap(vectors, rest) {
  const count = vectors.length, random = randomNumbers();
  let slice = performance.now();
  const perhapsRest = async () => {
    if (performance.now() - slice < 15) return;
    await rest();
    slice = performance.now();
  };
  const near = [];
  for (let i = 0; i < count; i++) {
    near.push(nearest(vectors, i));
    await perhapsRest();
  }
  const at = principal(vectors, random);
  for (let round = 0; round < kRounds; round++) {
    const step = 1 - round / kRounds;
    for (let i = 0; i < count; i++) {
      for (const j of near[i]) {
        move(at, i, j, step, true);
        for (let k = 0; k < 4; k++) move(at, i, Math.floor(random() * count), step, false);
      }
    }
    await perhapsRest();
  }
  const range = [0, 1].map(axis => {
    const sorted = at.map(place => place[axis]).sort((a, b) => a - b);
    return [sorted[Math.floor(count * 0.005)], sorted[Math.ceil(count * 0.995) - 1]];  // a stray text does not shrink the rest
  });
  const scaled = (value, [low, high]) => Math.min(Math.max((value - low) / (high - low || 1), 0), 1);
  const places = at.map(place => place.map((value, axis) => scaled(value, range[axis])));
  const groups = groupsOf(places, random);
  return places.map(([x, y], i) => ({x, y, group: groups[i]}));
}

// For each group {x, y, words}: its middle, and the words that its texts have and the others seldom.
function describeGroups(places, texts) {
  const all = new Map(), groups = Array.from({length: kGroups}, () => ({x: 0, y: 0, size: 0, words: new Map()}));
  places.forEach(({x, y, group}, i) => {
    const one = groups[group];
    one.x += x, one.y += y, one.size++;
    for (const word of new Set(texts[i].toLowerCase().match(/\p{L}{4,20}/gu))) {
      all.set(word, (all.get(word) ?? 0) + 1);
      one.words.set(word, (one.words.get(word) ?? 0) + 1);
    }
  });
  return groups.filter(one => one.size > 0).map(({x, y, size, words}) => ({
    x: x / size, y: y / size,
    words: [...words].map(([word, times]) => ({word, times, lift: times / size / (all.get(word) / places.length)}))
      .filter(({times, lift}) => times > 2 && lift > 2.5)
      .sort((a, b) => b.times * Math.log(b.lift) - a.times * Math.log(a.lift)).slice(0, 2).map(({word}) => word),
  }));
}

// Numbers of 0 .. 1, always the same ones (mulberry32).
function randomNumbers() {
  let state = 1;
  return () => {
    let t = state += 0x6d2b79f5;
    t = Math.imul(t ^ t >>> 15, t | 1);
    t ^= t + Math.imul(t ^ t >>> 7, t | 61);
    return ((t ^ t >>> 14) >>> 0) / 4294967296;
  };
}
function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

function nearest(vectors, i) {
  const best = [], scores = [];
  for (let j = 0; j < vectors.length; j++) {
    if (j === i) continue;
    const score = dot(vectors[i], vectors[j]);
    if (best.length === kNeighbours && score <= scores[kNeighbours - 1]) continue;
    let to = best.length < kNeighbours ? best.length : kNeighbours - 1;
    for (; to > 0 && scores[to - 1] < score; to--) best[to] = best[to - 1], scores[to] = scores[to - 1];
    best[to] = j, scores[to] = score;
  }
  return best;
}

// Where to begin: on the two principal components, by power iteration.
function principal(vectors, random) {
  const size = vectors[0]?.length ?? 0, mean = new Float32Array(size), axes = [];
  for (const vector of vectors) vector.forEach((value, i) => { mean[i] += value / vectors.length; });
  for (let axis = 0; axis < 2; axis++) {
    let direction = Float32Array.from(mean, () => random() - 0.5);
    for (let round = 0; round < 30; round++) {
      const next = new Float32Array(size);
      for (const vector of vectors) {
        const share = dot(vector, direction) - dot(mean, direction);
        for (let i = 0; i < size; i++) next[i] += share * (vector[i] - mean[i]);
      }
      for (const other of axes) {
        const share = dot(next, other);
        next.forEach((value, i) => { next[i] = value - share * other[i]; });
      }
      const length = Math.hypot(...next) || 1;
      direction = next.map(value => value / length);
    }
    axes.push(direction);
  }
  return vectors.map(vector => axes.map(axis => 10 * (dot(vector, axis) - dot(mean, axis)) + (random() - 0.5) / 10));
}

// One step of UMAP's: towards a neighbour, both of them, or away from another. Similarity of places: 1 / (1 + d²).
function move(at, i, j, step, together) {
  const one = at[i], other = at[j], dx = one[0] - other[0], dy = one[1] - other[1], square = dx * dx + dy * dy;
  if (square === 0) return;
  const force = together ? -2 / (1 + square) : 2 / ((0.01 + square) * (1 + square));
  const byX = Math.min(Math.max(force * dx, -4), 4) * step, byY = Math.min(Math.max(force * dy, -4), 4) * step;
  one[0] += byX, one[1] += byY;
  if (together) other[0] -= byX, other[1] -= byY;
}

// k-means on the plane; the first middles are far from each other.
function groupsOf(places, random) {
  const distance = (a, b) => (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2;
  const middles = [];
  const far = new Float64Array(places.length).fill(Infinity);
  for (let at = Math.floor(random() * places.length); middles.length < Math.min(kGroups, places.length);) {
    middles.push([...places[at]]);
    places.forEach((place, i) => { far[i] = Math.min(far[i], distance(place, places[at])); });
    at = far.indexOf(Math.max(...far));
  }
  let groups = [];
  for (let round = 0; round < 20; round++) {
    groups = places.map(place => {
      let best = 0;
      for (let i = 1; i < middles.length; i++) if (distance(place, middles[i]) < distance(place, middles[best])) best = i;
      return best;
    });
    const sums = middles.map(() => [0, 0, 0]);
    places.forEach(([x, y], i) => { const sum = sums[groups[i]]; sum[0] += x, sum[1] += y, sum[2]++; });
    sums.forEach(([x, y, size], i) => { if (size > 0) middles[i] = [x / size, y / size]; });
  }
  return groups;
}
