// Draws what stands beside the boards: status, settings, numbers and charts.
import {$, $$, app, ask, colour, html, onPicture, svg, text} from "./app.js";
import {name} from "./board.js";
import {question, tips} from "./help.js";

const settings = ["model", "order", "keep", "eta", "gamma", "w1", "w2", "b"];

onPicture((picture) => {
  const panels = $("#panels");
  while (panels.childElementCount > picture.boards.length) panels.lastElementChild.remove();
  while (panels.childElementCount < picture.boards.length) panels.append(panel(panels.childElementCount));
  picture.boards.forEach((b, i) => drawPanel(panels.children[i], b, i));
});

function panel(i) {
  const e = $("#paneltemplate").content.cloneNode(true).firstElementChild;
  e.status = $(".status", e);
  for (const key of settings) {
    const field = $(`[name=${key}]`, e), slider = field.type === "range";
    field.addEventListener(slider ? "input" : "change", () =>
      ask({do: "set", board: i, name: key, text: field.value, gesture: slider ? key + i : ""}));
  }
  tips(e);
  return e;
}

function drawPanel(e, b, i) {
  const two = app.picture.boards.length > 1, title = name(b, i);
  text($("h2", e), two ? title : "");
  e.setAttribute("aria-label", title);
  const home = two ? $("#boards").children[i] : e; // the panels of two boards are far below
  if (e.status.parentElement !== home) home.insertBefore(e.status, two ? null : $(".sum", e));
  text(e.status, b.status);
  text($(".sum", e), b.sum);
  text($(".verdict", e), i === 0 || b.verdict !== app.picture.boards[0].verdict ? b.verdict : "");
  drawSettings(e, b, i);
  const hand = b.fields.model === "By hand";
  drawFacts($(".facts", e), {
    stop: hand ? null : b.stop, epochs: hand ? null : b.epoch, right: b.right, w: b.multiclass ? null : b.w, bias: b.multiclass ? null : b.b,
  });
  const open = $$(".cards .q:focus", e).map((q) => q.dataset.help);
  $(".cards", e).replaceChildren(...b.cards.map((c) => card(c, b)));
  if (open.length) $(`.cards [data-help="${open[0]}"]`, e)?.focus();
  if (b.passes.length) $(".cards", e).append(passes(b.passes, b.noun));
}

function drawSettings(e, b, i) {
  const f = b.fields, batch = f.model.endsWith("Batch"), hand = f.model === "By hand";
  const models = $("[name=model]", e);
  if (!models.options.length) models.append(...app.picture.models.map((m) => new Option(m)));
  for (const key of settings) {
    const field = $(`[name=${key}]`, e);
    if (field !== document.activeElement || field.tagName === "SELECT") field.value = key === "gamma" ? f.gamma || "" : f[key];
    const shown = $("output", field.parentElement);
    if (shown) text(shown, String(f[key]).replace("-", "−"));
    field.setAttribute("aria-label", field.parentElement.firstChild.textContent.trim() + (app.picture.boards.length > 1 ? ` of board ${i + 1}` : ""));
  }
  $("[name=order]", e).disabled = $("[name=keep]", e).disabled = batch || hand;
  $("[name=eta]", e).disabled = hand;
  $("[name=gamma]", e).disabled = !f.model.endsWith("Margin");
  $("[name=gamma]", e).placeholder = b.joint ? "θ = 2ηR²" : "θ = ηR²";
  $(".sliders", e).hidden = !hand;
}

// drawFacts writes pairs of terms and numbers. The keys are those of the help.
function drawFacts(list, facts) {
  const names = {stop: "Training", epochs: "Last epoch", right: "Right now", w: "w", bias: "b", k: "k", kmax: "k ≤", length: "‖w‖", r: "R", gamma: "γ", margin: "Margin of the line", joint: "Margin now"};
  const shown = Object.entries(facts).filter(([, value]) => value !== null);
  if (list.childElementCount !== 2 * shown.length) {
    list.replaceChildren(...shown.flatMap(([key]) => [html("dt", {}, names[key], question(key, names[key])), html("dd", {"data-of": key})]));
  }
  for (const [key, value] of shown) text($(`[data-of=${key}]`, list), value);
}

function card(c, b) {
  const e = html("section", {class: "card " + colour(b, c.class)}, html("h2", {}, c.title)), list = html("dl", {});
  const hand = b.fields.model === "By hand";
  drawFacts(list, {k: hand ? null : c.k, kmax: hand ? null : c.bound, length: c.length, r: c.r, gamma: c.gamma, [b.joint ? "joint" : "margin"]: c.margin});
  if (c.along) e.append(html("p", {class: "proof"}, c.along, html("br", {}), c.size));
  if (c.chart) e.append(...chart(c, b.cards.length > 1 ? 228 : 330));
  e.append(list);
  return e;
}

// frame returns a chart's axes with their ticks, and the functions from shares to pixels.
function frame(width, height, label, xs, ys) {
  const left = Math.max(44, 8 + 6.5 * Math.max(...ys.map((t) => t.text.length))), top = 8;
  const x = (u) => (left + width * u).toFixed(1), y = (v) => (top + height * (1 - v)).toFixed(1);
  const e = svg("svg", {class: "chart", viewBox: `0 0 ${width + left + 14} ${height + 30}`, role: "img", "aria-label": label},
    svg("path", {class: "axis", d: `M${left} ${top}V${top + height}H${left + width}`}));
  for (const t of xs) e.append(svg("text", {class: "xtick", x: x(t.at), y: top + height + 15, "text-anchor": t.at === 0 ? "start" : t.at === 1 ? "end" : "middle"}, (t.at === 1 ? "k = " : "") + t.text));
  for (const t of ys) e.append(svg("text", {class: "ytick", x: left - 4, y: Number(y(t.at)) + (t.at === 0 ? 0 : 4), "text-anchor": "end"}, t.text));
  return {e, x, y, path: (places) => "M" + places.map((u) => x(u[0]) + " " + y(u[1])).join("L")};
}

// chart draws ⟨u, w⟩ and ‖w‖ between their bounds.
function chart({chart: c, k, length, along, size}, width) {
  const label = `After ${k}, ‖w‖ is ${length}. The upper curve is ${c.name}` + (c.low.length ? `, the lower ηkγ. ${along} ${size}` : ".");
  const {e, x, y, path} = frame(width, 140, label, c.ticks, c.yticks);
  e.append(svg("path", {class: "high", d: path(c.high)}));
  if (c.low.length) e.append(svg("path", {class: "low", d: path(c.low)}));
  for (const u of c.along) e.append(svg("circle", {class: "along", cx: x(u[0]), cy: y(u[1]), r: 2.5}));
  for (const u of c.dots) e.append(svg("circle", {class: "dot", cx: x(u[0]), cy: y(u[1]), r: 2.8}));
  const keys = [keyed(svg("path", {class: "high", d: "M1 8H31"}), c.name), keyed(svg("circle", {class: "dot", cx: 16, cy: 8, r: 5}), "‖w‖")];
  if (c.low.length) keys.push(keyed(svg("circle", {class: "along", cx: 16, cy: 8, r: 5}), "⟨u, w⟩"), keyed(svg("path", {class: "low", d: "M1 8H31"}), "ηkγ"));
  keys.push(html("li", {}, question("chart", "the chart")));
  return [e, html("ul", {class: "key chart"}, ...keys)];
}

// passes draws the mistakes and the loss of the last epochs. noun names the mistakes.
function passes(list, noun) {
  const last = list[list.length - 1], width = 330, step = 1 / Math.max(list.length, 8);
  const most = (key) => list.reduce((a, b) => (b.share[key] > a.share[key] ? b : a));
  const {e, x, y, path} = frame(width, 90, `Epoch ${last.n}: ${last.mistakes} ${noun}, mean loss ${last.loss}`, [], [{at: 0, text: "0"}, {at: 1, text: String(most(0).mistakes)}]);
  list.forEach((p, i) => e.append(svg("rect", {class: "bar", x: x((i + 0.15) * step), width: width * step * 0.7, y: y(p.share[0]), height: (90 * p.share[0]).toFixed(1)})));
  const losses = list.map((p, i) => [(i + 0.5) * step, p.share[1]]);
  e.append(svg("path", {class: "loss", d: path(list.length > 1 ? losses : [[0, losses[0][1]], [step, losses[0][1]]])})); // one point is not visible
  for (const i of new Set([0, list.length - 1])) e.append(svg("text", {x: x((i + 0.5) * step), y: 113, "text-anchor": "middle"}, list[i].n));
  const key = html("ul", {class: "key chart"},
    keyed(svg("rect", {class: "bar", x: 10, y: 2, width: 12, height: 14}), noun + " in each epoch"),
    keyed(svg("path", {class: "loss", d: "M1 8H31"}), `mean loss, to ${most(1).loss}`), html("li", {}, question("passes", "the chart of epochs")));
  return html("section", {class: "card passes"}, html("h2", {}, "Epochs"), e, key);
}

function keyed(shape, meaning) {
  return html("li", {}, svg("svg", {class: "chartkey", viewBox: "0 0 32 16", "aria-hidden": "true"}, shape), meaning);
}
