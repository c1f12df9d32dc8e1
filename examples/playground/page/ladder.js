// Chapter 3: the bubble, with a run in it. The runs are the reader's arrows of chapter 2, those of
// the points of chapter 1, and the longest ones in the plane and in space.
import {UNIT, climb, longest, spiral} from "./maths.js";
import {chain, frame, high, ladder, rungs, skin} from "./bubble.js";
import {Picture} from "./board.js";
import {Model, Player} from "./model.js";
import {RULES} from "./rules.js";
import {$, $$, arrow, atMost, circle, hand, label, number, plural} from "./svg.js";
import {show, sizeOf, squared, write} from "./svg.js";
import {Timeline} from "./timeline.js";

const TILT = 0.22;

export class Ladder {
  constructor(root, lab, game) {
    Object.assign(this, {
      root,
      lab,
      game,
      svg: $(".room", root),
      kind: "points",
      spin: 0.5,
      kept: {...new Model(lab.model.first)},
    });
    this.own = new Player(() => this.draw());
    this.rules = {...RULES};
    for (const b of $$("[data-run]", root))
      b.addEventListener("click", () => this.choose(b.dataset.run));
    for (const input of $$("input", root)) {
      input.addEventListener("input", () => this.slide(input.name, Number(input.value)));
    }
    const {svg} = this;
    hand(svg, (e, from) => this.follow(e, from));
    const source = () => ({
      values: this.climb.tips.map((p) => p.at(-1)),
      player: this.player,
      most: this.climb.most,
      since: -1,
      all: true,
    });
    this.update();
    this.timeline = new Timeline($(".time", root), source, "height of w");
    svg.addEventListener("keydown", (e) => this.timeline.key(e));
    new ResizeObserver(() => this.draw()).observe(svg);
    // While the bubble is far from the screen, the board of chapter 1 does not wait for it.
    new IntersectionObserver(
      ([{isIntersecting}]) => {
        this.near = isIntersecting;
        this.draw();
      },
      {rootMargin: "50%"},
    ).observe(svg);
  }
  // The reader's points have a run here if some line is right for them.
  get open() {
    return this.lab.model.best !== null && !this.lab.model.bias;
  }
  // The points that the bubble shows: those that had a line last, if the reader's have none.
  get model() {
    return this.open ? this.lab.model : this.kept;
  }
  // what is the kind of the run: without arrows of the reader's, it is the longest.
  get what() {
    return this.kind === "yours" && this.game.made === 0 ? "plane" : this.kind;
  }
  get player() {
    return this.kind === "points" && this.open ? this.lab.player : this.own;
  }

  choose(kind) {
    this.kind = kind;
    this.rules = kind === "plane" || kind === "space" ? this.rules : {...RULES};
    this.update();
    this.player.play();
    this.draw();
  }
  slide(name, value) {
    const {R, gamma} = this.kind === "points" ? RULES : this.climb;
    this.rules = {R, gamma, [name]: value};
    if (this.kind !== "space") this.kind = "plane";
    this.draw();
  }
  // update finds the run to show, unless it is the same as before.
  update() {
    const {what, rules, open, game, model} = this,
      of = [what, rules, model.run, open, game.tips];
    if (this.of?.every((v, i) => v === of[i])) return;
    this.of = of;
    if (what === "points") {
      const tips = climb(model.run.tips, model.best.u).map((p) => p.map((v) => v / UNIT));
      this.climb = {R: model.R, gamma: model.gamma, tips, most: model.most};
    } else {
      const yours = what === "yours",
        r = yours ? RULES : rules;
      const tips = yours ? game.tips : what === "space" ? spiral(r) : longest(r);
      this.climb = {...r, tips, most: rungs(r)};
    }
    if (this.player === this.own) {
      this.own.load(this.climb.tips.length - 1);
      this.own.at = this.own.count;
    }
  }
  // follow scrubs by the height of the pointer; in space it turns the bubble instead.
  follow(e, from) {
    if (this.kind === "space") {
      if (this.from !== from) Object.assign(this, {from, spun: this.spin});
      this.spin = this.spun + (e.clientX - from.clientX) / 120;
      return this.draw();
    }
    const {top} = this.svg.getBoundingClientRect(),
      f = this.frame();
    const [, height] = f.back(0, e.clientY - top),
      {tips} = this.climb;
    const k = tips.findLastIndex((p) => p.at(-1) <= height + this.climb.gamma / 2);
    this.player.seek(Math.max(0, k));
    this.draw();
  }
  frame() {
    return frame(sizeOf(this.svg), this.climb, Math.max(high(this.climb), high(RULES)));
  }

  draw() {
    const {open, lab, kept} = this;
    if (open && !lab.held && kept.run !== lab.model.run) this.kept = {...lab.model};
    if (!this.timeline || !this.near) return;
    this.update();
    const at = Math.min(this.player.at, this.climb.tips.length - 1),
      now = {...this.climb, at};
    const f = this.frame(),
      changed = high(now) !== high(RULES) && this.kind !== "points";
    const inside =
      this.kind === "space" ? this.space(f, now) : [ladder(f, now, chainTop(now)), chain(f, now)];
    this.svg.classList.toggle("turns", this.kind === "space");
    show(this.svg, sizeOf(this.svg), [changed && skin(f, RULES, "before"), skin(f, now), inside]);
    this.timeline.draw();
    this.small(at);
    this.words(at);
  }
  // space draws the spiral from the side; the rungs are circles.
  space({scale, at}, {R, gamma, tips, at: shown}) {
    const D = (R * R) / gamma,
      k = Math.floor(shown);
    const view = ([away, angle, h]) =>
      at([
        away * Math.cos(angle + this.spin),
        D / 2 + (h - D / 2) * Math.cos(TILT) + away * Math.sin(angle + this.spin) * Math.sin(TILT),
      ]);
    const rings = tips.slice(1).map(([away, , h], i) => {
      const [x, y] = view([0, 0, h]),
        wide = Math.max(5, scale * away);
      return (
        `<ellipse class="rung${i < k ? " done" : ""}" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" ` +
        `rx="${wide.toFixed(1)}" ry="${Math.max(2, wide * Math.sin(TILT)).toFixed(1)}"/>`
      );
    });
    const steps = tips.slice(1, k + 1).map((p, i) => arrow(view(tips[i]), view(p), "z", 9));
    const [x, y] = view(tips[k]);
    return [
      rings,
      steps,
      arrow(view(tips[0]), view(tips[k]), "w", 15),
      tips.slice(1, k + 1).map((p) => circle("tip", view(p), 2.6)),
      k > 0 && label([x + 15, y + 18], "w", "w"),
    ];
  }
  // small is the board of chapter 1 beside the bubble: it follows the same mistakes.
  small(at) {
    const svg = $(".small", this.root.parentElement),
      size = sizeOf(svg);
    const {model, kind, lab} = this,
      own = kind === "points";
    const k = own ? at : this.open ? lab.player.at : model.run.rows.length;
    show(svg, size, new Picture(model, size, {at: k}).parts());
    const words = own
      ? `, at the same mistake. Its arrow, turned around for a <b class="minus">−</b>, is the last
        one of the chain.`
      : `: see their run with <em>Your points</em>.`;
    write($(".both p", this.root.parentElement), "The points of the first chapter" + words);
  }
  words(at) {
    const n = this.climb.most,
      k = Math.floor(at),
      {kind, what, open, kept, lab} = this;
    const first = kept.points === lab.model.first,
      last = first ? "The first points" : "Your last points with a line";
    const name = {
      points: open ? "Your points" : last,
      yours: "Your arrows",
      plane: (what === kind ? "" : "You chose no arrows. ") + "The longest run in the plane",
      space: "The longest run in space",
    }[what];
    const {R, gamma} = this.climb;
    const said = `${name}: mistake <b class="big">${k}</b>, of <b>${atMost(n)}</b>.`;
    write($(".said", this.root), said);
    write(
      $(".hint", this.root),
      `<b class="g">γ</b>, the least climb: ${number(gamma)}.
      <b class="r">R</b>, the longest arrow: ${number(R)}.
      ${squared((R / gamma) ** 2)}`,
    );
    for (const b of $$("[data-run]", this.root))
      b.setAttribute("aria-pressed", b.dataset.run === what);
    for (const input of $$("input", this.root)) {
      const value = this.climb[input.name];
      input.value = value;
      $(`output[for=${input.id}]`, this.root).value = number(value);
    }
    $("[data-rungs]").textContent = n;
    $("[data-flat]").textContent = plural(Math.floor(n / 2) + 1, "mistake");
  }
}
const chainTop = ({tips, at}) => tips[Math.floor(at)][1];
