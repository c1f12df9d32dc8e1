// Draws what stands right of the board: the race of the opening, the weight space with its
// floor and its dome, or what else a move is about.
import {$, app, ask, classNames, equals, html, nothing, onPicture, redraw, show, svg, turning} from "./app.js";
import {glyph, head} from "./board.js";
import {sliders} from "./panel.js";
import {race} from "./race.js";

// parts says which parts of the weight space a move has explained. All others have all.
const parts = {mistake: "", floor: "u floor", angle: "u angle", dome: "u dome", play: "u floor angle dome"};
const has = (part) => (parts[app.picture.move] ?? "u floor dome").includes(part);
const root = $("#room");

// kind says what to draw.
function kind({move, room, boards: [b, two]}) {
  if (two) return "none";
  if (move === "opening") return "race";
  if (b.fields.model === "By hand") return "scores";
  if (move === "lengths" && room) return "lengths";
  if (move === "contradiction") return "chain";
  if (move === "round") return "tour";
  return room ? "space" : move !== "play" ? "missing" : "none";
}

onPicture((picture) => {
  const size = [Math.max(112, root.clientWidth), Math.max(140, root.clientHeight)]; // of the layout: a glide does not change it
  $("main").dataset.room = kind(picture);
  show(root, {race: () => race(picture.boards[0].cards[0], ...size, {period: Math.max(0, picture.boards[0].loop.length - 1)}), scores, lengths, chain, tour, space, missing, none: () => nothing}[kind(picture)](picture, ...size));
});
new ResizeObserver(() => redraw()).observe(root);

export const label = (x, y, words, kind = "", anchor = "start") => svg`<text class=${kind} x=${x} y=${y} text-anchor=${anchor}>${words}</text>`;
export const line = (places) => "M" + places.map((p) => p.map((v) => v.toFixed(1)).join(" ")).join("L");

// scores shows each point above its score.
function scores({boards: [b], points}, W) {
  const X = (v) => W / 2 + (W / 2 - 16) * v;
  return html`${sliders(b, 0)}<figure class="scores"><svg viewBox=${`0 0 ${W} 108`} role="img" aria-label="The scores of the points">
    <rect class="plus" x=${W / 2} y="0" width=${W / 2} height="86"/><rect class="minus" x="0" y="0" width=${W / 2} height="86"/>
    <path class="axis" d=${`M8 66H${W - 8}M${W / 2} 4V74`}/>${label(W / 2, 100, "0", "", "middle")}${label(W - 6, 100, W < 300 ? "+" : "score above 0: +", "", "end")}${label(6, 100, W < 300 ? "−" : "score below 0: −")}
    ${points.map((p, i) => svg`<g class=${"point " + classNames[p.label]} transform=${`translate(${X(b.marks[i].level)} ${p.label > 0 ? 44 : 20}) scale(2)`}><path class="drop" d=${p.label > 0 ? "M0 4V11" : "M0 4V23"}/>${glyph(p.label)}</g>`)}
  </svg></figure>`;
}

// lengths shows the arrows yx of all points from one place, with u up.
function lengths({room: r}, W, H) {
  const s = Math.min((W - 24) / 2 / r.r, (H - 70) / r.r / 1.25), ox = W / 2, oy = H - 40 - 0.15 * r.r * s, at = ([x, y]) => [ox + s * x, oy - s * y], y = oy - s * r.gamma;
  return html`<figure class="space"><svg viewBox=${`0 0 ${W} ${H}`} role="img" aria-label=${`The arrows of all points, turned to one side. Each climbs ${r.texts[0]} or more along u, and none is longer than ${r.texts[1]}.`}>
    <rect class="low" x="0" y=${y} width=${W} height=${Math.max(0, H - y)}/><path class="floor" d=${`M10 ${y}H${W - 10}`}/><circle class="dome" cx=${ox} cy=${oy} r=${s * r.r}/>
    ${r.rows.map((t) => arrow(at([0, 0]), at([t.x, t.y]), classNames[t.class], 2))}
    ${arrow(at([0, 0]), at([0, 1]), "up", 4)}<circle class="origin" cx=${ox} cy=${oy} r="4"/>
    ${label(10, 18, "The arrows yx, with u up", "caption")}${label(ox + 10, oy - s + 4, "u", "g strong")}${label(12, y - 8, "γ " + equals(r.texts[0], r.gamma), "g strong")}${label(W - 12, Math.max(40, oy - s * r.r * 0.8), "R " + equals(r.texts[1], r.r), "r strong", "end")}
  </svg></figure>`;
}

// tips draws arrows tip to tail, which begin in the middle.
function tips(list, W, H, caption, words) {
  const far = Math.max(1e-9, ...list.map((u) => Math.hypot(...u))), s = (Math.min(W, H - 40) / 2 - 14) / far, at = ([x, y]) => [W / 2 + s * x, H / 2 + 10 - s * y], all = [[0, 0], ...list];
  return html`<figure class="space"><svg viewBox=${`0 0 ${W} ${H}`} role="img" aria-label=${words}>
    <path class="axis" d=${line([at([-far, 0]), at([far, 0])]) + line([at([0, -far]), at([0, far])])}/>${label(10, 18, caption, "caption")}
    ${list.map((u, i) => arrow(at(all[i]), at(u), i === list.length - 1 ? "w" : "", 3))}<circle class="origin" cx=${at([0, 0])[0]} cy=${at([0, 0])[1]} r="4"/>
    ${list.length ? nothing : label(W / 2, H / 2 - 20, "nothing yet", "strong", "middle")}</svg></figure>`;
}
const chain = ({boards: [b]}, W, H) => b.chain.length ? tips(b.chain, W, H, "λyx, tip to tail", "The arrows return to 0")
  : html`<p class="missing">The chain is open: ${/^Separable/.test(b.verdict) ? "a line separates the points" : "nothing is proved"}. Undo closes it.</p>`;
const tour = ({boards: [b]}, W, H) => tips(b.trail.slice(1), W, H, "The way of w = (w₁, w₂)", `w after ${b.cards[0]?.k}`);

// missing says why the weight space is not drawn. It has the figure's place.
function missing({boards: [b]}) {
  const c = b.cards[0], bound = c?.bound ?? "∞";
  return html`<p class="missing">${bound === "∞" ? html`With these points there is no margin <b class="g">γ</b>, so there is no limit, and no room to draw.` : html`With these points <b class="g">γ</b> = ${c.gamma}, and the promise is at most ${bound} mistakes: too many floors to draw here. The proof stays the same.`} Drag the point back, or press Undo.</p>`;
}

// A frame has the sizes of the drawing in pixels, and the functions from lengths to pixels.
function frame(r, W, full) {
  const H = full - (controlled() ? 48 : 0), near = ["mistake", "floor", "angle", "dome", "room"].includes(app.picture.move); // the first moves show only the run
  const top = near ? Math.max((["dome", "room"].includes(app.picture.move) ? 0.68 : 0.55) * r.height, ...r.path.map((t) => 1.2 * Math.hypot(t.x, t.y))) : r.height, bottom = -0.05 * top;
  const wide = 2.4 * Math.max(top / 4, ...r.path.map((t) => Math.abs(t.x))); // the dome may be cut off at its sides
  const s = Math.min((H - 26) / (top - bottom), (W - 40) / wide), ox = W / 2, oy = H + bottom * s;
  return {W, H, s, ox, oy, X: (x) => ox + s * x, Y: (y) => oy - s * y, at: ([x, y]) => [ox + s * x, oy - s * y]};
}
const controlled = () => ["play", "half"].includes(app.picture.move);
const short = (v) => String(Number(v.toPrecision(3)));
const mid = (list, k) => { const i = Math.min(Math.floor(k), list.length - 2); return list[i] + (k - i) * (list[i + 1] - list[i]); };

function arrow(p, q, kind, width) {
  const d = [q[0] - p[0], q[1] - p[1]], long = Math.hypot(...d);
  if (long < 1) return nothing;
  const h = Math.min(5 + 2.6 * width, long * 0.6), [a, b] = d.map((v) => v / long), m = [q[0] - h * a, q[1] - h * b], t = h * 0.48;
  return svg`<g class=${"arrow " + kind}><path stroke-width=${width} d=${line([p, [q[0] - h * 0.7 * a, q[1] - h * 0.7 * b]])}/>
    <path class="head" d=${line([q, [m[0] - t * b, m[1] + t * a], [m[0] + t * b, m[1] - t * a]]) + "Z"}/></g>`;
}

// space draws the weight space, and the controls below it.
function space({room: r, boards: [b]}, W, H) {
  const f = frame(r, W, H), think = r.gamma !== r.of, slide = turning(0) && !think ? app.motion.turn : 1;
  const k = think ? r.limit : Math.max(0, r.k - 1 + slide), v = {r, f, think, slide, k, imagined: r.k > r.run, empty: !think && r.k > r.limit, noun: b.noun};
  v.floor = think ? r.meet : mid(r.floors, k);
  v.dome = think ? r.meet : mid(r.domes, k);
  return html`<figure class="space"><svg viewBox=${`0 0 ${f.W} ${f.H}`} role="img" aria-label=${described(r, b)}>
      <clipPath id="clip"><rect width=${f.W} height=${f.H}/></clipPath>
      <g clip-path="url(#clip)">${has("dome") || has("floor") ? walls(v) : nothing}${trail(v)}</g>
      ${labels(v)}
    </svg></figure>${controlled() ? controls(r, b) : nothing}`;
}

function described(r, b) {
  const tip = r.path.at(-1), where = tip && r.k === r.run ? `The tip of w is ${short(tip.y)} along u and ${short(Math.hypot(tip.x, tip.y))} from 0.` : "";
  return `Weight space after ${r.k} ${b.noun}. The floor is at ${r.texts[2]}, the top of the dome at ${r.texts[3]}. ${where} ${r.say.join(" ")}`;
}

// walls draws the floor and the dome, what is outside of them, and the room between them.
function walls({r, f, think, k, floor, dome, empty, imagined}) {
  if (k === 0) return nothing;
  const low = has("floor"), high = has("dome"), R = dome * f.s, under = low ? floor : 0, half = Math.sqrt(Math.max(0, dome * dome - under * under)), y = f.Y(floor);
  const circle = (radius) => `M${f.ox - radius} ${f.oy}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`;
  const before = Array.from({length: Math.max(0, Math.ceil(think ? r.limit : k) - 1)}, (_, i) => i + 1).filter((j) => j < r.floors.length);
  return svg`${low ? svg`<rect class="low" x="0" y=${y} width=${f.W} height=${Math.max(0, f.H - y)}/>` : nothing}
    ${high ? svg`<path class="far" fill-rule="evenodd" d=${`M-4000-4000H8000V8000H-4000Z${circle(R)}`}/>` : nothing}
    ${high && !empty && half * f.s > 1 ? svg`<path class="between" d=${`M${f.at([-half, under])}A${R} ${R} 0 0 1 ${f.at([half, under])}Z`}/>` : nothing}
    ${low && !imagined ? before.map((j) => svg`<path class="floor thin" d=${`M36 ${f.Y(r.floors[j])}H${f.W - 36}`}/>`) : nothing}
    ${high ? svg`<circle class="dome" cx=${f.ox} cy=${f.oy} r=${R}/>` : nothing}${low ? svg`<path class="floor" d=${`M36 ${y}H${f.W - 36}`}/>` : nothing}
    ${high && low && Math.abs(floor - dome) < 1e-6 * dome ? svg`<circle class="last" cx=${f.ox} cy=${y} r="6"/>` : nothing}`;
}

// shafts returns the ends of the arrows: w, and the last ten mistakes. The newest moves to its
// place after the step.
function shafts({r, f, slide}) {
  const tips = r.path.map((t) => [t.x, t.y]), n = tips.length - 1, from = Math.max(0, n - 10);
  if (n < 1) return [];
  const ends = (q, j) => {
    const p = tips[j - 1], start = j === n ? p.map((v) => v * slide) : p;
    return [start, [start[0] + q[0] - p[0], start[1] + q[1] - p[1]]];
  };
  return [[[0, 0], slide < 1 ? tips[n - 1] : tips[n]], ...r.flat ? tips.slice(from + 1).map((q, i) => ends(q, from + 1 + i)) : []].map((ends) => ends.map(f.at));
}

// trail draws u and the way of w: the arrows, and a thin line for those before.
function trail(v) {
  const {r, f, slide, think, imagined} = v, tips = r.path.map((t) => [t.x, t.y]), n = tips.length - 1, past = think || imagined ? " past" : "", from = Math.max(0, n - 10), [w, ...others] = shafts(v), bent = bend(v);
  return svg`${has("u") ? svg`<path class="up" d=${`M${f.ox} ${f.oy}V0`}/>` : nothing}${bent ? corner(v, bent) : nothing}
    ${n > 0 ? svg`<path class="trail" d=${line((r.flat ? tips.slice(0, from + 1) : tips.slice(0, slide < 1 ? n : n + 1)).map(f.at))}/>
    ${arrow(...w, "w" + past, 4)}${others.map((ends, i) => arrow(...ends, classNames[r.path[from + 1 + i].class] + past, i === others.length - 1 && !past ? 3.6 : 2))}
    ${tips.slice(1, r.flat ? n : n + 1).map((t) => svg`<circle class="tip" cx=${f.X(t[0])} cy=${f.Y(t[1])} r=${r.flat ? 2.4 : 3.4}/>`)}` : nothing}
    <circle class="origin" cx=${f.ox} cy=${f.oy} r="4"/>`;
}

// bend says where the angle of the last arrow with the w before it is: q goes from that w's tip
// across it and along it, and its words are at the place at. It is null if no angle is shown.
function bend({r, f, slide, think, imagined}) {
  if (!r.angle || think || imagined || slide < 1 || !r.flat || !has("angle")) return null;
  const [p, v] = r.path.slice(-2).map((t) => [t.x, t.y]), long = Math.hypot(...p), e = p.map((x) => x / long), d = [-e[1], e[0]];
  const q = (a, b) => f.at([p[0] + d[0] * a + e[0] * b, p[1] + d[1] * a + e[1] * b]), side = (v[0] - p[0]) * d[0] + (v[1] - p[1]) * d[1] > 0 ? 1 : -1;
  const turn = r.angle * Math.PI / 180, arc = (far, share) => q(side * far / f.s * Math.sin(turn * share), far / f.s * Math.cos(turn * share));
  return {q, side, arc, at: arc(48, 0.5)};
}

// corner shows this angle, and where the tip can be.
function corner({r, f}, {q, side, arc, at: [x, y]}) {
  const m = 12 / f.s, radius = r.r * f.s;
  const name = [0.45, 0.3, 0.2].map((share) => q(-side * r.r * share, -16 / f.s)).find(([x, y]) => x > 8 && x < f.W - 8 && y > 12 && y < f.H - 8);
  return svg`<path class="half" d=${`M${q(r.r, 0)}A${radius} ${radius} 0 0 0 ${q(-r.r, 0)}Z`}/><path class="old" d=${line([f.at([0, 0]), q(0, 60 / f.s)])}/>
    <path class="angle" d=${line([q(side * m, 0), q(side * m, m), q(0, m)])}/><path class="angle" d=${line(Array.from({length: 25}, (_, i) => arc(30, i / 24)))}/>
    ${label(x, y + 5, Math.round(r.angle) + "°", "strong", "middle")}${name ? label(name[0], name[1] + 5, "R", "r", "middle") : nothing}`;
}

// A placer writes words at the first of some spots that is inside and covers nothing.
const pen = document.createElement("canvas").getContext("2d");
function placer(W, H, boxes) {
  const font = getComputedStyle(document.body).fontFamily;
  return (words, kind, ...spots) => {
    const px = /small|caption/.test(kind) ? 12 : 14;
    pen.font = `${kind.includes("strong") ? 700 : 400} ${px}px ${font}`;
    const long = pen.measureText(words).width;
    for (const [x, y, anchor = "start"] of spots) {
      const left = x - long * {start: 0, middle: 0.5, end: 1}[anchor], right = left + long, top = y - 0.85 * px, low = y + 3;
      if (left < 0 || right > W || top < 0 || low > H || boxes.some((b) => left < b[2] && b[0] < right && top < b[3] && b[1] < low)) continue;
      boxes.push([left, top, right, low]);
      return label(x, y, words, kind, anchor);
    }
    return nothing;
  };
}

// labels names what the drawing has, and numbers the floors and the domes at its edges. What
// comes first has the place.
function labels(v) {
  const {r, f, k, floor, dome, think, empty, imagined, noun} = v, all = [], tip = r.path.at(-1), low = has("floor") && k > 0, high = has("dome") && k > 0, last = Math.min(r.floors.length - 1, Math.floor(think ? r.limit : k));
  const {W, ox} = f, F = f.Y(floor), D = f.Y(dome), narrow = W < 300, [x, y] = [f.X(tip?.x ?? 0), f.Y(tip?.y ?? 0)], side = x < ox ? -1 : 1;
  const along = ([p, q]) => Array.from({length: 40}, (_, i) => p.map((from, c) => from + (q[c] - from) * i / 39)).map(([a, b]) => [a - 6, b - 6, a + 6, b + 6]); // no words cover an arrow
  const angle = bend(v)?.at, taken = [...shafts(v).flatMap(along), ...angle ? [[angle[0] - 20, angle[1] - 10, angle[0] + 20, angle[1] + 10]] : []];
  const put = placer(W, f.H, taken), add = (...words) => all.push(put(...words)), ends = (a, b) => [[ox + a, b], [ox - a, b, "end"]];
  const tick = (j) => {
    const now = j === last ? `${j} ${j === 1 ? noun.slice(0, -1) : noun}` : String(j); // a scale counts mistakes
    const mark = (side, from, y, words, ...anchor) => all.push(svg`<path class=${side + " tick"} d=${`M${from} ${y}h${from ? -8 : 8}`}/>`, put(words, side + " small", [from ? W - 11 : 11, y + 4, ...anchor]));
    if (low) mark("g", 0, f.Y(r.floors[j]), now);
    if (high) mark("r", W, f.Y(r.domes[j]), low && W < 400 ? String(j) : now, "end");
  };
  tick(last);
  if (r.path.length === 1) add("w = 0", "w strong", [ox + 10, f.oy - 8]);
  else if (tip && !turning(0)) add(imagined && !narrow ? `w after ${r.run}` : "w", "w strong", ...[side, -side].flatMap((s) => [-8, 18].flatMap((up) => [12, 24].map((far) => [x + far * s, y + up, s < 0 ? "end" : "start"]))));
  if (low) add(`floor kγ ${equals(r.texts[2], floor)}`, "g strong", ...(empty ? [-12] : [18, -12, 34]).flatMap((up) => [[W - 40, F + up, "end"], [ox - 12, F + up, "end"], [28, F + up], [ox + 12, F + up]]), [10, 38], [W - 10, 38, "end"]);
  if (empty && high) add("no room for w", narrow ? "strong small" : "strong", ...[21, 14, 28].flatMap((down) => [[28, F + down], [W - 28, F + down, "end"]])); // between floor and dome
  if (high) add(`dome ${r.name.replace(" R", "·R")} ${equals(r.texts[3], dome)}`, "r strong", ...empty ? [24, 38, 54].map((down) => [ox, D + down, "middle"]) : [D - 9, D - 24, D + 22, D + 38].flatMap((up) => [...ends(12, up), [ox, up, "middle"]]));
  if (high && low && !empty && (dome - floor) * f.s > (narrow ? 70 : 34)) add(imagined ? "w would be here" : "room for w", "strong", ...[0.72, 0.5, 0.3].flatMap((up) => [side, -side, 0].map((s) => [ox + s * dome * f.s * 0.25, f.Y(floor + up * (dome - floor)), "middle"])));
  if (has("u")) add("u", "g strong", ...[36, 56, 76, 96].flatMap((down) => ends(8, down)));
  add(r.flat ? "The mistakes’ arrows" : W < 300 ? "The tips of w" : "The tips of w: ⟨u, w⟩ up, the rest across", "caption", [10, 18]);
  for (let j = last - 1; j >= 0; j--) tick(j);
  return all;
}

function controls(r, b) {
  const gamma = (e) => ask({do: "gamma", x: e.target.valueAsNumber, gesture: "gamma"});
  return html`<div class="row slide"><label><b class="g">γ</b> <input id="gamma" type="range" min=${r.of / 2} max=${r.of * 2} step=${r.of / 100} .value=${String(r.gamma)} @input=${gamma}> <output>${r.texts[0]}</output></label>
    <span>${r.gamma > r.of * (1 + 1e-9) ? "not with these points" : html`at most <b>${Math.floor(r.limit)}</b> ${b.noun}`}</span></div>`;
}
