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

// The record of the opening: the run with the most mistakes so far, and its link.
const key = "perceptron-record";
export const record = () => {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? {k: 0};
  } catch {
    return app.record ?? {k: 0}; // a browser may refuse to keep anything
  }
};
export function beat(k, state) {
  if (k > record().k) app.record = {k, state};
  try {
    if (app.record) localStorage.setItem(key, JSON.stringify(app.record));
  } catch { /* then it stays until the page closes */ }
}

// promise is what the page says of the run: before, during and after it.
export function promise(picture) {
  const b = picture.boards[0], c = b.cards[0], k = Number.parseInt(c?.k), best = record(), over = !picture.running && k > 0;
  const bound = html`<b class="big">${c?.bound}</b>`;
  if (!c || !b.fields.origin) return nothing;
  if (!c.chart?.low.length) return html`<p class="promise">${/^none/.test(c.gamma) ? "No line through the middle separates these points" : "No line was found"}, so there is no promise. Drag one back, or press Undo.</p>`;
  if (over) beat(k, picture.state);
  const mine = k >= best.k && k > 0;
  return html`<p class="promise" role="status">${over ? html`It made <b class="big">${k}</b> of at most ${bound} mistakes. ${mine ? "Your record!" : ""}`
    : k > 0 ? html`Mistake <b class="big">${k}</b> of at most ${bound}.`
    : html`Promise: at most ${bound} mistakes, because (<b class="r">R</b>/<b class="g">γ</b>)² = (${c.r}/${c.gamma})² = ${c.limit}.`}</p>
    <p class="hint">${over ? html`${b.stop === "Converged" ? "Now all points are right. " : ""}Drag one towards the <b class="g">dashed line</b> between them: the promise grows. ` : ""}${best.k > 0 && !mine ? html`<a href=${"#" + best.state}>Your record: ${best.k}</a> ` : ""}${over || best.k > 0 ? html`<button type="button" class="text" data-copy>Copy a link to ${over && mine ? "your record" : "these points"}</button>` : ""}</p>`;
}
