// The board: points, the line, the arrow w, the dial on its rim, and points that contradict each
// other. A mouse, a finger or keys move the points.
import {UNIT, add, dot, len, times} from "./maths.js";
import {MOST, onBoard} from "./model.js";
import {arrow, circle, label, path, piece, show, sizeOf, way} from "./svg.js";

const RIM = 37,
  EDGE = 39.5; // sixteenths: the dial, and the edge of the board

// shown returns w at a place in the run, which may lie between two mistakes.
export function shown({run: {tips}}, at) {
  const k = Math.floor(at),
    part = at - k;
  return part > 0 ? add(times(1 - part, tips[k]), times(part, tips[k + 1])) : tips[k];
}
const glyph = (label, [x, y], r, kind) =>
  label > 0
    ? [
        circle("body plus" + kind, [x, y], r),
        path("sign", `M${x - r / 2} ${y}h${r}M${x} ${y - r / 2}v${r}`),
      ]
    : [
        path(
          "body minus" + kind,
          `M${x - 0.9 * r} ${y - 0.9 * r}h${1.8 * r}v${1.8 * r}h${-1.8 * r}Z`,
        ),
        path("sign", `M${x - r / 2} ${y}h${r}`),
      ];

// A Picture is a model on a board of W × H pixels.
export class Picture {
  constructor(model, [W, H], {at, drag = -1, chosen = -1, answers = true}) {
    const scale = Math.min(W, H) / 2 / EDGE;
    Object.assign(this, {model, W, H, at, drag, chosen, answers, scale, w: shown(model, at)});
    this.middle = [W / 2, H / 2];
    this.r = Math.max(7, Math.min(12, 1.6 * scale));
    this.places = model.points.map(({x, y}) => this.spot([x, y]));
  }
  spot([x, y]) {
    return [this.middle[0] + this.scale * x, this.middle[1] - this.scale * y];
  }
  back(x, y) {
    return [(x - this.middle[0]) / this.scale, (this.middle[1] - y) / this.scale];
  }

  parts() {
    const {model, answers} = this,
      clash = model.clash.length > 0;
    return [
      this.sides(),
      this.dial(),
      answers && !clash && model.best && this.promise(),
      this.border(),
      clash && this.contradiction(),
      this.pointer(),
      this.marks(),
      this.names(),
    ];
  }
  // sides are the two parts of the disc; the line between them is at a right angle to w.
  sides() {
    const {w, middle} = this,
      size = Math.hypot(w[0], w[1]),
      r = RIM * this.scale;
    if (size === 0) return [];
    const far = (-UNIT * w[2]) / size,
      angle = Math.atan2(w[1], w[0]);
    if (Math.abs(far) >= RIM) return [circle(far < 0 ? "half plus" : "half minus", middle, r)];
    const half = Math.acos(far / RIM),
      ends = [angle - half, angle + half, angle - half + 2 * Math.PI];
    this.chord = [angle - half, angle + half];
    return [
      path("half plus", piece(middle, r, ends[0], ends[1]) + "Z"),
      path("half minus", piece(middle, r, ends[1], ends[2]) + "Z"),
    ];
  }
  onRim(angle, share = 1) {
    return this.spot([share * RIM * Math.cos(angle), share * RIM * Math.sin(angle)]);
  }
  border() {
    const line = this.chord && path("line", way(this.chord.map((a) => this.onRim(a))));
    return [line, circle("pin", this.middle, 3)];
  }
  // dial is the rim. Its arc has the directions of w with no point wrong; each point takes half of
  // the rim away, and one that is dragged shows its half.
  dial() {
    const {model, middle, drag, scale} = this,
      r = RIM * scale;
    if (model.bias) return [circle("rim", middle, r)];
    const z = model.z[drag],
      from = z && Math.atan2(z[1], z[0]) + Math.PI / 2;
    const taken =
      z &&
      path(
        model.points[drag].label > 0 ? "taken plus" : "taken minus",
        piece(middle, r + 5, from, from + Math.PI),
      );
    const free = model.best && path("arc", piece(middle, r, ...model.arc));
    return [circle("rim", middle, r), taken, free];
  }
  // promise shows what the bound is made of: the line with the largest margin γ, and R.
  promise() {
    const {model, middle, scale} = this,
      {u} = model.best,
      size = Math.hypot(u[0], u[1]);
    if (size === 0) return [];
    const e = [u[0] / size, u[1] / size],
      far = (-UNIT * u[2]) / size;
    if (Math.abs(far) >= RIM) return [];
    const half = Math.sqrt(RIM * RIM - far * far);
    const on = (t, up = far) => this.spot([up * e[0] - t * e[1], up * e[1] + t * e[0]]);
    const line = path("best", way([on(-half), on(half)]));
    if (model.bias) return [line];
    const g = UNIT * model.gamma,
      at = 0.86 * half;
    return [
      path("band", way([on(-half, -g), on(half, -g), on(half, g), on(-half, g)], "Z")),
      line,
      arrow(on(at), on(at, g), "gamma", 8),
      circle("reach", middle, scale * UNIT * model.R),
    ];
  }
  // contradiction draws why no line is right. Through the centre: − turned around, the arrows
  // surround the centre. With a bias: what the + span and what the − span meet.
  contradiction() {
    const {model} = this,
      {clash, points, z} = model;
    if (model.bias) {
      return [1, -1].map((side) => {
        const of = clash.filter((i) => points[i].label === side).map((i) => this.places[i]);
        return path(side > 0 ? "span plus" : "span minus", way(around(of), "Z"));
      });
    }
    const tips = clash.map((i) => this.spot(z[i]));
    return [
      path("caught", way(tips, "Z")),
      clash.map((i, j) => {
        const kind = points[i].label > 0 ? "plus" : "minus";
        const turned = points[i].label < 0 && path("turned", way([this.places[i], this.middle]));
        return [turned, arrow(this.middle, tips[j], kind, 14)];
      }),
    ];
  }
  // pointer is w. Its length is that of w; the longest w of the run reaches 0.8 of the rim.
  pointer() {
    const {model, w} = this,
      longest = Math.max(1, ...model.run.tips.map(([x, y]) => Math.hypot(x, y)));
    this.tip = this.spot(times((0.8 * RIM) / longest, w));
    return arrow(this.middle, this.tip, "w", 15);
  }
  marks() {
    const {model, at, r, chosen, w} = this,
      last = model.run.rows[Math.ceil(at) - 1]; // the one that turns the line, or has turned it
    return model.points.map(({label: y}, i) => {
      const p = this.places[i],
        wrong = at > 0 && dot(w, model.z[i]) <= 0;
      return [
        `<g class="point">`,
        i === chosen && circle("chosen", p, r + 7),
        model.clash.includes(i) && circle("ring", p, r + 4),
        wrong && path("cross", cross(p, 1.5 * r)),
        glyph(y, p, r, i === last ? " last" : ""),
        "</g>",
      ];
    });
  }
  // names are the labels: each at the first of its places that no point covers.
  names() {
    const {model, w, tip, answers} = this,
      far = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
    const taken = [...this.places];
    const name = (words, kind, spots) => {
      const inside = ([x, y]) => x > 14 && y > 16 && x < this.W - 14 && y < this.H - 8;
      const free = spots
        .filter(inside)
        .map((s) => [s, Math.min(...taken.map((p) => far(p, [s[0], s[1] - 5])))]);
      const [spot, room] = free.find(([, room]) => room > this.r + 14) ?? [null, 0];
      if (!spot || room === 0) return null;
      taken.push(spot);
      return label(spot, words, kind);
    };
    const about = ([x, y], d) =>
      [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [
        x + d * Math.cos((i * Math.PI) / 4),
        y + 5 + d * Math.sin((i * Math.PI) / 4),
      ]);
    const [dx, dy] = [this.middle[0] - tip[0], this.middle[1] - tip[1]];
    const beside = ([x, y]) => (x - tip[0]) * dx + (y - 5 - tip[1]) * dy < 8 * Math.hypot(dx, dy);
    const spots = [...about(tip, 14), ...about(tip, 26)].filter(beside); // not on its arrow
    const parts = [len(w) > 0 && name("w", "w", spots)];
    if (answers && model.best && !model.bias) {
      const u = Math.atan2(model.best.u[1], model.best.u[0]),
        R = UNIT * model.R + 2;
      const at = (angle, r) => this.spot([r * Math.cos(angle), r * Math.sin(angle)]);
      const share = 0.86 * RIM,
        g = (UNIT * model.gamma) / 2;
      const end = at(u + Math.PI / 2, share),
        up = [g * this.scale * Math.cos(u), -g * this.scale * Math.sin(u)];
      parts.push(name("γ", "g", about([end[0] + up[0], end[1] + up[1]], 15)));
      parts.push(
        name(
          "R",
          "r",
          [0.7, -0.7, 2.2, -2.2, 1, -1, 0.4, -0.4].map((a) => at(u + a, R - 4)),
        ),
      );
    }
    return parts;
  }
}
const cross = ([x, y], d) =>
  `M${x - d} ${y - d}L${x + d} ${y + d}M${x - d} ${y + d}L${x + d} ${y - d}`;
// around orders corners around their middle, so that four points make a simple polygon.
function around(places) {
  const sum = places.reduce((a, b) => [a[0] + b[0], a[1] + b[1]], [0, 0]);
  const [x, y] = sum.map((v) => v / places.length);
  return places.toSorted((p, q) => Math.atan2(p[1] - y, p[0] - x) - Math.atan2(q[1] - y, q[0] - x));
}

// A Board is the picture in an SVG, and the hands on it. The lab is told what they do.
export class Board {
  constructor(svg, lab) {
    Object.assign(this, {svg, lab, press: null});
    svg.addEventListener("pointerdown", (e) => this.down(e));
    svg.addEventListener("pointermove", (e) => this.move(e));
    svg.addEventListener("pointerup", (e) => this.up(e));
    svg.addEventListener("pointercancel", () => {
      this.press = null;
    });
    svg.addEventListener(
      "touchstart",
      (e) => {
        if (this.near(e.touches[0], 26) >= 0) e.preventDefault(); // it drags
      },
      {passive: false},
    );
    svg.addEventListener("keydown", (e) => this.key(e));
    new ResizeObserver(() => this.draw()).observe(svg);
  }
  draw() {
    const {model, player, answers} = this.lab;
    const options = {at: player.at, drag: this.press?.moved ? this.press.point : -1, answers};
    this.picture = new Picture(model, sizeOf(this.svg), {...options, chosen: this.lab.chosen});
    show(this.svg, sizeOf(this.svg), this.picture.parts());
  }
  where(e) {
    const box = this.svg.getBoundingClientRect();
    return [e.clientX - box.left, e.clientY - box.top];
  }
  near(e, reach) {
    const [x, y] = this.where(e);
    const gaps = this.picture.places.map(([a, b]) => Math.hypot(a - x, b - y)),
      least = Math.min(...gaps);
    return least <= reach ? gaps.indexOf(least) : -1;
  }
  down(e) {
    if (e.button !== 0 || !e.isPrimary) return;
    const point = this.near(e, e.pointerType === "mouse" ? 18 : 26);
    this.press = {point, id: e.pointerId, x: e.clientX, y: e.clientY, moved: false};
    if (point >= 0) this.svg.setPointerCapture(e.pointerId);
  }
  move(e) {
    const {press, lab} = this;
    if (!press || press.id !== e.pointerId) return;
    const gone = Math.hypot(e.clientX - press.x, e.clientY - press.y);
    if (!press.moved && gone <= (e.pointerType === "mouse" ? 3 : 8)) return;
    if (!press.moved && press.point >= 0) lab.grab();
    press.moved = true;
    if (press.point >= 0) lab.drag(press.point, onBoard(...this.picture.back(...this.where(e))));
  }
  up(e) {
    const {press, lab} = this;
    if (!press || press.id !== e.pointerId) return;
    this.press = null;
    if (press.point >= 0 && press.moved) lab.release();
    else if (press.point >= 0) lab.choose(press.point);
    else if (!press.moved) lab.tap(onBoard(...this.picture.back(...this.where(e))));
  }
  // key moves the chosen point, or chooses, adds, turns or deletes one.
  key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const {lab} = this,
      {points} = lab.model,
      i = lab.chosen,
      far = e.shiftKey ? 8 : 1;
    const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}[
      e.key
    ];
    const next = {n: 1, p: -1}[e.key.toLowerCase()],
      sign = {"+": 1, "=": 1, "-": -1, "−": -1}[e.key];
    if ((step && i < 0) || (e.key === "Escape" && i < 0)) return;
    if (step) lab.nudge(i, onBoard(points[i].x + far * step[0], points[i].y + far * step[1]));
    else if (next && points.length > 0)
      lab.choose((i + next + points.length + (i < 0 && next < 0)) % points.length);
    else if (sign && i >= 0) lab.turn(sign);
    else if (sign && points.length < MOST) lab.put({x: 12, y: 12, label: sign});
    else if (i >= 0 && (e.key === "Delete" || e.key === "Backspace")) lab.remove();
    else if (e.key === "Escape") lab.choose(-1);
    else return;
    e.preventDefault();
  }
}
