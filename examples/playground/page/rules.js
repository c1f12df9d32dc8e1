// Chapter 2, a game: choose each mistake's arrow inside the three rules, until no arrow obeys them.
import {add, area, broken, lens, middle, nearest} from "./maths.js";
import {chain, frame, ladder, rules3, rungs, skin} from "./bubble.js";
import {$, $$, circle, plural, show, sizeOf, write} from "./svg.js";

export const RULES = {R: 2, gamma: 0.5};

export class Game {
  constructor(root) {
    Object.assign(this, {
      root,
      changed: () => {},
      svg: $(".room", root),
      tips: [[0, 0]],
      best: 0,
      held: false,
    });
    const {svg} = this;
    svg.addEventListener("pointerdown", (e) => this.down(e));
    svg.addEventListener(
      "touchstart",
      (e) => {
        if (this.near(e.touches[0])) e.preventDefault();
      },
      {passive: false},
    );
    svg.addEventListener("pointermove", (e) => {
      if (this.held) this.aim(this.where(e));
    });
    svg.addEventListener("pointerup", () => this.drop());
    svg.addEventListener("pointercancel", () => {
      this.held = false;
    });
    svg.addEventListener("keydown", (e) => this.key(e));
    $("[data-do=again]", root).addEventListener("click", () => this.start());
    $("[data-do=back]", root).addEventListener("click", () => this.back());
    new ResizeObserver(() => this.draw()).observe(svg);
    this.offer();
  }
  get w() {
    return this.tips.at(-1);
  }
  get made() {
    return this.tips.length - 1;
  }
  // offer puts the next arrow into the middle of the lens, if there is one. The first leans: from
  // straight up, no second arrow is possible.
  offer() {
    const polygon = lens(this.w, RULES);
    this.place = null;
    this.hand = polygon.length > 2 && area(polygon) > 1e-4 ? middle(polygon) : null;
    if (this.made === 0) this.hand = [0.9, 1.1];
    if (!this.hand) this.best = Math.max(this.best, this.made);
    this.changed();
    this.draw();
  }
  start() {
    this.tips = [[0, 0]];
    this.offer();
  }
  back() {
    this.tips = this.tips.slice(0, Math.max(1, this.made));
    this.offer();
  }
  // aim moves the next arrow to a place, or to the place nearest to it that obeys the rules.
  aim(place) {
    this.place = place;
    this.hand = nearest(place, this.w, RULES);
    this.draw();
  }
  drop() {
    if (!this.held) return;
    this.held = false;
    this.commit();
  }
  commit() {
    if (!this.hand) return;
    this.tips = [...this.tips, this.hand];
    this.offer();
  }
  where(e) {
    const box = this.svg.getBoundingClientRect();
    return frame(sizeOf(this.svg), RULES).back(e.clientX - box.left, e.clientY - box.top);
  }
  near(e) {
    if (!this.hand) return false;
    const [x, y] = this.where(e),
      [a, b] = this.hand;
    return Math.hypot(x - a, y - b) * frame(sizeOf(this.svg), RULES).scale < 40;
  }
  down(e) {
    if (e.button !== 0 || !e.isPrimary || !this.near(e)) return;
    this.held = true;
    this.svg.setPointerCapture(e.pointerId);
    e.preventDefault();
  }
  key(e) {
    const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}[
      e.key
    ];
    if (step && this.hand)
      this.aim(
        add(
          this.hand,
          step.map((v) => (v * RULES.R) / 20),
        ),
      );
    else if (e.key === "Enter" || e.key === " ") this.commit();
    else return;
    e.preventDefault();
  }

  draw() {
    const {hand, w, made, svg, best} = this,
      f = frame(sizeOf(svg), RULES),
      stuck = !hand;
    const known = best > 0,
      climb = {...RULES, tips: this.tips, at: made};
    const count = known ? rungs(RULES) : Math.min(rungs(RULES), made + 4);
    const next = hand && [
      `<g class="next">${chain(f, {tips: [w, hand], at: 1})[0]}</g>`,
      circle("handle", f.at(hand), 9),
    ];
    show(svg, sizeOf(svg), [
      known && skin(f, RULES),
      ladder(f, RULES, w[1], {whole: known, count}),
      rules3(f, RULES, w, hand, this.place),
      chain(f, climb),
      next,
    ]);
    const hit = this.place && hand ? broken(this.place, w, RULES) : [];
    for (const e of $$("[data-rule]", this.root.parentElement)) {
      e.classList.toggle("hit", hit.includes(e.dataset.rule));
    }
    const [said, hint] = this.words();
    write($(".said", this.root), said);
    write($(".hint", this.root), hint);
    $("[data-do=again]", this.root).classList.toggle("main", stuck);
    $("[data-do=back]", this.root).disabled = made === 0;
  }
  words() {
    const {made, best, hand} = this,
      yours = `Your best: ${plural(best, "mistake")}.`;
    const n = `<b class="big">${made}</b> ${made === 1 ? "mistake" : "mistakes"}`;
    const lens = "The yellow lens is where the rules let it end.";
    if (!hand) {
      const why = "Why are you stuck? Look: <b>w</b> was inside this bubble all the time.";
      return [`Stuck after ${n}: no arrow obeys all three rules.`, `${yours} ${why}`];
    }
    const said = made === 0 ? "Drag the dot, and let go: the first mistake." : `So far ${n}.`;
    return [said, best > 0 ? yours : lens];
  }
}
