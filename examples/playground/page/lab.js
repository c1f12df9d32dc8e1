// A lab is a board with its words, its timeline and its buttons. Chapters 1 and 4 have one each.
import {Board} from "./board.js";
import {MOST, Model, Player} from "./model.js";
import {$, $$, atMost, number, plural, squared, write} from "./svg.js";
import {Timeline} from "./timeline.js";

const sign = (label) => (label > 0 ? "+" : "−");

export class Lab {
  // answers says whether R, γ and the promise are shown before the first run; changed is called
  // after the points have changed.
  constructor(root, points, {answers = false, changed = () => {}} = {}) {
    Object.assign(this, {root, changed, chosen: -1, answers, game: !answers, best: 0, held: false});
    this.model = new Model(points);
    this.player = new Player(() => this.draw());
    this.board = new Board($(".board", root), this);
    const source = () => ({
      values: this.model.lengths,
      player: this.player,
      most: this.answers && !this.won ? (this.model.most ?? 0) : 0,
      since: this.since,
      all: this.answers || this.held,
    });
    this.timeline = new Timeline($(".time", root), source, "length of w");
    this.deeds = {
      learn: () => {
        this.chosen = -1;
        this.player.play();
        this.player.draw();
      },
      undo: () =>
        this.renew(() => {
          this.chosen = -1;
          this.model.undo();
        }),
      first: () =>
        this.renew(() => {
          this.model.remember();
          this.model.set(this.model.first, false);
        }),
      turn: () => this.turn(-this.model.points[this.chosen].label),
      remove: () => this.remove(),
    };
    for (const b of $$("[data-do]", root))
      b.addEventListener("click", () => this.deeds[b.dataset.do]());
    document.addEventListener("pointerdown", ({target}) => {
      const own = root.contains(target) && target.closest(".board, button");
      if (this.chosen >= 0 && !own) this.choose(-1); // the hand is beside
    });
    this.load();
    this.player.at = Math.min(1, this.player.count); // the first mistake, so that a line is there
    this.draw();
  }
  get since() {
    return this.model.run.stop === "loop" ? this.model.run.since : -1;
  }
  get won() {
    return this.model.clash.length > 0;
  }
  load() {
    this.player.load(this.model.run.rows.length, this.since);
  }

  // renew changes the points, and lets the perceptron learn them.
  renew(deed) {
    deed();
    this.chosen = Math.min(this.chosen, this.model.points.length - 1);
    this.load();
    this.changed();
    this.player.play();
    this.draw();
  }
  edit(deed) {
    this.renew(() => {
      this.model.remember();
      deed();
    });
  }
  grab() {
    this.model.remember();
    this.held = true;
    this.chosen = -1;
  }
  drag(i, place) {
    this.model.change(i, place);
    this.load();
    this.player.seek(Math.min(1, this.player.count));
    this.player.ended = false;
    this.changed();
    this.draw();
  }
  release() {
    this.held = false;
    this.renew(() => {});
  }
  choose(i) {
    this.chosen = this.chosen === i ? -1 : i;
    this.draw();
  }
  tap(place) {
    if (this.chosen >= 0) this.choose(-1);
    else if (this.model.points.length < MOST) this.put({...place, label: 1});
  }
  put(point) {
    this.edit(() => this.model.add(point));
    this.choose(this.model.points.length - 1);
  }
  nudge(i, place) {
    this.edit(() => this.model.change(i, place));
  }
  turn(label) {
    this.edit(() => this.model.change(this.chosen, {label}));
  }
  remove() {
    const i = this.chosen;
    this.chosen = -1;
    this.edit(() => this.model.remove(i));
  }

  draw() {
    if (!this.timeline) return;
    if (this.player.ended && !this.held) this.answers = true;
    if (this.player.ended && !this.won) this.best = Math.max(this.best, this.model.run.rows.length);
    this.board.draw();
    this.timeline.draw();
    const [said, hint] = this.words();
    const point = this.model.points[this.chosen],
      about = point && this.about(point, this.won ? hint : "");
    $(".said", this.root).setAttribute("aria-live", this.player.playing ? "off" : "polite");
    write($(".said", this.root), said);
    write($(".hint", this.root), about ?? hint);
    $(".row", this.root).classList.toggle("chose", Boolean(point));
    for (const b of $$("[data-for=point]", this.root)) b.hidden = !point;
    $("[data-do=first]", this.root).hidden = Boolean(point);
    $("[data-do=undo]", this.root).disabled = this.model.undone.length === 0;
    if (point) $("[data-do=turn]", this.root).textContent = `Make it ${sign(-point.label)}`;
    $("[data-do=learn]", this.root).textContent = this.answers ? "Again" : "Let it learn";
  }

  // about says which point is chosen. If a reason follows, its place is only read aloud.
  about({label, x, y}, reason) {
    const place = `, at ${number(x / 16)}, ${number(y / 16)}`,
      shown = reason ? `<span class="hidden">${place}</span>` : place;
    return `Point ${this.chosen + 1}, class ${sign(label)}${shown}. ${reason}`;
  }
  // words are what the run does, and what follows from the points.
  words() {
    const {model, player, answers} = this,
      {stop, rows} = model.run,
      k = player.made;
    const count = (n) => `<b class="big">${n}</b>`,
      over = player.ended;
    if (model.points.length === 0) return ["There are no points.", "Press the board to add one."];
    if (this.held && this.won) return ["No line is left: the arc is gone.", this.surrounded()];
    if (this.won && over) {
      const win = this.game ? "You won: it never stops." : "It never stops.";
      return [`<b class="win">${win}</b> Mistake ${count(k)}.`, this.surrounded()];
    }
    if (this.won) return [`Mistake ${count(k)}.`, this.surrounded()];
    if (!answers) {
      return [
        k > 1 ? `Mistake ${count(k)}.` : "Make it go on for ever: drag points, then see.",
        `The <b class="g">green arc</b>: if w points there, no point is wrong.`,
      ];
    }
    const promise = `A theorem promises: <b>${atMost(model.most)}</b>.`;
    const record = this.best > rows.length ? ` Your record: ${this.best}.` : "";
    const last = over && player.at === player.count,
      n = rows.length;
    const said = this.held
      ? ""
      : !last
        ? `Mistake ${count(k)}${over ? ` of ${n}` : ""}.`
        : stop === "limit"
          ? `After ${plural(n, "mistake")} we stopped it.`
          : `It made ${count(n)} ${n === 1 ? "mistake" : "mistakes"}, then no more.`;
    return [`${said} ${promise}`, this.lengths() + record];
  }
  // lengths says what R and γ are, and what the promise is made of.
  lengths() {
    const {R: far, gamma, ratio, bias} = this.model,
      R = `<b class="r">R</b>`,
      g = `<b class="g">γ</b>`;
    const what = bias
      ? `In space, with the coordinate 1: ${R} = ${number(far)}, ${g} = ${number(gamma)}.`
      : `${R} = ${number(far)}: the furthest point. ${g} = ${number(gamma)}: the distance of the
        nearest from the <b class="g">dashed</b> line.`;
    return `${what} ${squared(ratio)}`;
  }
  // surrounded says how the ringed points contradict each other.
  surrounded() {
    const n = this.model.clash.length,
      turn = "With each − turned around, the arrows of the";
    if (this.model.bias) return "Ringed: no line has these + on one side, these − on the other.";
    if (n === 1) return "The ringed point is at the centre, so it is on every line.";
    if (n === 2) return `${turn} two ringed points are opposite: no line has both in front.`;
    return `${turn} three ringed points surround the centre: no line has all in front.`;
  }
}
