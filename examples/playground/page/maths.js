// The mathematics of the page. It draws nothing and needs no browser.
//
// Coordinates of points are whole sixteenths, so every sum, product and determinant below is an
// exact integer. A vector has three coordinates: y·(x₁, x₂, 0) for lines through the centre, and
// y·(x₁, x₂, 1) for any lines, where 1 is sixteen sixteenths. y is the label, +1 or −1.

export const UNIT = 16;
export const ROUNDS = 1000; // as many as the library makes if nobody sets MaxEpochs

export const add = (a, b) => a.map((v, i) => v + b[i]);
export const sub = (a, b) => a.map((v, i) => v - b[i]);
export const times = (c, a) => a.map((v) => c * v);
export const dot = (a, b) => a.reduce((sum, v, i) => sum + v * b[i], 0);
export const len = (a) => Math.hypot(...a);
export const cross = ([a, b, c], [d, e, f]) => [b * f - c * e, c * d - a * f, a * e - b * d];
const det = (a, b, c) => dot(cross(a, b), c);

// vectors returns y·x of each point, or y·(x, 1) if lines need not go through the centre.
export const vectors = (points, bias) =>
  points.map(({x, y, label}) => [x, y, bias ? UNIT : 0].map((v) => label * v));

// run trains Rosenblatt's perceptron: in each round it takes all vectors in turn, and adds z to w
// if ⟨w, z⟩ ≤ 0. tips are w after each mistake, and rows the vectors that it added.
// stop is "right" after a round without a mistake, "loop" if w is what it was after an earlier
// round, and "limit" after ROUNDS rounds. A loop repeats the mistakes after the mistake since.
export function run(z) {
  const tips = [[0, 0, 0]], rows = [], ends = [0], seen = new Map([["0,0,0", 0]]);
  let w = tips[0];
  for (let round = 1; round <= ROUNDS; round++) {
    z.forEach((v, i) => {
      if (dot(w, v) > 0) return;
      w = add(w, v);
      tips.push(w);
      rows.push(i);
    });
    ends.push(rows.length);
    if (ends[round] === ends[round - 1]) return {tips, rows, ends, stop: "right", since: 0};
    const key = w.join(), before = seen.get(key);
    if (before !== undefined) return {tips, rows, ends, stop: "loop", since: ends[before]};
    seen.set(key, round);
  }
  return {tips, rows, ends, stop: "limit", since: 0};
}

// square returns R², the largest ‖z‖².
export const square = (z) => Math.max(0, ...z.map((v) => dot(v, v)));

// margin returns the vector u with the largest γ = min ⟨u, z⟩/‖u‖, and γ² as num/den. It supposes
// that there is a u with γ > 0. The best u is at a right angle to a corner, an edge or, with a
// bias, a side of the vectors' hull, and no vector is nearer to 0 along u.
export function margin(z) {
  let best = {num: 0, den: 1, u: [0, 0, 0]};
  const offer = (u, on, num, den) => {
    const low = dot(u, on);
    if (low <= 0 || num * best.den <= best.num * den) return;
    if (z.every((v) => dot(u, v) >= low)) best = {num, den, u};
  };
  const flat = z.every((v) => v[2] === 0);
  z.forEach((a, i) => {
    offer(a, a, dot(a, a), 1);
    z.slice(i + 1).forEach((b, j) => {
      const d = sub(b, a), n = cross(a, b);
      offer(sub(times(dot(b, d), a), times(dot(a, d), b)), a, dot(n, n), dot(d, d));
      if (flat) return;
      for (const c of z.slice(i + j + 2)) {
        const m = cross(d, sub(c, a)), volume = dot(m, a);
        offer(times(Math.sign(volume), m), a, volume * volume, dot(m, m));
      }
    });
  });
  return best;
}

// against returns the fewest vectors that contradict each other, by their numbers: a sum of
// positive multiples of them is 0, so no u has ⟨u, z⟩ > 0 for all (Gordan 1873). It returns none
// if some u has. More than two flat vectors, or three in a plane, or four, surround 0.
export function against(z) {
  const n = z.length, zero = z.findIndex((v) => dot(v, v) === 0);
  if (zero >= 0) return [zero];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) if (opposite(z[j], z[i])) return [j, i];
  }
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      for (let k = 0; k < j; k++) if (surround(z[k], z[j], z[i])) return [k, j, i];
    }
  }
  if (z.every((v) => v[2] === 0)) return [];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      for (let k = 0; k < j; k++) {
        for (let l = 0; l < k; l++) if (enclose(z[l], z[k], z[j], z[i])) return [l, k, j, i];
      }
    }
  }
  return [];
}
const opposite = (a, b) => dot(a, b) < 0 && cross(a, b).every((v) => v === 0);
function surround(a, b, c) {
  const [p, q, r] = [cross(a, b), cross(b, c), cross(c, a)];
  return dot(p, c) === 0 && dot(p, q) > 0 && dot(q, r) > 0;
}
function enclose(a, b, c, d) {
  const signs = [det(b, c, d), -det(a, c, d), det(a, b, d), -det(a, b, c)].map(Math.sign);
  return signs[0] !== 0 && signs.every((s) => s === signs[0]);
}

// bound is the theorem's: at most (R/γ)² mistakes. In the plane, and through the centre, at most
// half as many and one are possible. Both are exact: r2, num and den are integers.
export const bound = (r2, {num, den}) => Math.floor(r2 * den / num);
export const planeBound = (r2, {num, den}) => Math.floor(r2 * den / (2 * num)) + 1;

// arc returns the directions, as two angles, in which w has all flat vectors right: each vector
// leaves the half of the circle in front of it. u is one of these directions.
export function arc(z, u) {
  const turn = z.map((v) => Math.atan2(cross(u, v)[2], dot(u, v)));
  const at = Math.atan2(u[1], u[0]), quarter = Math.PI / 2;
  return [at + Math.max(...turn) - quarter, at + Math.min(...turn) + quarter];
}

// climb returns the places of the tips in the bubble: the height along u, and what is across. In
// the plane across has a sign.
export function climb(tips, u) {
  const long = len(u), flat = tips.every((w) => w[2] === 0);
  return tips.map((w) => {
    const height = dot(w, u) / long, side = cross(u, w);
    return [flat ? -side[2] / long : len(side) / long, height];
  });
}

// The game of chapter 2. w and its next arrow z are [across, height]. A mistake obeys three rules:
// ⟨w, z⟩ ≤ 0, z climbs γ or more, and ‖z‖ ≤ R. broken names the rules that a new tip breaks.
const slack = 1e-9;
export function broken(tip, w, {R, gamma}) {
  const z = sub(tip, w);
  const rules = {back: dot(w, z) > slack, climb: z[1] < gamma - slack, short: len(z) > R + slack};
  return Object.keys(rules).filter((name) => rules[name]);
}

// lens is where the next tip can be: a polygon with 180 sides for the circle of R, cut twice.
export function lens(w, {R, gamma}) {
  const circle = Array.from({length: 180}, (_, i) => {
    const angle = i * Math.PI / 90;
    return add(w, [R * Math.cos(angle), R * Math.sin(angle)]);
  });
  return clip(clip(circle, (p) => p[1] - w[1] - gamma), (p) => -dot(w, sub(p, w)));
}
// clip returns the part of a convex polygon where the linear f is 0 or more.
function clip(polygon, f) {
  return polygon.flatMap((q, i) => {
    const p = polygon.at(i - 1), a = f(p), b = f(q);
    const cut = a < -slack !== b < -slack ? [add(p, times(a / (a - b), sub(q, p)))] : [];
    return b < -slack ? cut : [...cut, q];
  });
}
export const middle = (polygon) => times(1 / polygon.length, polygon.reduce(add));
export function area(polygon) {
  const sum = polygon.reduce((s, q, i) => {
    const p = polygon.at(i - 1);
    return s + p[0] * q[1] - p[1] * q[0];
  }, 0);
  return Math.abs(sum) / 2;
}

// nearest returns the place on the lens that is nearest to p.
export function nearest(p, w, rules) {
  if (broken(p, w, rules).length === 0) return p;
  const polygon = lens(w, rules);
  const places = polygon.map((q, i) => {
    const o = polygon.at(i - 1), d = sub(q, o), t = dot(sub(p, o), d) / (dot(d, d) || 1);
    return add(o, times(Math.max(0, Math.min(1, t)), d));
  });
  return places.reduce((a, b) => len(sub(b, p)) < len(sub(a, p)) ? b : a, polygon[0]);
}

// longest returns the tips of the longest run in the plane, K + 1 mistakes for K = ⌊(R/γ)²/2⌋.
// The arrows go left and right by A = √(R² − γ²), and climb γ; the last two need more than A/2.
export function longest({R, gamma}) {
  const A = Math.sqrt(R * R - gamma * gamma), K = Math.floor(R * R / gamma / gamma / 2 + slack);
  const x = Array(K + 2).fill(A / 2), need = A > 0 ? K * gamma * gamma / A : 0;
  if (K > 0 && need > A / 2) [x[K - 1], x[K]] = [A - need, need];
  [x[0], x[K + 1]] = [0, A - x[K]];
  return x.map((v, k) => [k % 2 ? v : -v, k * gamma]);
}

// spiral returns the tips of the longest run in space, ⌊(R/γ)²⌋ mistakes, as [away from the axis,
// angle, height]. Each arrow has the length R, a right angle to w, and climbs γ.
export function spiral({R, gamma}) {
  const away = (k) => Math.sqrt(Math.max(0, k * R * R - k * k * gamma * gamma));
  const side2 = R * R - gamma * gamma, n = Math.floor(R * R / gamma / gamma + slack);
  let angle = 0;
  return Array.from({length: n + 1}, (_, k) => {
    const a = away(k), b = away(k + 1), tip = [a, angle, k * gamma];
    const turn = a > 0 && b > 0 ? (a * a + b * b - side2) / (2 * a * b) : 1;
    angle += Math.acos(Math.max(-1, Math.min(1, turn)));
    return tip;
  });
}
