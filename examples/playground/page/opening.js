// The opening until the library arrives: the same requests as the program's (request.go), and as
// much of its picture (picture.go) as the first screen shows: the points, the line that learns and
// its mistakes. R, γ, the promise and cycles are the library's, and wait for it. A browser test
// compares both. Once the program is there, it repeats the requests in the log and answers from
// then on.
export const first = "c=1&wide=1&model=0,0,0,1,0,1&origin=1&p=1.25,1.375,1&p=0.75,-1.125,-1&p=-0.375,-1.25,-1&p=-1.25,-0.125,1"
  + "&p=0.375,-0.5,-1&p=-1,1.75,1&p=0.25,1.5,1&p=-0.625,0.375,1&p=1.75,0.75,-1&p=-1.375,-1.375,-1";
export const stand = {log: [], waits: null, answer};
const dot = (a, b) => a[0] * b[0] + a[1] * b[1], size = (a) => Math.hypot(...a), times = (c, a) => [c * a[0], c * a[1]];
let s, view = 2, past = [], future = [], gesture = "";

// parse returns the points and the steps of a link to the opening, or null.
export function parse(text) {
  const link = /^c=1&wide=1&model=0,0,0,1,0,(\d{1,6})&origin=1((&p=[-.\de]+,[-.\de]+,-?1){1,200})$/;
  const m = link.exec(/^(c=)?1?$/.test(text) ? first : text);
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
  s = {points, z: points.map(([x, y, label]) => [label * x, label * y]), w: [0, 0], before: [0, 0],
    k: 0, at: 0, n: 0, seen: 0, missed: 0, updated: -1, stop: "", lengths: [0]};
}
function frame() { view = Math.max(2, Math.ceil(4 * 1.06 * Math.max(0, ...s.z.map(size)) - 1e-9) / 4); }

// again makes the first mistake at once, so that a line is there.
function again(points) {
  restart(points);
  if (points.length > 0) advance();
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
  s.stop = s.missed === 0 ? "Converged" : s.n === 1000 ? "EpochLimit" : "";
  s.missed = s.at = 0;
  return wrong;
}

// Places in views from the middle. clip is the part of a polygon where the score of f is ≥ 0.
const square = [[-1, -1], [1, -1], [1, 1], [-1, 1]];
const clip = (polygon, w) => polygon.flatMap((q, i) => {
  const p = polygon.at(i - 1), [a, b] = [p, q].map((u) => dot(w, u)), t = a / (a - b);
  return [...(a < 0) !== (b < 0) ? [[p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])]] : [], ...b >= 0 ? [q] : []];
});
function line(kind, w) {
  const d = times(1 / Math.max(...w.map(Math.abs)), [-w[1], w[0]]);
  return size(w) > 0 ? [{kind, ends: [times(-1, d), d]}] : [];
}
const mistakes = () => `${s.k} mistake${s.k === 1 ? "" : "s"}`;
const text = (v) => String(v).replace("-", "−");
function mark([x, y, label], i) {
  const wrong = s.k > 0 && dot(s.w, s.z[i]) <= 0, updated = i === s.updated;
  const name = `point ${i + 1}, class ${label > 0 ? "+" : "−"}, at ${text(x)}, ${text(y)}`
    + (wrong ? ", wrong now" : "") + (updated ? ", in the last update" : "");
  return {name, score: "", updated, wrong, near: false, level: 0, support: false, rings: []};
}
function picture(refusal) {
  const end = Math.max(34, 1.25 * s.k), top = 1.4 * Math.max(1, ...s.lengths);
  const board = {
    fields: {model: "Online", order: "Cyclic", keep: "Last", eta: 1, gamma: 0, origin: true},
    marks: s.points.map(mark), status: mistakes() + ".", stop: s.stop, noun: "mistakes",
    regions: size(s.w) > 0 ? [s.w, times(-1, s.w)].map((w, i) => ({class: 1 - 2 * i, polygon: clip(square, w)})) : [],
    lines: [...line("old", s.before), ...line("new", s.w)],
    arrows: size(s.w) > 0 ? [{from: [0, 0], to: times(0.3 / size(s.w), s.w)}] : [],
    band: [], own: [], chain: [], trail: [], loop: [], against: [], walk: [], turn: [], u: [], g: 0, r: 0,
    cards: s.points.length > 0 ? [{k: mistakes(), chart: {low: [], high: [], meet: [0, 0], dots: s.lengths.map((v, k) => [k / end, v / top])}}] : [],
  };
  return {view: text(view), points: s.points.map(([x, y, label]) => ({x, y, label})),
    places: s.points.map(([x, y]) => [x, y].map((v) => Math.max(-1, Math.min(v / view, 1)))),
    boards: [board], chapter: 1, wide: true, room: null, running: !s.stop && s.points.length > 0,
    undo: past.length > 0, redo: future.length > 0, state: state(), refusal, note: ""};
}

// place is the place nearest to u that a point can have (playground.inCircle).
const onGrid = (v) => Math.sign(v) * Math.round(Math.abs(v) * 16) / 16 + 0, onPlane = (v) => Math.max(-0.95, Math.min(v, 0.95)) * view;
function place(u) {
  for (u = u.map(onPlane); ; u = times(0.99, u)) if (1.06 * size(u.map(onGrid)) <= view) return u.map(onGrid);
}

const deeds = {
  link: (r) => restore(parse(r.text)),
  move: (r) => again(s.points.with(r.point, [...place([r.x, r.y]), s.points[r.point][2]])),
  nudge: (r) => again(s.points.with(r.point, [...place([s.points[r.point][0] / view + r.x / 100, s.points[r.point][1] / view + r.y / 100]), s.points[r.point][2]])),
  label: (r) => again(s.points.with(r.point, [...s.points[r.point].slice(0, 2), r.label])),
  remove: (r) => again(s.points.toSpliced(r.point, 1)),
  add: (r) => again([...s.points, [...[r.x, r.y].map((v) => onGrid(onPlane(v))), r.label]]),
  reset: () => again(s.points),
  step: (r) => { for (let i = Math.max(1, r.times || 1); i > 0 && !s.stop && s.points.length > 0; i--) while (!advance() && !s.stop); },
  undo: () => travel(past, future),
  redo: () => travel(future, past),
  show: () => {},
};
function travel(from, to) {
  if (from.length === 0) return;
  to.push(state());
  restore(parse(from.pop()));
  gesture = "";
}

// act does a request, and returns whether it could. The view stays the same during a drag.
function act(r) {
  if (!deeds[r.do] || r.do === "link" && !parse(r.text) || "point" in r && !s.points[r.point]) return false;
  if (r.do === "add" && s.points.length === 200 || r.do === "remove" && s.points.length === 1) return false;
  deeds[r.do](r);
  if (["nudge", "label", "remove", "add", "reset"].includes(r.do)) frame();
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
