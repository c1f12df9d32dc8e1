// What the figures share: parts of an SVG as text, in pixels.
export const $ = (s, root = document) => root.querySelector(s);
export const $$ = (s, root = document) => [...root.querySelectorAll(s)];
export const calm = matchMedia("(prefers-reduced-motion: reduce)");

const short = (v) => String(Math.round(10 * v) / 10);
const place = (p) => p.map(short).join(" ");
// way is a path through places. A long one has several lines.
export const way = (places, end = "") =>
  places.map((p, i) => (i === 0 ? "M" : i % 6 === 0 ? "\nL" : "L") + place(p)).join("") + end;
export const path = (kind, d) => `<path class="${kind}" d="${d.replace(/(\.\d)\d+/g, "$1")}"/>`;
export const circle = (kind, [x, y], r) =>
  `<circle class="${kind}" cx="${short(x)}" cy="${short(y)}" r="${short(r)}"/>`;
export const label = ([x, y], words, kind = "", anchor = "middle") =>
  `<text class="${kind}" x="${short(x)}" y="${short(y)}" text-anchor="${anchor}">${words}</text>`;

// arrow draws a shaft and a head. An arrow shorter than two pixels is none.
export function arrow(p, q, kind, head = 12) {
  const d = [q[0] - p[0], q[1] - p[1]],
    long = Math.hypot(...d);
  if (long < 2) return "";
  const [a, b] = [d[0] / long, d[1] / long],
    size = Math.min(head, 0.6 * long),
    wide = 0.45 * size;
  const [x, y] = [q[0] - size * a, q[1] - size * b];
  const corners = [q, [x - wide * b, y + wide * a], [x + wide * b, y - wide * a]];
  return (
    path("shaft " + kind, way([p, [q[0] - 0.7 * size * a, q[1] - 0.7 * size * b]])) +
    "\n" +
    path("head " + kind, way(corners, "Z"))
  );
}

// piece is the part of a circle's rim between two angles, counted to the left.
export function piece([x, y], r, from, to) {
  const at = (angle) => place([x + r * Math.cos(angle), y - r * Math.sin(angle)]);
  return `M${at(from)}A${short(r)} ${short(r)} 0 ${to - from > Math.PI ? 1 : 0} 0 ${at(to)}`;
}

// show replaces the parts of an SVG, and makes its unit a pixel.
export function show(svg, [W, H], parts) {
  svg.setAttribute("viewBox", `0 0 ${W} ${H}`);
  svg.innerHTML = parts.flat(9).filter(Boolean).join("\n");
}
export const sizeOf = (svg) => [svg.clientWidth || 600, svg.clientHeight || 600];

// hand follows a press: move gets each event of it and where it began. A mouse moves at once; a
// finger does when it goes across or is lifted, so that a swipe only scrolls the page.
export function hand(svg, move) {
  let from = null, gone = false;
  svg.addEventListener("pointerdown", (e) => {
    if (e.button !== 0 || !e.isPrimary) return;
    [from, gone] = [e, e.pointerType === "mouse"];
    svg.setPointerCapture(e.pointerId);
    if (gone) move(e, from);
  });
  svg.addEventListener("pointermove", (e) => {
    if (!from) return;
    const across = Math.abs(e.clientX - from.clientX);
    gone ||= across > 5 && across > Math.abs(e.clientY - from.clientY);
    if (gone) move(e, from);
  });
  for (const type of ["pointerup", "pointercancel"]) {
    svg.addEventListener(type, (e) => {
      const still = from && Math.hypot(e.clientX - from.clientX, e.clientY - from.clientY) < 9;
      if (from && (gone || still) && type === "pointerup") move(e, from);
      from = null;
    });
  }
}

// number writes three digits; an integer stays whole.
export const number = (v) =>
  (Number.isInteger(v) ? String(v) : String(Number(v.toPrecision(3)))).replace("-", "−");
// atMost writes an integer bound; a large one is rounded up to two digits.
export function atMost(n) {
  if (n < 1e4) return `at most ${n}`;
  const unit = 10 ** (Math.floor(Math.log10(n)) - 1),
    most = (Math.floor(n / unit) + 1) * unit;
  return `fewer than ${most.toLocaleString("en")}`;
}
// squared says what (R/γ)² is. It is not rounded up to the next integer, which would contradict the
// promise, and of a large one the promise says enough.
export function squared(v) {
  const whole = Math.floor(v + 1e-6), near = Math.min(Math.round(10 * v) / 10, whole + 0.9);
  return v < 1e4 ? `(<b class="r">R</b>/<b class="g">γ</b>)² ≈ ${v < 100 ? near : whole}.` : "";
}
export const plural = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;

// write changes the words only if they are new, so that a screen reader is not told twice.
export function write(e, words) {
  if (e.dataset.words === words) return;
  e.dataset.words = words;
  e.innerHTML = words;
}
