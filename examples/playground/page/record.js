// Knows what the reader has seen and reached in the opening, before anything is drawn.
import {app, calm, onPicture, redraw} from "./app.js";

// fresh reports whether the reader has not seen a run end, and so no answer yet: the promise, R
// and γ wait for the first run.
export const fresh = () => app.picture.move === "opening" && !app.told;
onPicture(({move, boards: [b], running}) => {
  const c = b.cards[0], ended = !running && Number.parseInt(c?.k) > 0;
  app.told ||= move !== "opening" || c?.bound !== undefined && (ended || record() !== null);
  document.body.classList.toggle("fresh", fresh());
  document.body.classList.toggle("won", move === "opening" && ended && b.against.length > 0);
});

// From the opening to the proof, the points move to those of the proof, each to one of its class.
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
    const t = Math.max(0, Math.min(1, (now - start) / 800));
    if (app.glide !== mine) return;
    mine.s = t * t * (3 - 2 * t);
    if (t === 1) app.glide = null;
    else requestAnimationFrame(frame);
    redraw();
  };
  requestAnimationFrame(frame);
}

// The record of the opening: the run with the most mistakes of those that ended, and its link.
// The promise is only its ceiling.
const key = "perceptron-mistakes";
export const record = () => {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? app.record;
  } catch {
    return app.record; // a browser may refuse to keep anything
  }
};
export function beat(run) {
  const best = record();
  if (best && run.k <= best.k) return;
  app.record = {...run, first: best === null};
  try {
    localStorage.setItem(key, JSON.stringify(app.record));
  } catch { /* then it stays until the page closes */ }
}
