// Draws what stands right of the board: the weight space with its floor and its dome, the
// scores of a line set by hand, or the question for a guess.
import {$, app, ask, classNames, html, nothing, onPicture, redraw, show, svg, turning} from "./app.js";
import {sliders} from "./panel.js";

// parts says which parts of the weight space a move has explained. All others have all.
const parts = {2: "", 4: "u floor", 5: "u angle"};
const has = (part) => (parts[app.picture.chapter] ?? "u floor angle dome strip").includes(part);
const root = $("#room");

onPicture((picture) => {
  const {chapter, room} = picture, hand = picture.boards.length === 1 && picture.boards[0].fields.model === "By hand";
  const kind = hand ? "hand" : chapter === 3 ? "guess" : room ? "space" : "none";
  $("main").dataset.room = kind;
  show(root, {hand: scores, guess, none: () => nothing, space}[kind](picture));
});
new ResizeObserver(() => redraw()).observe(root);

// scores shows each point above its score.
function scores({boards: [b], points}) {
  return html`${sliders(b, 0)}<figure class="scores"><svg viewBox="-110 -30 220 62" role="img" aria-label="The scores of the points">
    <rect class="plus" x="0" y="-30" width="110" height="45"/><rect class="minus" x="-110" y="-30" width="110" height="45"/>
    <path class="axis" d="M-105 5H105M0-28V12"/><text x="0" y="20" text-anchor="middle">0</text>
    <text x="104" y="26" text-anchor="end">score above 0: prediction +</text><text x="-104" y="26">score below 0: prediction −</text>
    ${points.map((p, i) => svg`<g class=${"point " + classNames[p.label]} transform=${`translate(${100 * b.marks[i].level} ${p.label > 0 ? -8 : -18})`}>
      <path class="drop" d=${p.label > 0 ? "M0 0V13" : "M0 0V23"}/>${p.label > 0 ? svg`<circle class="body" r="3.4"/>` : svg`<rect class="body" x="-3" y="-3" width="6" height="6"/>`}
      <path class="sign" d=${p.label > 0 ? "M-1.8 0H1.8M0-1.8V1.8" : "M-1.8 0H1.8"}/></g>`)}
  </svg></figure>`;
}

function guess({room}) {
  return html`<div class="card"><h2>How many mistakes are possible at most?</h2>
    <p>In this order there were 7. Think of the worst order.</p>
    ${room ? html`<p>Here <b class="g">γ</b> = ${room.texts[0]}, and <b class="r">R</b> = ${room.texts[1]}.</p>` : nothing}
    <label>My guess <input id="guess" type="number" min="1" max="999" .value=${app.guess} @input=${(e) => { app.guess = e.target.value; }}></label>
    <p class="hint">The next three moves find the answer: how far <b class="w">w</b> must climb, and how long it can be.</p></div>`;
}

// A frame has the sizes of the drawing in pixels, and the functions from lengths to pixels.
function frame(r) {
  const box = root.getBoundingClientRect(), W = Math.max(300, Math.round(box.width)), H = Math.max(260, Math.round(box.height) - (controlled() ? 48 : 0));
  const strip = has("strip") ? Math.max(96, Math.min(200, W * 0.22)) : 0, width = W - strip, near = parts[app.picture.chapter] !== undefined; // the first moves show only the run
  const top = near ? Math.max(0.55 * r.height, ...r.path.map((t) => 1.2 * Math.hypot(t.x, t.y))) : r.height, bottom = -0.05 * top;
  const s = Math.min(H / (top - bottom), (width - 40) / (top / 1.1)), ox = width / 2, oy = H + bottom * s;
  return {W, H, width, s, ox, oy, X: (x) => ox + s * x, Y: (y) => oy - s * y, at: ([x, y]) => [ox + s * x, oy - s * y]};
}
const controlled = () => [0, 9, 11].includes(app.picture.chapter);
const short = (v) => String(Number(v.toPrecision(3)));
const mid = (list, k) => { const i = Math.min(Math.floor(k), list.length - 2); return list[i] + (k - i) * (list[i + 1] - list[i]); };
const path = (places) => "M" + places.map((p) => p.map((v) => v.toFixed(1)).join(" ")).join("L");
const label = (x, y, words, kind = "", anchor = "start") => svg`<text class=${kind} x=${x} y=${y} text-anchor=${anchor}>${words}</text>`;

function arrow(p, q, kind, width) {
  const d = [q[0] - p[0], q[1] - p[1]], long = Math.hypot(...d);
  if (long < 1) return nothing;
  const h = Math.min(5 + 2.6 * width, long * 0.6), [a, b] = d.map((v) => v / long), m = [q[0] - h * a, q[1] - h * b], t = h * 0.48;
  return svg`<g class=${"arrow " + kind}><path stroke-width=${width} d=${path([p, [q[0] - h * 0.7 * a, q[1] - h * 0.7 * b]])}/>
    <path class="head" d=${path([q, [m[0] - t * b, m[1] + t * a], [m[0] + t * b, m[1] - t * a]]) + "Z"}/></g>`;
}

// space draws the weight space, and the controls below it.
function space({room: r, boards: [b], chapter}) {
  const f = frame(r), think = r.gamma !== r.of, slide = turning(0) && !think ? app.motion.turn : 1;
  const k = think ? r.limit : Math.max(0, r.k - 1 + slide), v = {r, f, think, slide, k, imagined: r.k > r.run, empty: !think && r.k > r.limit, noun: b.noun};
  v.meet = chapter === 0 && r.circle && (think || v.empty); // no move explains this circle
  v.floor = think ? r.meet : mid(r.floors, k);
  v.dome = think ? r.meet : mid(r.domes, k);
  return html`<figure class="space"><svg viewBox=${`0 0 ${f.W} ${f.H}`} role="img" aria-label=${described(r, b)}>
      <clipPath id="clip"><rect width=${f.width} height=${f.H}/></clipPath>
      <g clip-path="url(#clip)">${has("dome") || has("floor") ? walls(v) : nothing}${trail(v)}</g>
      ${labels(v)}${has("strip") ? strip(v) : nothing}
    </svg></figure>${controlled() ? controls(r, b, chapter) : nothing}`;
}

function described(r, b) {
  const tip = r.path.at(-1), where = tip && r.k === r.run ? `The tip of w is ${short(tip.y)} along u and ${short(Math.hypot(tip.x, tip.y))} from 0.` : "";
  return `Weight space after ${r.k} ${b.noun}. The floor is at ${r.texts[2]}, the top of the dome at ${r.texts[3]}. ${where} ${r.say.join(" ")}`;
}

// walls draws the floor and the dome, what is outside of them, and the room between them.
function walls({r, f, think, k, floor, dome, empty, imagined, meet}) {
  if (k === 0) return nothing;
  const low = has("floor"), high = has("dome"), R = dome * f.s, half = Math.sqrt(Math.max(0, dome * dome - floor * floor)), y = f.Y(floor);
  const circle = (radius) => `M${f.ox - radius} ${f.oy}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`;
  const before = Array.from({length: Math.max(0, Math.ceil(think ? r.limit : k) - 1)}, (_, i) => i + 1).filter((j) => j < r.floors.length);
  return svg`${low ? svg`<rect class="low" x="0" y=${y} width=${f.width} height=${Math.max(0, f.H - y)}/>` : nothing}
    ${high ? svg`<path class="far" fill-rule="evenodd" d=${`M-4000-4000H8000V8000H-4000Z${circle(R)}`}/>` : nothing}
    ${high && !empty ? svg`<path class="between" d=${`M${f.at([-half, floor])}A${R} ${R} 0 0 1 ${f.at([half, floor])}Z`}/>` : nothing}
    ${high && meet ? svg`<circle class="meet" cx=${f.ox} cy=${f.Y(r.meet / 2)} r=${r.meet / 2 * f.s}/>` : nothing}
    ${before.map((j) => svg`${low ? svg`<path class="floor thin" d=${`M36 ${f.Y(r.floors[j])}H${f.width - 36}`}/>` : nothing}
      ${high && imagined ? svg`<circle class="dome thin" cx=${f.ox} cy=${f.oy} r=${r.domes[j] * f.s}/>` : nothing}`)}
    ${high ? svg`<circle class="dome" cx=${f.ox} cy=${f.oy} r=${R}/>` : nothing}${low ? svg`<path class="floor" d=${`M36 ${y}H${f.width - 36}`}/>` : nothing}
    ${high && low && Math.abs(floor - dome) < 1e-6 * dome ? svg`<circle class="last" cx=${f.ox} cy=${y} r="6"/>` : nothing}`;
}

// trail draws u and the way of w: the last ten arrows, and a thin line for those before.
function trail({r, f, slide, think, imagined}) {
  const tips = r.path.map((t) => [t.x, t.y]), n = tips.length - 1, past = think || imagined, from = Math.max(0, n - 10);
  const up = has("u") ? svg`<path class="up" d=${`M${f.ox} ${f.oy}V0`}/>` : nothing;
  if (n < 1) return svg`${up}<circle class="origin" cx=${f.ox} cy=${f.oy} r="4"/>`;
  const moved = ([x, y], j) => j === n && slide < 1 ? [tips[n - 1][0] * slide, tips[n - 1][1] * slide, x - tips[n - 1][0], y - tips[n - 1][1]] : null;
  const arrows = tips.map((q, j) => {
    if (j <= from) return nothing;
    const m = moved(q, j), p = tips[j - 1];
    return arrow(f.at(m ? [m[0], m[1]] : p), f.at(m ? [m[0] + m[2], m[1] + m[3]] : q), classNames[r.path[j].class] + (past ? " past" : ""), j === n && !past ? 3.6 : 2);
  });
  const end = slide < 1 ? tips[n - 1] : tips[n];
  return svg`${up}${r.angle && !past && slide === 1 && r.flat && has("angle") ? corner(r, f, tips) : nothing}
    <path class="trail" d=${path((r.flat ? tips.slice(0, from + 1) : tips.slice(0, slide < 1 ? n : n + 1)).map(f.at))}/>
    ${arrow(f.at([0, 0]), f.at(end), "w" + (past ? " past" : ""), 4)}${r.flat ? arrows : nothing}
    ${tips.slice(1, r.flat ? n : n + 1).map((t) => svg`<circle class="tip" cx=${f.X(t[0])} cy=${f.Y(t[1])} r=${r.flat ? 2.4 : 3.4}/>`)}
    <circle class="origin" cx=${f.ox} cy=${f.oy} r="4"/>`;
}

// corner shows the angle of the last arrow with the w before it, and where the tip can be.
function corner(r, f, tips) {
  const n = tips.length - 1, p = tips[n - 1], v = [tips[n][0] - p[0], tips[n][1] - p[1]], long = Math.hypot(...p), e = p.map((x) => x / long), d = [-e[1], e[0]];
  const q = (a, b) => f.at([p[0] + d[0] * a + e[0] * b, p[1] + d[1] * a + e[1] * b]), side = v[0] * d[0] + v[1] * d[1] > 0 ? 1 : -1;
  const m = 12 / f.s, turn = r.angle * Math.PI / 180, radius = r.r * f.s, arc = Array.from({length: 25}, (_, i) => q(side * 30 / f.s * Math.sin(turn * i / 24), 30 / f.s * Math.cos(turn * i / 24)));
  const words = q(side * 48 / f.s * Math.sin(turn / 2), 48 / f.s * Math.cos(turn / 2)), name = q(-side * r.r * 0.45, -16 / f.s);
  return svg`<path class="half" d=${`M${q(r.r, 0)}A${radius} ${radius} 0 0 0 ${q(-r.r, 0)}Z`}/><path class="old" d=${path([f.at([0, 0]), q(0, 60 / f.s)])}/>
    <path class="angle" d=${path([q(side * m, 0), q(side * m, m), q(0, m)])}/><path class="angle" d=${path(arc)}/>
    ${label(words[0], words[1] + 5, Math.round(r.angle) + "°", "strong", "middle")}${label(name[0], name[1] + 5, "R", "r", "middle")}`;
}

// labels names what the drawing has, and numbers the floors and the domes at its edges.
function labels({r, f, k, floor, dome, think, empty, imagined, meet, noun}) {
  const all = [], tip = r.path.at(-1), low = has("floor") && k > 0, high = has("dome") && k > 0, last = Math.min(r.floors.length - 1, Math.floor(think ? r.limit : k));
  all.push(label(10, 18, r.flat ? "All mistakes’ arrows, tip to tail" : "The tips of w: ⟨u, w⟩ up, the rest of ‖w‖ across", "caption"));
  if (has("u")) all.push(label(f.ox + 8, r.flat && f.width > 420 ? 18 : 36, "u", "g strong"));
  if (tip && r.path.length > 1 && !turning(0)) all.push(label(f.X(tip.x) + (tip.x < 0 ? -12 : 12), f.Y(tip.y) - 8, imagined ? `w after ${r.run}` : "w", "w strong", tip.x < 0 ? "end" : "start"));
  else if (r.path.length === 1) all.push(label(f.ox + 10, f.oy - 8, "w = 0", "w strong"));
  const every = Math.max(1, Math.ceil(13 / (f.s * r.gamma)));
  let above = 1e9;
  for (let j = 0; j <= last; j++) {
    const y = f.Y(r.floors[j]), z = f.Y(r.domes[j]), count = j === 0 ? "0 " + noun : j; // the ruler’s name
    if (low) all.push(svg`<path class="g tick" d=${`M0 ${y}H8`}/>`, j === last || j % every === 0 && last - j >= every ? label(11, y + 4, count, "g small") : nothing);
    if (!high) continue;
    all.push(svg`<path class="r tick" d=${`M${f.width} ${z}H${f.width - 8}`}/>`);
    if (j === last || above - z > 13 && z - f.Y(r.domes[last]) > 13) all.push(label(f.width - 11, z + 4, count, "r small", "end"));
    if (above - z > 13) above = z;
  }
  const tight = floor > dome * 0.94;
  if (low) all.push(label(f.width - 40, tight ? f.Y(floor) - 8 : f.Y(floor) + 18, `floor kγ = ${r.texts[2]}`, "g strong", "end"));
  if (high) all.push(label(f.ox + (f.width < 360 ? 0 : tight ? -10 : 12), empty ? f.Y(dome) + 22 : Math.max(34, f.Y(dome) - 9), `dome ${r.name.replace(" R", "·R")} = ${r.texts[3]}`, "r strong", f.width < 360 ? "middle" : tight ? "end" : "start"));
  if (high && meet) all.push(label(f.ox, f.Y(r.meet * 0.84), "w never leaves this circle", "small caption", "middle"));
  if (high && empty) all.push(label(f.width * 0.78, f.Y(dome) + 24, "no room for w", "strong", "middle"));
  else if (high && (dome - floor) * f.s > (f.width < 360 ? 70 : 34)) all.push(label(f.ox + Math.sign(tip?.x ?? 0) * dome * f.s * 0.25, f.Y(floor + 0.72 * (dome - floor)), imagined ? "w would be here" : "room for w", "strong", "middle"));
  return all;
}

// strip draws the heights above k: kγ, ⟨u, w⟩, ‖w‖ and √k·R.
function strip({r, f, k, floor, dome, think, imagined, empty}) {
  const x0 = f.width + 18, x1 = f.W - 10, X = (j) => x0 + (x1 - x0) * j / (r.limit * 1.12), whole = think || empty || [0, 8].includes(app.picture.chapter) || app.picture.chapter > 8;
  const end = whole ? r.limit * 1.1 : k, upper = r.curve.filter((c) => c[0] <= end + 1e-9), inside = r.curve.filter((c) => c[0] <= Math.min(end, r.limit)), tip = r.path.at(-1);
  const places = (list) => list.map(([j, z]) => [X(j), f.Y(z)]), x = X(k), lx = Math.min(x + 8, f.W - 44);
  if (!whole && k > 0) for (const list of [upper, inside]) list.push([k, dome]);
  return svg`<path class="edge" d=${`M${f.width} 0V${f.H}`}/><path class="axis" d=${`M${x1} ${f.oy}H${x0}V28`}/>${label(x0 - 8, 18, "Heights", "caption")}${label(Math.max(x0 + 8, Math.min(x, x1 - 18)), f.oy + 13, "k = " + (think ? r.texts[4] : Math.round(k)), "strong small", "middle")}
    ${k === 0 ? nothing : svg`<path class="between" d=${path([...places(inside), [X(Math.min(end, r.limit)), f.Y(Math.min(end, r.limit) * r.gamma)]]) + "Z"}/>
    <path class="dome fine" d=${path(places(upper))}/><path class="floor fine" d=${path([[x0, f.oy], [X(end), f.Y(end * r.gamma)]])}/>
    <path class="r level" d=${`M${f.ox} ${f.Y(dome)}H${x}`}/><path class="g level" d=${`M${f.width} ${f.Y(floor)}H${x}`}/>
    <circle class="g dot" cx=${x} cy=${f.Y(floor)} r="4"/><circle class="r dot" cx=${x} cy=${f.Y(dome)} r="4"/>
    ${think || imagined || !tip || turning(0) ? nothing : svg`<path class="level" d=${`M${f.X(tip.x)} ${f.Y(tip.y)}H${x}`}/><circle class="dot" cx=${x} cy=${f.Y(Math.hypot(tip.x, tip.y))} r="4"/><circle class="ring" cx=${x} cy=${f.Y(tip.y)} r="4"/>
      ${spread([[dome, "√k·R", "r"], [Math.hypot(tip.x, tip.y), "‖w‖", "w"], [tip.y, "⟨u, w⟩", ""], [floor, "kγ", "g"]], f).map(([y, words, kind]) => label(lx, y + 4, words, "small " + kind))}`}`}`;
}

// spread keeps labels apart, from the top down.
function spread(list, f) {
  const all = list.map(([v, ...rest]) => [f.Y(v), ...rest]);
  for (let i = all.length - 2; i >= 0; i--) all[i][0] = Math.min(all[i][0], all[i + 1][0] - 14);
  return all.map(([y, words, kind]) => [y, words.replace("√k·R", app.picture.room.name.replace(" R", "·R")), kind]);
}

function controls(r, b, chapter) {
  const gamma = (e) => ask({do: "gamma", x: e.target.valueAsNumber, gesture: "gamma"}), eta = (e) => ask({do: "set", name: "eta", text: e.target.value, gesture: "eta"});
  return html`<div class="row slide">${chapter === 11 ? html`<label>η <input id="rate" type="range" min="0.25" max="3" step="0.25" .value=${String(b.fields.eta)} @input=${eta}> <output>${b.fields.eta}</output></label>`
    : html`<label><b class="g">γ</b> <input id="gamma" type="range" min=${r.of / 2} max=${r.of * 2} step=${r.of / 100} .value=${String(r.gamma)} @input=${gamma}> <output>${r.texts[0]}</output></label>
      <span>${r.gamma > r.of * (1 + 1e-9) ? "not with these points" : html`at most <b>${Math.floor(r.limit)}</b> ${b.noun}`}</span>`}</div>`;
}
