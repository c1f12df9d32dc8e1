// Knows what the reader has seen and reached in the opening, before anything is drawn.
import {app, calm, onPicture, redraw} from "./app.js";

// fresh reports whether the reader has neither seen a run end nor won, and so no answer yet: the
// promise, R and γ wait for the first run. A run has no end as soon as its points contradict each other.
export const fresh = () => app.picture.move === "opening" && !app.told;
onPicture(({move, state, boards: [b], running}) => {
  const c = b.cards[0], k = Number.parseInt(c?.k), ended = !running && k > 0, won = k > 1 && b.against.length > 0;
  app.told ||= move !== "opening" || c?.bound !== undefined && (ended || won || record() !== null || victory() !== null);
  if (move === "opening") app.mine = state;
  document.body.classList.toggle("fresh", fresh());
  document.body.classList.toggle("won", move === "opening" && won);
});

// From the opening to the proof, the points move to those of the proof, each to one of its class:
// slowly, because the reader should see that these are others.
let before = null;
onPicture(({move, points, places}) => {
  if (before?.move === "opening" && move === "sides" && !calm.matches) glide(before, points, places);
  else if (move !== "sides") app.glide = null;
  before = {move, points, places};
});
function glide(old, points, places) {
  const left = old.points.map((p, i) => ({label: p.label, at: old.places[i]})), start = performance.now();
  const from = points.map((p, i) => left.splice(left.findIndex((q) => q.label === p.label) >>> 0, 1)[0]?.at ?? places[i]);
  const mine = app.glide = {from, s: 0}, frame = (now) => {
    const t = Math.max(0, Math.min(1, (now - start - 300) / 1500));
    if (app.glide !== mine) return;
    mine.s = t * t * (3 - 2 * t);
    if (t === 1) app.glide = null;
    else requestAnimationFrame(frame);
    redraw();
  };
  requestAnimationFrame(frame);
}

// places is the points of a link, as a text.
export const places = (state) => state.split("&p=").slice(1).join();

// The record of the opening: the run with the most mistakes of those that ended, and its link.
// The promise is only its ceiling. And the last run that the reader won.
export const record = () => kept("mistakes"), victory = () => kept("win");
export function beat(run) {
  const best = record();
  if (!best || run.k > best.k) keep("mistakes", {...run, first: best === null});
}
export function win(state) { keep("win", state); }
const memory = {mistakes: null, win: null};
function kept(key) {
  try {
    return JSON.parse(localStorage.getItem("perceptron-" + key)) ?? memory[key];
  } catch {
    return memory[key]; // a browser may refuse to keep anything
  }
}
function keep(key, value) {
  memory[key] = value;
  try {
    localStorage.setItem("perceptron-" + key, JSON.stringify(value));
  } catch { /* then it stays until the page closes */ }
}
