// The bubble and its ladder, in pixels. A climb is {R, gamma, tips, at}: the rules, w after each
// mistake as [across, height], and how many mistakes are shown.
import {add, broken, lens, len, times} from "./maths.js";
import {arrow, circle, label, path, way} from "./svg.js";

const MOST_RUNGS = 150;

export const high = ({R, gamma}) => (R * R) / gamma;
export const rungs = ({R, gamma}) => Math.floor((R * R) / gamma / gamma + 1e-9);

// A frame has a scale in which the whole bubble fits, so no arrow changes it.
export function frame([W, H], rules, tall = high(rules)) {
  const low = H - 22,
    scale = Math.min((low - 26) / tall, (W - 70) / tall, (W - 24) / 2.4 / rules.R);
  return {
    W,
    H,
    scale,
    at: ([x, y]) => [W / 2 + scale * x, low - scale * y],
    back: (px, py) => [(px - W / 2) / scale, (low - py) / scale],
  };
}
export const tipAt = ({tips, at}) => {
  const k = Math.min(Math.floor(at), tips.length - 1),
    part = at - k;
  return part > 0 && k + 1 < tips.length
    ? add(times(1 - part, tips[k]), times(part, tips[k + 1]))
    : tips[k];
};

// ladder draws the rungs, and numbers some of them; of very many it leaves some out. whole says
// whether they end at the bubble.
export function ladder({W, scale, at}, rules, height, {whole = true, count = rungs(rules)} = {}) {
  const {gamma} = rules,
    D = high(rules),
    gap = scale * gamma,
    parts = [];
  const step = Math.ceil(count / MOST_RUNGS),
    every = round(18 / gap);
  for (let j = step; j <= count; j += step) {
    const h = j * gamma,
      chord = scale * Math.sqrt(Math.max(0, D * h - h * h));
    const half = whole ? Math.max(8, chord) : W * 0.36,
      [x, y] = at([0, h]);
    parts.push(path(height >= h - 1e-6 ? "rung done" : "rung", `M${x - half} ${y}H${x + half}`));
  }
  for (let j = every; j <= count; j += every) {
    parts.push(label([W - 8, at([0, j * gamma])[1] + 4], j, "g", "end"));
  }
  return parts;
}
// round returns the first of 1, 2, 5, 10, 20, 50, … that is not less.
function round(least) {
  for (let unit = 1; ; unit *= 10) {
    for (const n of [unit, 2 * unit, 5 * unit]) if (n >= least) return n;
  }
}
export function skin({scale, at}, rules, kind = "bubble") {
  const D = high(rules),
    words = `R²/γ high: ${rungs(rules)} rungs`;
  return [
    circle(kind, at([0, D / 2]), (scale * D) / 2),
    kind === "bubble" && label([at([0, D])[0], at([0, D])[1] - 8], words, "r"),
  ];
}
export function chain({at}, climb) {
  const k = Math.floor(climb.at),
    tip = tipAt(climb),
    past = climb.tips.slice(0, k + 1);
  const steps =
    k <= MOST_RUNGS
      ? past.slice(1).map((p, i) => arrow(at(past[i]), at(p), "z", 9))
      : path("many", way(past.map(at)));
  const name = [at(tip)[0] + (tip[0] < 0 ? -14 : 14), at(tip)[1] - 2];
  return [
    steps,
    climb.at > k && arrow(at(past[k]), at(tip), "z", 9),
    arrow(at([0, 0]), at(tip), "w", 15),
    k <= MOST_RUNGS && past.slice(1).map((p) => circle("tip", at(p), 2.6)),
    circle("tip", at([0, 0]), 4),
    len(tip) > 0 && label(name, "w", "w"),
  ];
}
// rules3 draws the three limits of the next arrow, and the lens between them.
export function rules3({scale, at}, rules, w, hand, place) {
  const {R, gamma} = rules,
    hit = place ? broken(place, w, rules) : [],
    [cx, cy] = at(w),
    size = len(w);
  const kind = (name) => `limit ${name}${hit.includes(name) ? " hit" : ""}`;
  const up = cy - scale * gamma,
    reach = scale * R;
  const side = size > 0 ? [(-w[1] / size) * R, (w[0] / size) * R] : null,
    low = side && side[1] < 0 ? 1 : -1;
  const far = side && at(add(w, times(low, side)));
  return [
    hand && path("lens", way(lens(w, rules).map(at), "Z")),
    circle(kind("short"), [cx, cy], reach),
    path(kind("climb"), `M${cx - reach} ${up}H${cx + reach}`),
    side && path(kind("back"), way([at(add(w, side)), at(add(w, times(-1, side)))])),
    label(
      [cx - (w[0] > 0 ? 1 : -1) * reach * 0.99, up - 6],
      "γ up",
      "g",
      w[0] > 0 ? "start" : "end",
    ),
    label([cx + (w[0] > 0 ? 0.74 : -0.74) * reach, cy - 0.74 * reach - 6], "R", "r"),
    side && label([far[0], far[1] + 17], "90°", "s"),
  ];
}
