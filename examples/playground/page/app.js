// Sends requests to the library in playground.wasm, and keeps the last picture. The
// library computes every number. The other scripts turn clicks into requests, and
// pictures into HTML and SVG.
import {html, nothing, render, svg} from "./vendor/lit-html.js";
export {html, nothing, svg};

export const $ = (selector, root = document) => root.querySelector(selector);
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
// moves are the names of the moves by the numbers that links have. 0 is the free play.
export const moves = Object.fromEntries([[0, "play"], ...$$("article").map((e) => [e.dataset.of, e.dataset.move])]);
export const classNames = {1: "plus", "-1": "minus"};

// app.picture is the last picture; app.chosen is the point that is being edited, or −1.
// app.motion says how far the last step is shown: the walk to its point, then the turn of
// the lines of the boards that moved. It is null when all is shown. app.told is whether the
// opening has shown its promise, app.mine is its last state, and app.glide moves points to other ones; see record.js.
export const app = {picture: null, chosen: -1, editing: false, cursor: [0, 0], motion: null, guess: "", mine: "", told: false, glide: null};
export const calm = matchMedia("(prefers-reduced-motion: reduce)");
const listeners = [];

// turning returns the motion of board i, or null if the last step moved nothing on it.
export const turning = (i) => app.motion?.moved[i] ? app.motion : null;

// onPicture adds a function that draws each new picture.
export function onPicture(draw) { listeners.push(draw); }

// ask sends a request and draws the picture that comes back, with a motion if begin returns one.
// It returns whether the request was accepted. Before the program is there, it does nothing.
export function ask(request, begin = () => null) {
  if (!globalThis.playground) return false;
  try {
    const picture = JSON.parse(globalThis.playground(request));
    app.motion = begin(picture);
    app.picture = {...picture, move: moves[picture.chapter]};
  } catch (err) {
    fail(err);
    return false;
  }
  redraw();
  return !app.picture.refusal;
}

export function redraw() {
  if (!app.picture) return;
  if (app.chosen >= app.picture.points.length) app.chosen = -1;
  if (app.chosen < 0) app.editing = false;
  text($("#refusal"), app.picture.refusal);
  const {move} = app.picture;
  Object.assign(document.body.dataset, {move, stage: $(`article[data-move=${move}]`)?.dataset.stage ?? "board"});
  document.body.classList.toggle("telling", move !== "play");
  for (const draw of listeners) guard(() => draw(app.picture));
}

// guard calls f. An error is shown, and does not stop the page.
export function guard(f) {
  try {
    f();
  } catch (err) {
    fail(err);
  }
}
function fail(err) { text($("#refusal"), `This did not work: ${err.message}. If it stays so, reload the page.`); }

// show renders a template, first in place of what the HTML has there. If that fails, the
// next picture is drawn anew.
export function show(root, template) {
  if (!root._$litPart$) root.replaceChildren();
  try {
    render(template, root);
  } catch (err) {
    delete root._$litPart$;
    root.replaceChildren();
    throw err;
  }
}

// text changes a text only if it differs, so that a screen reader speaks it once.
export function text(e, value) {
  if (e.textContent !== value) e.textContent = value;
}

// symbols colours the symbols in a text as they are in the pictures.
const kinds = [[/^(γ|floor|u$)/, "g"], [/^(R|dome|√)/, "r"], [/^w$/, "w"]];
export const symbols = (words) => words.split(/(\bfloor\b|\bdome\b|γ(?!′)|√k R|\bR²?(?![A-Za-z])|\bu\b|\bw\b)/).map((part, i) =>
  i % 2 ? html`<b class=${(kinds.find(([pattern]) => pattern.test(part)) ?? ["", ""])[1]}>${part}</b>` : part);

// equals writes = before a number's text if it is the number, and else ≈.
export const equals = (text, v) => (Math.abs(Number(text) - v) < 1e-9 * Math.abs(v) ? "= " : "≈ ") + text;

// adds returns the class of the points that a click adds.
export const adds = () => Number($("[name=adds]:checked").value);

// say speaks a text to screen readers.
export const say = (words) => text($("#say"), words);
