// Sends requests to the library in playground.wasm, and keeps the last picture. The
// library computes every number. The other scripts turn clicks into requests, and
// pictures into HTML and SVG.

export const $ = (selector, root = document) => root.querySelector(selector);
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
export const classNames = {1: "plus", "-1": "minus", 0: "zero"};

// colour names the colour of a line or a card: that of its class, if each has its own.
export const colour = (b, label) => b.multiclass && !b.joint ? classNames[label] : "only";

// app.picture is the last picture; app.chosen is the point that is being edited, or −1.
export const app = {picture: null, chosen: -1, editing: false, cursor: [0, 0]};
const listeners = [];

// onPicture adds a function that draws each new picture.
export function onPicture(draw) { listeners.push(draw); }

// ask sends a request and draws the picture that comes back. It returns whether the
// request was accepted.
export function ask(request) {
  app.picture = JSON.parse(globalThis.playground(request));
  redraw();
  return !app.picture.refusal;
}

export function redraw() {
  if (app.chosen >= app.picture.points.length) app.chosen = -1;
  if (app.chosen < 0) app.editing = false;
  for (const draw of listeners) draw(app.picture);
}

// text changes a text only if it differs, so that a screen reader speaks it once.
export function text(e, value) {
  if (e.textContent !== value) e.textContent = value;
}

// svg makes an element.
export function svg(name, attributes, ...children) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...children);
  return e;
}

// html makes an element.
export function html(name, attributes, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...children);
  return e;
}

// adds returns the class of the points that a click adds.
export const adds = () => Number($("[name=adds]:checked").value);

// say speaks a text to screen readers.
export const say = (words) => text($("#say"), words);
