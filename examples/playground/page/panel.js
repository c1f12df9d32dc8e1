// Draws the words about the last step, and the settings, numbers and charts of free play.
import {$, app, ask, equals, html, nothing, onPicture, redraw, show, symbols, text} from "./app.js";
import {name} from "./board.js";
import {question, words} from "./help.js";
import {promise, race} from "./race.js";
import {first} from "./opening.js";
import {places, record, victory} from "./record.js";

onPicture((picture) => {
  const {boards, move, room} = picture, over = move === "end" && room?.k > room?.limit;
  text($("#worth"), over && app.guess ? worth(Number(app.guess), Math.floor(room.limit), picture.worst || room.run) : "");
  $("#ending").hidden = !over;
  document.body.classList.toggle("ended", over);
  if (over) ending(record(), room);
  if (!app.motion) show($("#said"), html`${move === "opening" ? promise(picture) : boards.length > 1 ? nothing : said(boards[0], picture)}`);
  show($("#panels"), html`${move === "play" ? boards.map(panel) : nothing}`);
});

// worth says what a guess was worth. Two numbers are right: what the theorem promises, and the most
// that any order of these points makes.
function worth(guess, most, worst) {
  if (guess === most) return "Right: the promise!";
  if (guess === worst) return "Right for these points!";
  const far = guess > most ? guess - most : worst - guess;
  return guess > worst && guess < most ? "No order makes so many." : `${far} too ${guess > most ? "many" : "few"}.`;
}

// ending writes the numbers of the reader's own points into the theorem; without a run of
// theirs, those of this move.
function ending(best, {texts: [gamma, r, , , limit], limit: most, run}) {
  const {r: R, gamma: g, limit: l, most: m} = best ?? {r, gamma, limit, most: Math.floor(most)}, is = (R / g) ** 2 === Number(l) ? "=" : "≈";
  const won = victory(), mine = best && places(best.state) !== places(first), other = best && best.most <= 255 && (best.k !== run || Number(best.most) !== Math.floor(most));
  text($("#own"), mine ? "Your points" : best ? "The first points" : "These points");
  text($("#numbers"), `(${R}/${g})² ${is} ${l}, so at most ${m}`);
  show($("#again"), html`${other ? html`See it with <a href=${"#" + best.state.replace("c=1&", `c=${app.picture.chapter}&suppose=${Number(best.most) + 1}&`)}>${mine ? "your own points" : "the first points"}</a>, which made ${best.k} mistakes. ` : nothing}
    ${won ? html`On <a href=${"#" + won}>the points with which you won</a> no line separates, so there is no <b class="g">u</b>, and no floor.` : html`Then try again to <a href=${"#" + (best?.state ?? 1)}>make it fail</a>.`}`);
}

// said is the sentences about the last step: in the proof, those that a move has explained.
function said(b, {move, room, wide, worst}) {
  const card = b.cards[0], proof = wide && move !== "lengths" && b.cards.length === 1 && card.along, think = room?.say.length > 0;
  const lines = think ? room.say.slice(1) : proof ? [["play", "floor", "bias"].includes(move) && card.along, ["play", "angle", "dome", "bias"].includes(move) && card.size + (move === "angle" ? angle(room) : "")].filter(Boolean) : [];
  const point = move !== "play" && app.chosen >= 0 ? b.marks[app.chosen] : null;
  if (move === "lengths" || move === "contradiction") return html`<p class="status" role="status">${move === "lengths" && room ? html`<span class="m"><b class="g">γ</b> ${equals(room.texts[0], room.gamma)}</span> and <span class="m"><b class="r">R</b> ${equals(room.texts[1], room.r)}.</span>` : b.verdict.replace(/\. .*/, ".")}</p>`;
  if (move === "end" && room?.k > room?.limit) return climax(room, worst);
  return html`<p class="status" role="status">${symbols(think ? room.say[0] : told(b.status, move))}</p>
    ${think || !b.sum ? nothing : html`<p class="sum">${b.sum.replaceAll(", ", ",\u00a0")}</p>`}${lines.length ? html`<p class="proof">${lines.map((l, i) => html`<span class=${i > 0 && move === "bias" ? "aside" : ""}>${symbols(l)} </span>`)}</p>` : nothing}
    ${move === "room" && room?.path.length > 1 ? caught(room) : nothing}${point ? html`<p class="score">Point ${app.chosen + 1}: ${point.score || "no score yet"}</p>` : nothing}`;
}

// caught writes the four lengths of move 8, one below the other.
function caught({path, texts, floors, domes, k}) {
  const {x, y} = path.at(-1), three = (v) => equals(String(Number(v.toPrecision(3))), v);
  return html`<p class="caught"><span class="g">kγ ${equals(texts[2], floors[k])}</span> ≤ <span>⟨u, w⟩ ${three(y)}</span> ≤ <span>‖w‖ ${three(Math.hypot(x, y))}</span> ≤ <span class="r">√k·R ${equals(texts[3], domes[k])}</span></p>`;
}

// climax is the number, once no room is left. What the guess was worth stands beside it.
function climax(room, worst) {
  const most = Math.floor(room.limit);
  return html`<p class="promise" role="status">So it must stop: at most <b class="big">${most}</b> mistakes.</p><p class="proof"><span class="aside">At ${room.k} the <b class="g">floor</b> (${room.texts[2]}) is above the <b class="r">dome</b> (${room.texts[3]}): no room. </span>This run made ${room.run}${worst === room.run ? ", the most for these points in any order" : ""}; ${most} is for all points with this <b class="g">γ</b> and <b class="r">R</b>.</p>
    <button type="button" class="text" @click=${() => $("#ending").scrollIntoView()}>The theorem</button>`;
}

// told is a status in a move: until the climax, the limit is not known yet. That the line
// tilts, one sees.
const told = (status, move) => move === "play" ? status : status.replace(["half", "bias"].includes(move) ? "" : / \(at most [^)]*\)/, "").replace(/ The line tilts.*/, "").replace("is on the right side", "is right");
const angle = (room) => room?.angle ? ` The angle to the old w is ${Math.round(room.angle)}°.` : "";
$("#guess").addEventListener("input", (e) => {
  app.guess = e.target.value;
  redraw();
});

// sliders set w and b by hand.
export function sliders(b, i) {
  return html`<div class="fields sliders">${["w1", "w2", ...(b.fields.origin ? [] : ["b"])].map((key) => html`<label title=${words[key]}>${{w1: "w₁", w2: "w₂", b: "b"}[key]}
    <output>${String(b.fields[key]).replace("-", "−")}</output>
    <input name=${key} type="range" min="-3" max="3" step="0.05" .value=${String(b.fields[key])} @input=${(e) => ask({do: "set", board: i, name: key, text: e.target.value, gesture: key + i})}></label>`)}</div>`;
}

function panel(b, i) {
  const pic = app.picture, two = pic.boards.length > 1, hand = b.fields.model === "By hand", title = name(b, i);
  return html`<section class="panel" aria-label=${title}>
    ${two ? html`<h2>${title}</h2><p class="sum">${b.sum}</p>` : nothing}
    <p class="verdict">${i === 0 || b.verdict !== pic.boards[0].verdict ? b.verdict : nothing}</p>
    ${settings(b, i)}
    <div class="cards">${b.cards.map((c) => card(c, b))}</div>
    <div class="card">${facts({stop: hand ? null : b.stop, epochs: hand ? null : b.epoch, right: b.right, w: b.w, bias: b.b})}</div>
  </section>`;
}

function settings(b, i) {
  const f = b.fields, hand = f.model === "By hand", of = app.picture.boards.length > 1 ? ` of board ${i + 1}` : "";
  const set = (e) => ask({do: "set", board: i, name: e.target.name, text: e.target.type === "checkbox" ? String(e.target.checked) : e.target.value});
  const select = (key, title, list, off) => html`<label title=${words[key]}>${title}<select name=${key} aria-label=${title + of} ?disabled=${off} .value=${f[key]} @change=${set}>${list.map((o) => html`<option ?selected=${o === f[key]}>${o}</option>`)}</select></label>`;
  return html`${hand ? sliders(b, i) : nothing}<details class="settings" open><summary>Model and settings</summary><div class="fields">
    ${select("model", "Model", app.picture.models, false)}${select("order", "Order", ["Cyclic", "Shuffled", "Sampled"], hand)}${select("keep", "Keep", ["Last", "Average", "Pocket"], hand)}
    <label title=${words.eta}>Rate η<input name="eta" type="number" min="0" step="any" aria-label=${"Rate η" + of} ?disabled=${hand} .value=${String(f.eta)} @change=${set}></label>
    <label title=${words.gammaprime}>γ′ of Margin<input name="gamma" type="number" min="0" step="any" aria-label=${"γ′ of Margin" + of} placeholder="θ = ηR²" ?disabled=${!f.model.endsWith("Margin")} .value=${f.gamma ? String(f.gamma) : ""} @change=${set}></label>
    <label class="choice" title=${words.origin}><input name="origin" type="checkbox" aria-label=${"Through the origin" + of} .checked=${f.origin} @change=${set}>Through 0</label>
    ${question("model order keep eta gammaprime origin w1 w2 b", "each setting")}</div></details>`;
}

// facts writes pairs of terms and numbers. The keys are those of the help.
const terms = {stop: "Training", epochs: "Last epoch", right: "Right now", w: "w", bias: "b", k: "k", kmax: "k ≤", length: "‖w‖", r: "R", gamma: "γ", margin: "Margin of the line"};
function facts(all) {
  return html`<dl class="facts">${Object.entries(all).filter(([, value]) => value !== null).map(([key, value]) => html`<dt>${symbols(terms[key])}${question(key, terms[key])}</dt><dd data-of=${key}>${value}</dd>`)}</dl>`;
}

function card(c, b) {
  const hand = b.fields.model === "By hand";
  return html`<section class="card only"><h2>${c.title}</h2>
    ${c.along ? html`<p class="proof">${symbols(c.along)}<br>${symbols(c.size)}</p>` : nothing}${c.chart ? html`${race(c, 400, 220, {names: [c.chart.name, c.chart.base]})}<p class="hint">‖w‖ after each update ${question("chart", "the chart")}</p>` : nothing}
    ${facts({k: hand ? null : c.k, kmax: hand ? null : c.bound, length: c.length, r: c.r, gamma: c.gamma, margin: c.margin})}</section>`;
}
