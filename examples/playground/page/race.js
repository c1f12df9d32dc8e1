// Draws the race of the opening: the floor and the dome above the number of mistakes, and
// each mistake of the run as a dot between them.
import {app, html, nothing, svg} from "./app.js";
import {label, line} from "./room.js";

// race has the width and the height of its place, and the names of the curves. The chart's
// places are in shares.
export function race(card, W, H, [upper, lower, dot] = ["w is at most this long", "w is at least this long", "dots: length of w"]) {
  const c = card?.chart, left = 12, right = W - 10, low = H - 34, top = 14;
  if (!c) return html`<figure class="race"></figure>`;
  const x = (s) => left + (right - left) * s, y = (s) => low - (low - top) * s, places = (list) => list.map(([u, v]) => [x(u), y(v)]);
  const meets = c.low.length > 0 && c.meet[0] > 0, [mx, my] = [x(c.meet[0]), y(c.meet[1])], dots = c.dots.slice(1), half = c.high[Math.round(c.high.length * 0.8)], wide = W > 260;
  const inside = c.high.filter(([u]) => u <= c.meet[0]).concat([c.meet]);
  const words = `${card.k} of at most ${card.bound}: ‖w‖ after each mistake, between the floor and the dome`;
  return html`<figure class="race"><svg viewBox=${`0 0 ${W} ${H}`} role="img" aria-label=${words}>
    ${meets ? svg`<path class="between" d=${line(places(inside)) + "Z"}/>` : nothing}
    <path class="axis" d=${`M${left} ${top - 6}V${low}H${right}`}/>
    <path class="dome" d=${line(places(c.high))}/>${c.low.length ? svg`<path class="floor" d=${line(places([c.low[0], c.low.at(-1)]))}/>` : nothing}
    ${dots.map(([u, v]) => svg`<circle class="dot" cx=${x(u)} cy=${y(v)} r=${dots.length > 60 ? 2.2 : 3.6}/>`)}
    ${meets ? svg`<path class="level" d=${`M${mx} ${my}V${low}`}/><circle class="last" cx=${mx} cy=${my} r="6"/>
      ${label(mx, low + 18, card.bound, "strong", "middle")}${label(mx - 10, my - 12, wide ? "no room for w" : "no room", "strong", "end")}
      ${wide ? label(right - 4, y(0.46 * c.low.at(-1)[1]), lower, "g strong", "end") : nothing}` : nothing}
    ${wide ? label(Math.max(x(half[0]) - 8, left + 176), Math.max(16, y(half[1]) - 10), upper, "r strong", "end") : nothing}
    ${label(left, low + 18, "mistakes", "small caption")}${dot ? label(left, H - 3, dot, "small caption") : nothing}
  </svg></figure>`;
}

// The record of the opening: the run that reached the largest share of its promise, and its
// link. A large promise is easy, and a large share is not. The first run is none yet.
const key = "perceptron-share";
export const record = () => {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? app.record;
  } catch {
    return app.record; // a browser may refuse to keep anything
  }
};
const percent = (k, most) => Math.floor(100 * k / Number(most));
function beat(run) {
  const best = record();
  if (best && run.k / Number(run.most) <= best.k / Number(best.most)) return;
  app.record = {...run, first: best === null};
  try {
    localStorage.setItem(key, JSON.stringify(app.record));
  } catch { /* then it stays until the page closes */ }
}

// promise is what the page says of the run: before, during and after it.
export function promise(picture) {
  const b = picture.boards[0], c = b.cards[0], k = Number.parseInt(c?.k), over = !picture.running && k > 0;
  const bound = html`<b class="big">${c?.bound}</b>`;
  if (!c || !b.fields.origin) return nothing;
  if (!c.chart?.low.length) return html`<p class="promise" role="status">${!/^none/.test(c.gamma) ? "No line was found, so there is no promise." : html`<b>You made it fail:</b> no line through the centre separates these points, so nothing is promised. ${k > 0 ? html`Mistake <b class="big">${k}</b>${over ? "" : ", and no end"}.` : "Let it learn, and see."}`}</p><p class="hint">It is the only way to make it fail. Drag a point back to have a promise.</p>`;
  if (over) beat({k, state: picture.state, most: c.bound, r: c.r, gamma: c.gamma, limit: c.limit});
  const best = record(), mine = over && best?.state === picture.state;
  return html`<p class="promise" role="status">${over ? html`It made <b class="big">${k}</b> of at most ${bound} mistakes: ${String(k) === c.bound ? "all of them. Nothing can be worse." : html`${percent(k, c.bound)} %.`} ${mine && !best.first ? "Your record!" : ""}`
    : k > 0 ? html`Mistake <b class="big">${k}</b> of at most ${bound}.`
    : html`Promise: at most ${bound} mistakes, because (<b class="r">R</b>/<b class="g">γ</b>)² = (${c.r}/${c.gamma})² = ${c.limit}.`}</p>
    <p class="hint">${over ? html`${b.stop === "Converged" ? html`<span class="aside">Now all points are right. </span>` : ""}Drag one towards the <b class="g">dashed line</b> between them: the promise grows. ` : ""}${best && !mine ? html`<a href=${"#" + best.state}>Your best: ${best.k} of ${best.most} (${percent(best.k, best.most)} %)</a> ` : ""}${over || best ? html`<button type="button" class="text" data-copy>Copy a link to ${mine && !best.first ? "your record" : "these points"}</button>` : ""}</p>`;
}
