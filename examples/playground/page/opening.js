// The opening until the library arrives: the same requests and the same picture as those of
// the program (picture.go), as far as the opening draws it. A browser test compares all its
// numbers with the library's. Once the program is there, it repeats the requests in the log
// and answers from then on.
const first = "c=1&wide=1&model=0,0,0,1,0,0&origin=1&p=1.3,1.4,1&p=0.8,-1.1,-1&p=-0.4,-1.3,-1&p=-1.2,-0.1,1&p=0.4,-0.5,-1&p=-0.9,1.7,1&p=0.2,1.5,1&p=-0.6,0.4,1&p=1.8,0.8,-1&p=-1.4,-1.4,-1";
export const stand = {log: [], waits: null, answer};
let s, view = 2, past = [], future = [], gesture = "";
const dot = (a, b) => a[0] * b[0] + a[1] * b[1], size = (a) => Math.hypot(...a), times = (c, a) => [c * a[0], c * a[1]];

// parse returns the points and the steps of a link to the opening, or null.
export function parse(text) {
  const m = /^c=1&wide=1&model=0,0,0,1,0,(\d{1,6})&origin=1((&p=[-.\de]+,[-.\de]+,-?1){1,200})$/.exec(/^(c=)?1?$/.test(text) ? first : text);
  const points = m?.[2].slice(3).split("&p=").map((p) => p.split(",").map(Number));
  return points?.every((p) => p.every((v) => Math.abs(v) < 1e3)) ? {points, seen: Number(m[1])} : null;
}
function state() {
  const full = `c=1&wide=1&model=0,0,0,1,0,${s.seen}&origin=1` + s.points.map((p) => "&p=" + p).join("");
  return full === first ? "1" : full;
}
function restore({points, seen}) {
  restart(points);
  while (!s.stop && s.seen < seen) advance();
  frame();
}
function restart(points) {
  s = {points, z: points.map(([x, y, label]) => [label * x, label * y]), w: [0, 0], before: [0, 0], k: 0, at: 0, n: 0, seen: 0, missed: 0, updated: -1, stop: "", lengths: [0], stored: null, power: 0, steps: 0};
  s.r = Math.max(...s.z.map(size));
  nearest();
}
function frame() { view = Math.max(2, Math.ceil(4 * 1.06 * s.r - 1e-9) / 4); }

// nearest finds u and γ: the arrows yx have a convex hull, and its point nearest to 0 is γu.
// In the plane it lies on the segment between two arrows.
function nearest() {
  let best = null;
  s.z.forEach((a, i) => s.z.forEach((b, j) => {
    if (j < i) return;
    const d = [b[0] - a[0], b[1] - a[1]], t = Math.max(0, Math.min(1, -dot(a, d) / dot(d, d) || 0)), p = [a[0] + t * d[0], a[1] + t * d[1]];
    if (!best || size(p) < size(best.p)) best = {p, support: [...t < 1 ? [i] : [], ...t > 0 ? [j] : []]};
  }));
  s.u = times(1 / (size(best.p) || 1), best.p);
  s.gamma = Math.min(...s.z.map((z) => dot(s.u, z)));
  s.separable = s.gamma > 1e-9 * s.r;
  s.support = s.separable ? best.support : [];
  s.bound = s.separable ? (s.r / s.gamma) ** 2 * (1 + 1e-13) : Infinity;
}

// advance shows the next point to Rosenblatt's rule, and returns whether it was a mistake.
function advance() {
  const i = s.at++, z = s.z[i], wrong = dot(s.w, z) <= 0;
  s.seen++;
  if (wrong) {
    [s.before, s.w, s.updated] = [s.w, [s.w[0] + z[0], s.w[1] + z[1]], i];
    s.k++; s.missed++;
    s.lengths.push(size(s.w));
  }
  if (s.at < s.z.length) return wrong;
  s.n++;
  s.stop = s.missed === 0 ? "Converged" : repeats() ? "Cycled" : s.n === 1000 ? "EpochLimit" : "";
  s.missed = s.at = 0;
  return wrong;
}

// repeats reports whether the weights have returned, as the library finds it (Brent 1980).
function repeats() {
  if (s.stored && s.stored.every((v, j) => v === s.w[j])) return true;
  if (++s.steps >= s.power) [s.stored, s.power, s.steps] = [s.w, Math.max(1, 2 * s.power), 0];
  return false;
}

const digits = (v) => {
  if (!Number.isFinite(v)) return "∞";
  const short = Number(v.toPrecision(5)), text = Number.isInteger(v) ? String(v) : Math.abs(short) < 1e-4 ? short.toExponential().replace(/-(\d)$/, "-0$1") : String(short);
  return text.replaceAll("-", "−");
};
const below = (v) => { // rounded down to five digits
  const near = Number(v.toExponential(4)), unit = 10 ** (Math.floor(Math.log10(v)) - 4);
  return digits(near > v * (1 + 1e-13) ? Number((near - unit).toExponential(4)) : near);
};
const plural = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;
// Places in views from the middle. clip is the part of a polygon where the score of f is ≥ 0.
const square = [[-1, -1], [1, -1], [1, 1], [-1, 1]];
const clip = (polygon, [a, b, c]) => polygon.flatMap((q, i) => {
  const p = polygon.at(i - 1), at = ([x, y]) => a * x + b * y + c, t = at(p) / (at(p) - at(q));
  return [...(at(p) < 0) !== (at(q) < 0) ? [[p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])]] : [], ...at(q) >= 0 ? [q] : []];
});
function line(kind, w) {
  const d = times(1 / Math.max(...w.map(Math.abs)), [-w[1], w[0]]);
  return size(w) > 0 ? [{kind, ends: [times(-1, d), d]}] : [];
}
function chart() {
  const end = s.bound < 1e15 ? 1.15 * s.bound : Math.max(10, 1.25 * s.k), low = (k) => k * s.gamma, high = (k) => Math.sqrt(k) * s.r, top = Math.max(high(end), s.separable ? low(end) : 0);
  const place = (k, v) => [k / end, Math.min(v / top, 1)], ks = Array.from({length: 33}, (_, i) => (i / 32) ** 4 * end);
  return {low: s.separable ? ks.map((k) => place(k, low(k))) : [], high: ks.map((k) => place(k, high(k))), dots: s.lengths.map((v, k) => place(k, v)), meet: s.separable ? place(s.bound, low(s.bound)) : [0, 0]};
}
function status() {
  if (s.k === 0) return "Ready: the weights are zero. Step makes the first update.";
  if (s.stop) return `${s.stop === "Converged" ? "Converged: every point is on the right side" : s.stop}. ${plural(s.k, "mistake")} in ${plural(s.n, "epoch")}${s.separable ? ` (at most ${digits(Math.floor(s.bound))} possible)` : ""}.`;
  return `Epoch ${s.at === 0 ? s.n + " is over" : s.n + 1}. Point ${s.updated + 1} (${s.points[s.updated][2] > 0 ? "+" : "−"}) was wrong. The line tilts to correct it.`;
}
function mark([x, y, label], i) {
  const wrong = s.k > 0 && dot(s.w, s.z[i]) <= 0, support = s.support.includes(i), updated = i === s.updated;
  const name = `point ${i + 1}, class ${label > 0 ? "+" : "−"}, at ${digits(x)}, ${digits(y)}${support ? ", on the edge of the band of the greatest γ" : ""}${wrong ? ", wrong now" : ""}${updated ? ", in the last update" : ""}`;
  return {name, score: "", updated, wrong, near: false, level: 0, support, rings: []};
}
function picture(refusal) {
  const g = s.gamma / view, wide = s.separable, sides = [s.w, times(-1, s.w)].map((w) => clip(square, [...w, 0]));
  const board = {
    fields: {model: "Online", order: "Cyclic", keep: "Last", eta: 1, gamma: 0, origin: true}, marks: s.points.map(mark), status: status(), stop: s.stop,
    regions: s.k > 0 && size(s.w) > 0 ? sides.map((polygon, i) => ({class: 1 - 2 * i, polygon})) : [],
    lines: [...line("old", s.before), ...line("new", s.w), ...wide ? line("wide", s.u) : []], arrows: size(s.w) > 0 ? [{from: [0, 0], to: times(0.3 / size(s.w), s.w)}] : [],
    band: wide ? clip(clip(square, [...s.u, g]), [...times(-1, s.u), g]) : [], own: [], chain: [], trail: [], walk: [], turn: [],
    u: wide ? [[0, 0], times(0.45, s.u)] : [], g: wide ? g : 0, r: wide ? s.r / view : 0,
    cards: [{k: plural(s.k, "mistake"), r: digits(s.r), gamma: wide ? digits(s.gamma) : "none: no line separates the points", bound: digits(Math.floor(s.bound)), limit: wide ? below(s.bound) : "∞", chart: chart()}],
  };
  return {view: digits(view), points: s.points.map(([x, y, label]) => ({x, y, label})), places: s.points.map(([x, y]) => [x, y].map((v) => Math.max(-1, Math.min(v / view, 1)))),
    boards: [board], chapter: 1, wide: true, room: null, running: !s.stop, undo: past.length > 0, redo: future.length > 0, state: state(), refusal, note: ""};
}

// place is the cell nearest to u, in the circle around which the view leaves space.
function place(u) {
  const far = 1.06 * size(u), cell = far > 1 ? (v) => Math.trunc(v / far * 100) : (v) => Math.sign(v) * Math.round(100 * Math.abs(Math.max(-0.95, Math.min(v, 0.95))));
  return u.map((v) => cell(v) / 100 * view + 0);
}
function act(r) {
  const moved = (to) => s.points.map((p, i) => i === r.point ? [...place(to), p[2]] : p);
  const travel = (from, to) => { if (from.length > 0) { to.push(state()); restore(parse(from.pop())); gesture = ""; } };
  if (r.do === "link" && parse(r.text)) restore(parse(r.text));
  else if (r.do === "move" && s.points[r.point]) restart(moved([r.x, r.y]));
  else if (r.do === "nudge" && s.points[r.point]) { restart(moved([s.points[r.point][0] / view + r.x / 100, s.points[r.point][1] / view + r.y / 100])); frame(); }
  else if (r.do === "step") for (let i = Math.max(1, r.times || 1); i > 0 && !s.stop; i--) while (!advance() && !s.stop);
  else if (r.do === "reset") { restart(s.points); frame(); }
  else if (r.do === "undo") travel(past, future);
  else if (r.do === "redo") travel(future, past);
  else return r.do === "show";
  return true;
}
function answer(r) {
  const before = s && state(), last = stand.log.at(-1), known = act(r);
  stand.waits = known ? null : r;
  if (known && before && r.do !== "undo" && r.do !== "redo" && state() !== before) {
    if (!r.gesture || r.gesture !== gesture || future.length > 0) past = [...past, before].slice(-500);
    [gesture, future] = [r.gesture ?? "", []];
  }
  const same = last && r.gesture && last.do === r.do && last.gesture === r.gesture && last.point === r.point; // one drag, or one run
  if (known && same && r.do === "move") stand.log[stand.log.length - 1] = r;
  else if (known && same && r.do === "step") stand.log[stand.log.length - 1] = {...r, times: last.times + r.times};
  else if (known && r.do !== "show") stand.log.push(r);
  return JSON.stringify(picture(known ? "" : "Loading: in a moment, this is done."));
}
