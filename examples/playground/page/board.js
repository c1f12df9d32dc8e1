// Draws the boards: points, lines, regions, the arrow of w and the largest margin.
import {$, $$, app, classNames, colour, onPicture, svg, text} from "./app.js";

// Places in a picture are in views from the middle. A view is 100 units of the SVG.
export const across = (u) => (100 * u[0]).toFixed(2), down = (u) => (-100 * u[1]).toFixed(2);
const corners = (polygon) => polygon.map((u) => across(u) + "," + down(u)).join(" ");

onPicture((picture) => {
  const boards = $("#boards");
  while (boards.childElementCount > picture.boards.length) boards.lastElementChild.remove();
  while (boards.childElementCount < picture.boards.length) boards.append($("#boardtemplate").content.cloneNode(true));
  $("main").classList.toggle("two", picture.boards.length > 1);
  picture.boards.forEach((b, i) => drawBoard(boards.children[i], b, i));
  text($("#say"), app.chosen >= 0 ? picture.boards[0].marks[app.chosen].name : "");
});

// name is the title of a board.
export function name(b, i) {
  const f = b.fields, kept = f.keep !== "Last" && !/Batch|hand/.test(f.model) ? ", " + f.keep : "";
  return (app.picture.boards.length > 1 ? `Board ${i + 1}: ` : "") + f.model + kept;
}

function drawBoard(e, b, i) {
  const plane = $(".plane", e), picture = app.picture;
  text($("figcaption", e), picture.boards.length > 1 ? [name(b, i), b.stop, b.cards.length === 1 && b.cards[0].k, "right: " + b.right].filter(Boolean).join(" · ") : "");
  plane.setAttribute("aria-label", `${name(b, i)}: plane with ${picture.points.length} points. ${b.status}`);
  text($(".edge", e), picture.view);
  text($(".top", e), picture.view);
  $(".regions", e).replaceChildren(...b.regions.map((r) => svg("polygon", {class: classNames[r.class], points: corners(r.polygon)})));
  $(".band", e).setAttribute("points", corners(b.band));
  $(".own", e).setAttribute("points", corners(b.own));
  $(".lines", e).replaceChildren(...b.lines.map(({class: label, kind, ends: [p, q]}) =>
    svg("line", {class: kind + " " + colour(b, label), x1: across(p), y1: down(p), x2: across(q), y2: down(q)})));
  $(".arrows", e).replaceChildren(...b.arrows.flatMap(arrow));
  drawPoints($(".points", e), b, i);
  const cursor = $(".cursor", e);
  cursor.setAttribute("transform", `translate(${app.cursor[0]} ${-app.cursor[1]})`);
  cursor.classList.toggle("on", app.chosen < 0);
  if (app.chosen >= 0) plane.setAttribute("aria-activedescendant", `b${i}p${app.chosen}`);
  else plane.removeAttribute("aria-activedescendant");
}

function arrow({from, to}) {
  const d = [100 * (to[0] - from[0]), -100 * (to[1] - from[1])], size = Math.hypot(...d);
  const [x, y] = [Number(across(to)), Number(down(to))], [a, b] = d.map((v) => 4 * v / size);
  const left = d[0] < 0 ? x > -90 : x > 80; // the side of the label: beyond the tip, if there is space
  return [
    svg("path", {d: `M${across(from)} ${down(from)}L${x} ${y}M${x - a - b * 0.7} ${y - b + a * 0.7}L${x} ${y}L${x - a + b * 0.7} ${y - b - a * 0.7}`}),
    svg("text", {x: x + (left ? -4 : 3), y: y + (y < -80 ? 8 : 1), "text-anchor": left ? "end" : "start"}, "w"),
  ];
}

// drawPoints keeps the elements of points, because one may be under a finger.
function drawPoints(layer, b, board) {
  const {points, places} = app.picture;
  while (layer.childElementCount > points.length) layer.lastElementChild.remove();
  points.forEach((p, i) => {
    const g = layer.children[i] || layer.appendChild(svg("g", {id: `b${board}p${i}`, role: "img"}, svg("g", {}), svg("circle", {class: "touch", r: 7})));
    g.setAttribute("class", "point " + classNames[p.label] + (i === app.chosen ? " chosen" : ""));
    g.setAttribute("transform", `translate(${across(places[i])} ${down(places[i])})`);
    g.setAttribute("aria-label", b.marks[i].name);
    const parts = glyph(p.label, places[i], b.marks[i]);
    const drawn = JSON.stringify([p.label, places[i][1] > 0.8, places[i][0] > 0.7, b.marks[i], i === app.chosen]);
    if (g.dataset.drawn === drawn) return; // so that the halo does not pulse again
    g.dataset.drawn = drawn;
    g.firstChild.replaceChildren(...parts);
  });
}

// glyph shows a class by shape and sign as well as by colour.
function glyph(label, u, m) {
  const parts = [svg("circle", {class: "focus", r: 8})];
  if (m.support) parts.push(svg("circle", {class: "support", r: 4.6}), svg("circle", {class: "support", r: 6}));
  if (m.rings.length) parts.push(svg("circle", {class: "ring", r: 5.6}));
  if (m.updated) parts.push(svg("circle", {class: "halo", r: m.rings.length || m.support ? 7.2 : 5.2}));
  parts.push({
    1: () => svg("circle", {class: "body", r: 3.4}),
    "-1": () => svg("rect", {class: "body", x: -3, y: -3, width: 6, height: 6}),
    0: () => svg("path", {class: "body", d: "M0-4.2 3.9 2.6H-3.9Z"}),
  }[label]());
  const signs = {1: "M-1.8 0H1.8M0-1.8V1.8", "-1": "M-1.8 0H1.8", 0: "M0-1.3a1 1.5 0 1 0 .01 0Z"};
  parts.push(svg("path", {class: "sign", d: signs[label]}));
  if (m.rings.length) {
    const low = u[1] > 0.8, left = u[0] > 0.7;
    parts.push(svg("text", {x: left ? -7 : 7, y: low ? 8 : -5, "text-anchor": left ? "end" : "start"}, "λ " + m.rings.join(", ")));
  }
  return parts;
}
