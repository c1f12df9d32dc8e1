// A model is a set of points with all that follows from it: the run, R, γ, the bound, and the
// points that contradict each other. A player is the place in a run that the figures show.
import {UNIT, against, arc, bound, len, margin, planeBound, run, square, vectors} from "./maths.js";
import {calm} from "./svg.js";

export const FURTHEST = 33, MOST = 24; // sixteenths from the centre, and points

// onBoard returns the sixteenths nearest to a place, in sixteenths, that are not too far out.
export function onBoard(x, y) {
  const far = Math.hypot(x, y), c = far > FURTHEST ? (FURTHEST - 1) / far : 1;
  return {x: Math.round(c * x) + 0, y: Math.round(c * y) + 0};
}

export class Model {
  constructor(points, bias = false) {
    this.first = points;
    this.undone = [];
    this.set(points, bias);
  }
  set(points, bias = this.bias) {
    Object.assign(this, {points, bias});
    const z = vectors(points, bias), r2 = square(z), clash = against(z);
    Object.assign(this, {z, r2, clash, R: Math.sqrt(r2) / UNIT, run: run(z), best: null});
    if (points.length > 0 && clash.length === 0) {
      const best = margin(z), gamma = Math.sqrt(best.num / best.den) / UNIT;
      Object.assign(this, {best, gamma, ratio: r2 * best.den / best.num});
      Object.assign(this, {most: bound(r2, best), flat: planeBound(r2, best)});
      this.arc = bias ? null : arc(z, best.u);
    }
    this.lengths = this.run.tips.map((w) => len(w) / UNIT);
  }
  // remember stores the points for Undo, before a gesture changes them.
  remember() { this.undone.push([this.points, this.bias]); }
  undo() { if (this.undone.length > 0) this.set(...this.undone.pop()); }
  change(i, what) { this.set(this.points.with(i, {...this.points[i], ...what})); }
  remove(i) { this.set(this.points.toSpliced(i, 1)); }
  add(point) { this.set([...this.points, point]); }
}

// A player shows the mistakes of a run: at is their number, with a fraction while an arrow grows.
// It plays a run that loops for ever, until somebody touches it; laps counts how often.
export class Player {
  constructor(draw) {
    Object.assign(this, {draw, at: 0, count: 0, since: -1, laps: 0, playing: false, ended: false});
  }
  load(count, since = -1) {
    this.pause();
    Object.assign(this, {count, since, laps: 0, ended: false, at: Math.min(this.at, count)});
  }
  // made is how many mistakes the run has made so far: it never falls while the run plays.
  get made() { return Math.floor(this.at) + Math.max(0, this.laps) * (this.count - this.since); }
  pause() {
    this.playing = false;
    cancelAnimationFrame(this.frame);
  }
  seek(k) {
    this.pause();
    this.laps = 0;
    this.at = Math.max(0, Math.min(k, this.count));
    this.ended ||= this.at === this.count;
    this.draw();
  }
  play() {
    this.seek(0);
    if (calm.matches || this.count === 0) return this.seek(this.count);
    const speed = Math.max(3, this.count / 3) / 1000; // a run takes at most three seconds
    let last = performance.now();
    this.playing = true;
    const step = (now) => {
      this.at += speed * Math.max(0, Math.min(now - last, 100));
      last = now;
      if (this.at >= this.count) this.end();
      this.draw();
      if (this.playing) this.frame = requestAnimationFrame(step);
    };
    this.frame = requestAnimationFrame(step);
  }
  end() {
    this.ended = true;
    if (this.since < 0) {
      this.at = this.count;
      this.playing = false;
      return;
    }
    this.laps++;
    this.at -= this.count - this.since;
    if (this.at >= this.count) this.at = this.since;
  }
}
