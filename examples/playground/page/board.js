// Draws the boards: points, lines, regions, w, and u, γ and R.
import {$, $$, app, classNames, html, nothing, onPicture, say, show, svg, turning} from "./app.js";
import {fresh} from "./record.js";

// Places in a picture are in views from the middle. A view is 100 units of the SVG.
const across = (u) => (100 * u[0]).toFixed(2), down = (u) => (-100 * u[1]).toFixed(2);
const at = (u) => across(u) + " " + down(u);
const corners = (polygon) => polygon.map(at).join(",");

let spoken = false;
onPicture((picture) => {
  const root = $("#boards");
  $("main").classList.toggle("two", picture.boards.length > 1);
  show(root, html`${picture.boards.map(board)}`);
  scale();
  if (app.chosen >= 0) say(picture.boards[0].marks[app.chosen].name);
  else if (spoken) say("");
  spoken = app.chosen >= 0;
});

// scale says how many units of the SVG a pixel is, so that texts and targets have a size
// in pixels. The width is that of the layout, which a glide between moves does not change.
function scale() {
  for (const plane of $$(".plane")) {
    const width = plane.clientWidth;
    if (width > 0) plane.style.setProperty("--px", (200 / width).toFixed(3));
  }
}
new ResizeObserver(scale).observe($("#boards"));

// name is the title of a board.
export function name(b, i) {
  const f = b.fields, kept = f.keep !== "Last" && f.model !== "By hand" ? ", " + f.keep : "";
  return (app.picture.boards.length > 1 ? `Board ${i + 1}: ` : "") + f.model + kept;
}

function board(b, i) {
  const pic = app.picture, two = pic.boards.length > 1, card = b.cards.length === 1 ? b.cards[0] : null, opening = pic.move === "opening", won = opening && b.loop.length > 1, bare = fresh();
  return html`<figure class="board">
    <figcaption>${two ? [name(b, i), card?.k, "right: " + b.right.split(" (")[0], card && pic.wide ? "margin: " + card.margin.replace(/.*\((.*)\)/, "$1") : ""].filter(Boolean).join(" · ") : nothing}</figcaption>
    <svg class="plane" viewBox="-100 -100 200 200" tabindex="0" role="application" aria-describedby="help"
      aria-label=${`${name(b, i)}: plane with ${pic.points.length} points. ${b.status}`} aria-activedescendant=${app.chosen >= 0 ? `b${i}p${app.chosen}` : nothing}>
      <g class="regions">${(turning(i)?.old[i] ?? b).regions.map((r) => svg`<polygon class=${classNames[r.class]} points=${corners(r.polygon)}/>`)}</g>
      <path class="grid" d=${pic.move !== "play" ? "M-100 0H100M0-100V100" : "M-100 0H100M0-100V100M-100-50H100M-100 50H100M-50-100V100M50-100V100"}/>
      <polygon class="band" points=${bare ? "" : corners(b.band)}/><polygon class="own" points=${corners(b.own)}/>
      ${b.r && !bare ? svg`<circle class="radius" r=${100 * b.r}/>${radius(b)}` : nothing}
      ${pic.move === "play" ? svg`<text class="edge" x="98" y="-1.5" text-anchor="end">${pic.view}</text><text x="98" y="6" text-anchor="end">x₁</text>
      <text class="top" x="1.5" y="-94">${pic.view}</text><text x="-1.5" y="-94" text-anchor="end">x₂</text><text x="-1.5" y="5.5" text-anchor="end">0</text>` : nothing}
      <g class="lines">${lines(b, i)}</g>${opening ? svg`<circle class="pin" r="1.4"/>` : nothing}
      <g class="arrows">${b.u.length && !bare ? [opening ? nothing : pointer(b.u, "u", "along"), margin(b)] : nothing}${won || card?.k === "1 mistake" && bare ? nothing : b.arrows.map((a) => turning(i) ? nothing : pointer([a.from, a.to], "w", "weights", a.cut))}${opening ? nothing : added(b, i)}</g>
      ${won ? round(b.loop) : nothing}
      <g class="points">${pic.points.map((p, j) => point(p, j, b, i))}</g>
      ${won ? roundName(b.loop) : nothing}${walker(b)}${app.glide ? svg`<text class="glides" y="-88" text-anchor="middle">ten simpler points</text>` : nothing}
      <path class=${"cursor" + (app.chosen < 0 ? " on" : "")} transform=${`translate(${app.cursor[0]} ${-app.cursor[1]})`} d="M-5 0H5M0-5V5"/>
    </svg>
    ${two ? html`<p class="status" role="status">${(turning(i)?.old[i] ?? b).status}</p>` : nothing}
  </figure>`;
}

// lines draws the lines. During the motion of a step, the new line turns from the old one.
function lines(b, i) {
  const m = turning(i), frame = m && b.turn[Math.round(m.turn * (b.turn.length - 1))];
  const opening = app.picture.move === "opening";
  return b.lines.map(({kind, ends}) => {
    if (kind === "wide" && fresh() || kind === "old" && opening) return nothing;
    if (m && kind === "new") ends = frame;
    if (!ends) return nothing;
    const [p, q] = ends, words = {old: "before", kept: "kept", wide: opening && "separates"}[kind], [x, y] = named(p, q, {kept: 0.94, wide: 0.2}[kind] ?? 0.06);
    return svg`<line class=${kind + " only"} x1=${across(p)} y1=${down(p)} x2=${across(q)} y2=${down(q)}/>
      ${words && !m ? svg`<text class=${kind} x=${x} y=${y} text-anchor=${x > 0 ? "end" : "start"}>${words}</text>` : nothing}`;
  });
}

// named is where a line has its name, as a share of the way from its right end.
function named(p, q, share) {
  const [u, v] = p[0] > q[0] ? [p, q] : [q, p], [x, y] = u.map((from, c) => 100 * (from + share * (v[c] - from)));
  return [Math.max(-97, Math.min(x, 97)), Math.max(-92, Math.min(-y - 3, 96))];
}

// head is the path of an arrow from p to q, in pixels.
export function head(p, q, size) {
  const d = [q[0] - p[0], q[1] - p[1]], long = Math.hypot(...d) || 1, [a, b] = d.map((v) => size * v / long);
  return `M${p.join(" ")}L${q.join(" ")}M${q[0] - a - b * 0.7} ${q[1] - b + a * 0.7}L${q.join(" ")}L${q[0] - a + b * 0.7} ${q[1] - b - a * 0.7}`;
}

function pointer([from, to], label, kind, cut) {
  const [p, q] = [from, to].map((u) => [Number(across(u)), Number(down(u))]);
  const left = q[0] < p[0] ? q[0] > -90 : q[0] > 80; // the side of the label: beyond the tip, if there is space
  return svg`<path class=${kind} d=${cut ? `M${p.join(" ")}L${q.join(" ")}` : head(p, q, 4)}/><text class=${kind} x=${q[0] + (left ? -4 : 3)} y=${q[1] + (q[1] < -80 ? 8 : 1)} text-anchor=${left ? "end" : "start"}>${label}</text>`;
}

// radius names the circle, away from the line of u.
function radius({r, u: [, [x, y]]}) {
  const size = Math.hypot(x, y) / 71, [a, b] = [(x + y) / size, (y - x) / size];
  return svg`<text class="r" x=${a * r + (a < 0 ? -2 : 2)} y=${-b * r + (b < 0 ? 5 : -2)} text-anchor=${a < 0 ? "end" : "start"}>R</text>`;
}

// margin draws γ as the distance from the line of u to the edge of the band.
function margin({u: [, [x, y]], g}) {
  const size = Math.hypot(x, y), e = [x / size, y / size], from = [-0.93 * e[1], 0.93 * e[0]], to = [from[0] + g * e[0], from[1] + g * e[1]];
  const pixels = ([a, b]) => [100 * a, -100 * b], mid = pixels([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]);
  return svg`<path class="along thin" d=${head(pixels(from), pixels(to), 2.5) + head(pixels(to), pixels(from), 2.5)}/><text class="along" x=${mid[0] + 2.5} y=${mid[1] + 2}>γ</text>`;
}

// added draws what the last mistake added to w, for a line through the origin.
function added(b, board) {
  const i = b.marks.findIndex((m) => m.updated);
  if (i < 0 || turning(board) || !b.fields.origin || b.cards[0].k === "–") return nothing;
  const sign = app.picture.points[i].label, place = app.picture.places[i].map((v) => 100 * v), tip = [sign * place[0], -sign * place[1]];
  return svg`<g class=${classNames[sign]}>${sign < 0 ? svg`<path class="from" d=${`M0 0L${place[0]} ${-place[1]}`}/>` : nothing}
    <path class="added" d=${head([0, 0], tip, 4)}/><text class="added" x=${tip[0] * 0.6} y=${tip[1] * 0.6 + (tip[1] > 0 ? -3 : 6)} text-anchor="middle">${sign < 0 ? "−x" : "+x"}</text></g>`;
}

// round draws the way of w that repeats for ever, and a light that goes round on it.
function round(loop) {
  const way = "M" + loop.map(at).join("L"), long = Math.min(0.5, 2.5 / loop.length);
  return svg`<g class="loop"><path d=${way}/><path class="light" pathLength="1" stroke-dasharray=${`${long} ${1 - long}`} d=${way}/><path class="now" d=${head([0, 0], [100 * loop[0][0], -100 * loop[0][1]], 4)}/></g>`;
}
function roundName(loop) {
  const far = loop.toSorted((p, q) => Math.hypot(...q) - Math.hypot(...p))[0], left = far[0] > 0;
  return svg`<g class="loop"><text x=${Number(across(far)) + (left ? -4 : 4)} y=${Math.max(-91, Number(down(far)) + (far[1] > 0 ? -4 : 8))} text-anchor=${left ? "end" : "start"}>w goes round</text></g>`;
}

// walker rings the point at which the step looks.
function walker(b) {
  const m = app.motion, i = m && m.turn === 0 ? b.walk[Math.min(b.walk.length - 1, Math.floor(m.walk * b.walk.length))] : undefined;
  return i === undefined ? nothing : svg`<circle class="walker" r="6.5" transform=${`translate(${at(app.picture.places[i])})`}/>`;
}

// seen is where a point is drawn: beside a point that would cover it, or that it would cover.
function seen(i) {
  const g = app.glide, to = app.picture.places[i], u = g ? to.map((v, c) => g.from[i][c] + g.s * (v - g.from[i][c])) : to, twin = app.picture.places.findIndex((v, j) => j !== i && Math.hypot(v[0] - u[0], v[1] - u[1]) < 0.005);
  return twin < 0 || g ? u : [u[0] + (i < twin ? -0.04 : 0.04), u[1]];
}

function point(p, i, b, board) {
  const m = b.marks[i], u = seen(i), classes = ["point", classNames[p.label], i === app.chosen && "chosen", m.near && "near"].filter(Boolean);
  return svg`<g id=${`b${board}p${i}`} role="img" class=${classes.join(" ")} transform=${`translate(${at(u)})`} aria-label=${m.name}><g>${marked(i, u, m, turning(board)?.old[board].marks[i])}</g><circle class="touch"/></g>`;
}

// glyph shows a class by shape and sign as well as by colour.
const bodies = {
  1: () => svg`<circle class="body" r="4"/><path class="sign" d="M-2.1 0H2.1M0-2.1V2.1"/>`,
  "-1": () => svg`<rect class="body" x="-3.5" y="-3.5" width="7" height="7"/><path class="sign" d="M-2.1 0H2.1"/>`,
};
export const glyph = (label) => bodies[label]();
function marked(i, u, m, old) {
  const low = u[1] > 0.8, left = u[0] > 0.4;
  const opening = app.picture.move === "opening", bare = fresh(), support = m.support && !opening, ring = bare ? false : opening ? app.picture.boards[0].against.includes(i) : m.rings.length > 0;
  return svg`<circle class="focus" r="8"/>
    ${support ? svg`<circle class="support" r="4.6"/><circle class="support" r="6"/>` : nothing}
    ${ring ? svg`<circle class="ring" r="5.6"/>` : nothing}
    ${(old ?? m).updated && !(opening && (!app.picture.running || app.picture.boards[0].cards[0].k === "1 mistake")) ? svg`<circle class="halo" r=${ring || support ? 7.2 : 5.2}/>` : nothing}
    ${(old ?? m).wrong ? svg`<path class="cross" d="M-6-6L6 6M-6 6L6-6"/>` : nothing}
    ${glyph(app.picture.points[i].label)}
    ${ring ? svg`<text x=${left ? -7 : 7} y=${low ? 8 : -5} text-anchor=${left ? "end" : "start"}>${opening ? i + 1 : `λ ${m.rings.join(", ")}`}</text>` : nothing}`;
}
