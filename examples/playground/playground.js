// Draws the pictures that the library in playground.wasm returns. The library computes
// every number. This script turns clicks into requests, and pictures into SVG.
"use strict";

const $ = (selector) => document.querySelector(selector);
const plane = $("#plane"), editor = $("#editor");
const classNames = {1: "plus", "-1": "minus", 0: "zero"};
let picture; // the last picture
let chosen = -1; // the point in the editor
let cursor = [0, 0]; // in cells of the plane; there are 100 from the middle to an edge
let timer = 0; // the timer of Run

// ask sends a request and draws the picture that comes back.
function ask(request) {
  picture = JSON.parse(playground(request));
  draw();
}

// svg makes an element.
function svg(name, attributes, ...children) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...children);
  return e;
}

function text(selector, value) {
  const e = $(selector);
  if (e.textContent !== value) e.textContent = value; // so that a screen reader speaks it once
}

// Places in a picture are in views from the middle. A view is 100 units of the SVG.
const across = (u) => (100 * u[0]).toFixed(2), down = (u) => (-100 * u[1]).toFixed(2);

function draw() {
  text("#status", picture.status);
  text("#verdict", picture.verdict);
  text("#refusal", picture.refusal);
  text("#stop", picture.stop);
  text("#epochs", picture.epoch);
  text("#loss", picture.loss);
  text("#accuracy", picture.accuracy);
  text("#edge", picture.view);
  $("#regions").replaceChildren(...picture.regions.map((r) =>
    svg("polygon", {class: classNames[r.class], points: r.polygon.map((u) => across(u) + "," + down(u)).join(" ")})));
  $("#lines").replaceChildren(...picture.lines.map(({class: label, kind, ends: [p, q]}) =>
    svg("line", {class: kind + " " + (picture.multiclass ? classNames[label] : "only"), x1: across(p), y1: down(p), x2: across(q), y2: down(q)})));
  drawPoints();
  $("#cards").replaceChildren(...picture.cards.map(card));
  drawControls();
}

// drawPoints keeps the existing elements, because one may have the focus, or be under a
// finger.
function drawPoints() {
  const layer = $("#points");
  while (layer.childElementCount > picture.points.length) layer.lastElementChild.remove();
  picture.points.forEach((p, i) => {
    const g = layer.children[i] || layer.appendChild(svg("g", {tabindex: 0, role: "button"}, svg("g", {}), svg("circle", {class: "touch", r: 7})));
    g.setAttribute("class", "point " + classNames[p.label] + (i === chosen ? " chosen" : ""));
    g.setAttribute("transform", `translate(${across(p.u)} ${down(p.u)})`);
    g.setAttribute("aria-label", p.name);
    g.firstChild.replaceChildren(...glyph(p));
  });
}

// glyph shows a class by shape and sign as well as by colour.
function glyph(p) {
  const parts = [svg("circle", {class: "focus", r: 7})];
  if (p.rings.length) parts.push(svg("circle", {class: "ring", r: 5.6}));
  if (p.updated) parts.push(svg("circle", {class: "halo", r: p.rings.length ? 7.2 : 5.2}));
  parts.push({
    1: () => svg("circle", {class: "body", r: 3.4}),
    "-1": () => svg("rect", {class: "body", x: -3, y: -3, width: 6, height: 6}),
    0: () => svg("path", {class: "body", d: "M0-4.2 3.9 2.6H-3.9Z"}),
  }[p.label]());
  const signs = {1: "M-1.8 0H1.8M0-1.8V1.8", "-1": "M-1.8 0H1.8", 0: "M0-1.3a1 1.5 0 1 0 .01 0Z"};
  parts.push(svg("path", {class: "sign", d: signs[p.label]}));
  if (p.rings.length) {
    const low = p.u[1] > 0.8, left = p.u[0] > 0.7;
    parts.push(svg("text", {x: left ? -7 : 7, y: low ? 8 : -5, "text-anchor": left ? "end" : "start"}, "λ " + p.rings.join(", ")));
  }
  return parts;
}

function card(c) {
  const e = document.createElement("section");
  e.className = "card " + (picture.cards.length > 1 ? classNames[c.class] : "only");
  const title = document.createElement("h2"), list = document.createElement("dl");
  title.textContent = c.title;
  const rows = {"k": c.k, "k ≤": c.bound, "‖w‖": c.length, "R": c.r, "γ ≥": c.lower, "γ ≤": c.upper};
  for (const [term, value] of Object.entries(rows)) {
    const dt = document.createElement("dt"), dd = document.createElement("dd");
    dt.textContent = term;
    dd.textContent = value;
    dd.dataset.of = term;
    list.append(dt, dd);
  }
  e.append(title, list);
  if (c.chart) e.append(...chart(c.chart));
  return e;
}

// chart draws ‖w‖ between its two bounds.
function chart(c) {
  const left = 6, top = 6, width = picture.cards.length > 1 ? 228 : 348, height = 130;
  const x = (u) => (left + width * u[0]).toFixed(1), y = (u) => (top + height * (1 - u[1])).toFixed(1);
  const path = (places) => "M" + places.map((u) => x(u) + " " + y(u)).join("L");
  const e = svg("svg", {class: "chart", viewBox: `0 0 ${width + 12} 155`, role: "img", "aria-label": `‖w‖ after each update, between ηkγ and ${c.name}`},
    svg("path", {class: "axis", d: `M${left} ${top}V${top + height}H${left + width}`}),
    svg("path", {class: "high", d: path(c.high)}));
  if (c.low.length) e.append(svg("path", {class: "low", d: path(c.low)}));
  for (const t of c.ticks) {
    const anchor = t.at === 0 ? "start" : t.at === 1 ? "end" : "middle";
    e.append(svg("text", {x: left + width * t.at, y: top + height + 15, "text-anchor": anchor}, (t.at === 1 ? "k = " : "") + t.text));
  }
  for (const u of c.dots) e.append(svg("circle", {class: "dot", cx: x(u), cy: y(u), r: 3}));
  const key = document.createElement("ul");
  key.className = "key chart";
  key.append(keyed(svg("path", {class: "high", d: "M1 8H31"}), `${c.name}, to ${c.top}`), keyed(svg("circle", {class: "dot", cx: 16, cy: 8, r: 5}), "‖w‖"));
  if (c.low.length) key.append(keyed(svg("path", {class: "low", d: "M1 8H31"}), "ηkγ"));
  return [e, key];
}

function keyed(shape, meaning) {
  const item = document.createElement("li");
  item.append(svg("svg", {viewBox: "0 0 32 16"}, shape), meaning);
  return item;
}

function drawControls() {
  const f = picture.fields, batch = f.model.endsWith("Batch");
  $("main").removeAttribute("aria-busy");
  const models = $("[name=model]");
  if (!models.options.length) models.append(...picture.models.map((name) => new Option(name)));
  for (const name of ["model", "order", "keep", "eta", "gamma"]) {
    const e = $(`[name=${name}]`);
    if (e !== document.activeElement || e.tagName === "SELECT") e.value = name === "gamma" ? f.gamma || "" : f[name];
  }
  $("[name=order]").disabled = $("[name=keep]").disabled = batch;
  $("[name=gamma]").disabled = !f.model.endsWith("Margin");
  const third = picture.multiclass || picture.points.some((p) => p.label === 0);
  $("#third").hidden = !third;
  if (!third && adds() === 0) $("[name=adds]").checked = true;
  $("#keptkey").hidden = f.keep === "Last" || batch;
  text("#keptkey span", f.keep + " (it predicts)");
  if (!picture.running) stop();
  for (const e of document.querySelectorAll("[data-do=step], [data-do=epoch], #run")) e.setAttribute("aria-disabled", !picture.running);
  drawEditor();
}

function drawEditor() {
  const p = picture.points[chosen];
  editor.hidden = !p;
  if (!p) {
    chosen = -1;
    return;
  }
  text("#editor h2", "Point " + (chosen + 1));
  for (const name of ["x", "y", "label"]) {
    if (editor.elements[name] !== document.activeElement || name === "label") editor.elements[name].value = p[name];
  }
}

const adds = () => Number($("[name=adds]:checked").value);

// place returns the place of an event on the plane, in views from the middle.
function place(event) {
  const box = plane.getBoundingClientRect();
  return {x: 2 * (event.clientX - box.left) / box.width - 1, y: 1 - 2 * (event.clientY - box.top) / box.height};
}

const pointOf = (e) => [...$("#points").children].indexOf(e.target.closest(".point"));

function choose(i) {
  chosen = i;
  draw();
}

// Clicks and drags. A drag is a series of moves. After it, reset sets the view again.
let dragged = -1, moved = false;
plane.addEventListener("click", (e) => {
  if (pointOf(e) < 0) ask({do: "add", label: e.shiftKey ? -1 : adds(), ...place(e)});
});
plane.addEventListener("pointerdown", (e) => {
  dragged = e.button === 0 ? pointOf(e) : -1;
  if (dragged < 0) return;
  $("#points").children[dragged].setPointerCapture(e.pointerId);
  choose(dragged);
});
plane.addEventListener("touchstart", (e) => {
  if (pointOf(e) >= 0) e.preventDefault(); // the finger drags the point, not the page
}, {passive: false});
plane.addEventListener("pointermove", (e) => {
  if (dragged < 0 || !e.buttons) return;
  moved = true;
  ask({do: "move", point: dragged, ...place(e)});
});
for (const kind of ["pointerup", "pointercancel"]) {
  plane.addEventListener(kind, () => {
    if (moved) ask({do: "reset"});
    dragged = -1;
    moved = false;
  });
}

// The keyboard moves the cross or the focused point.
const arrows = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]};
const signs = {"+": 1, "=": 1, "-": -1, "−": -1, 0: 0};
plane.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  const i = pointOf(e), far = e.shiftKey ? 25 : 5;
  if (e.key in arrows) {
    const [x, y] = arrows[e.key].map((v) => far * v);
    if (i >= 0) ask({do: "nudge", point: i, x, y});
    else moveCursor(x, y);
  } else if (e.key in signs || i < 0 && (e.key === "Enter" || e.key === " ")) {
    const label = e.key in signs ? signs[e.key] : adds();
    if (i >= 0) ask({do: "label", point: i, label});
    else ask({do: "add", label, x: cursor[0] / 100, y: cursor[1] / 100});
  } else if (i >= 0 && (e.key === "Delete" || e.key === "Backspace")) {
    ask({do: "remove", point: i});
    ($("#points").children[i] || plane).focus();
  } else {
    return;
  }
  e.preventDefault();
});
plane.addEventListener("focusin", (e) => choose(pointOf(e)));

function moveCursor(x, y) {
  const within = (v) => Math.max(-100, Math.min(v, 100));
  cursor = [within(cursor[0] + x), within(cursor[1] + y)];
  $("#cursor").setAttribute("transform", `translate(${cursor[0]} ${-cursor[1]})`);
}

// The editor accepts typed coordinates of any size.
editor.addEventListener("submit", (e) => e.preventDefault());
editor.addEventListener("change", () => {
  const {x, y, label} = editor.elements, p = picture.points[chosen];
  if (Number(label.value) !== p.label) ask({do: "label", point: chosen, label: Number(label.value)});
  else if (editor.reportValidity()) ask({do: "place", point: chosen, x: x.valueAsNumber, y: y.valueAsNumber});
});

// Buttons and fields.
document.addEventListener("click", (e) => {
  const button = e.target.closest("button");
  if (button?.dataset.load) ask({do: "load", name: button.dataset.load});
  if (button?.dataset.do) {
    if (button.dataset.do !== "remove") stop();
    ask({do: button.dataset.do, point: chosen});
  }
});
for (const name of ["model", "order", "keep", "eta", "gamma"]) {
  $(`[name=${name}]`).addEventListener("change", (e) => ask({do: "set", name, text: e.target.value}));
}

// Run steps until the training stops. A speed is [steps, milliseconds between them].
const speeds = [[1, 900], [1, 350], [1, 80], [5, 30], [500, 16]];
function tick() {
  const [times, pause] = speeds[$("#speed").value];
  timer = setTimeout(tick, pause);
  if (dragged < 0) ask({do: "step", times}); // the answer stops Run at the end of training
}
function stop() {
  clearTimeout(timer);
  timer = 0;
  showRun();
}
function showRun() {
  text("#run", timer ? "Pause" : "Run");
  $("#status").setAttribute("aria-live", timer ? "off" : "polite"); // a screen reader would speak at every step
}
$("#run").addEventListener("click", () => {
  if (timer) stop();
  else if (picture.running) tick();
  showRun();
});

async function start() {
  const go = new Go();
  const {instance} = await WebAssembly.instantiateStreaming(fetch("playground.wasm"), go.importObject);
  go.run(instance);
  ask({do: "show"});
}
start().catch((err) => {
  text("#status", "The playground could not start: " + err.message);
});
