// Knows what the reader has seen and reached in the opening, before anything is drawn.
import {app, onPicture} from "./app.js";

// fresh reports whether the reader has not seen a run end, and so no answer yet: the promise, R
// and γ wait for the first run.
export const fresh = () => app.picture.move === "opening" && !app.told;
onPicture(({move, boards: [b], running}) => {
  const c = b.cards[0], ended = !running && Number.parseInt(c?.k) > 0;
  app.told ||= move !== "opening" || c?.bound !== undefined && (ended || record() !== null);
  document.body.classList.toggle("fresh", fresh());
  document.body.classList.toggle("won", move === "opening" && ended && b.against.length > 0);
});

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
