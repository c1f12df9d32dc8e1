// Draws the race of the opening: each mistake of a run as a dot, between the floor and the dome.
// Says what the run did.
import {html, nothing, svg} from "./app.js";
import {beat, fresh, places, record, victory, win} from "./record.js";
import {label, line} from "./room.js";

// race has the width and the height of its place, and the names of the curves. The chart's
// places are in shares. Of a run that goes round, the last round has the length period.
export function race(card, W, H, {period = 0, names: [upper, lower, axis] = ["w is at most this long", "w is at least this long", "length of w"]} = {}) {
  const c = card?.chart, left = 12, right = W - 10, low = H - 22, top = 26, dots = c?.dots.slice(1) ?? [];
  if (!c || fresh() && dots.length < 2) return html`<figure class="race"></figure>`;
  const x = (s) => left + (right - left) * s, y = (s) => low - (low - top) * s, places = (list) => list.map(([u, v]) => [x(u), y(v)]);
  const meets = c.low.length > 0 && c.meet[0] > 0, [mx, my] = [x(c.meet[0]), y(c.meet[1])], wide = W > 260, k = Number.parseInt(card.k);
  const half = c.high[Math.round(c.high.length * 0.8)] ?? [0, 0], named = Math.max(x(half[0]) - 8, left + 176), inside = c.high.filter(([u]) => u <= c.meet[0]).concat([c.meet]);
  const [end] = dots.at(-1) ?? [0], since = end * (1 - period / k), peak = Math.min(low, ...dots.map(([, v]) => y(v)));
  const words = fresh() ? `${card.k}: each is a dot` : `${card.k} of at most ${card.bound}: ‖w‖ after each mistake, between the floor and the dome`;
  const under = y((c.low.at(-1)?.[1] ?? 0) * Math.max(0, mx - 190 - left) / (right - left)) + 24; // below the floor, where its name begins
  const curves = svg`${meets ? svg`<path class="between" d=${line(places(inside)) + "Z"}/>` : nothing}
    ${period > 0 ? svg`<path class="between" d=${`M${x(since)} ${low}H${x(end)}V${peak - 8}H${x(since)}Z`}/>${label(x(end), peak - 14, "one round", "small", "end")}` : nothing}
    <path class="dome" d=${line(places(c.high))}/>${c.low.length ? svg`<path class="floor" d=${line(places([c.low[0], c.low.at(-1)]))}/>` : nothing}`;
  const names = () => svg`${meets ? svg`<path class="level" d=${`M${mx} ${my}V${low}`}/><circle class="last" cx=${mx} cy=${my} r="6"/>
      ${label(mx, low + 18, card.bound, "strong", "middle")}${label(mx - 10, my - 12, wide ? "no room for w" : "no room", "strong", "end")}
      ${wide ? label(mx - 8, Math.min(under, low - 8), lower, "g strong", "end") : nothing}`
      : label(right, low + 17, W > 340 ? "no lower limit: w need not grow" : "no lower limit", "g strong", "end")}
    ${wide ? label(named, Math.max(16, y((c.high.find(([u]) => x(u) >= named) ?? half)[1]) - 10), upper, "r strong", "end") : nothing}`;
  return html`<figure class="race"><svg viewBox=${`0 0 ${W} ${H}`} role="img" aria-label=${words}>
    ${fresh() ? nothing : curves}<path class="axis" d=${`M${left} ${top - 6}V${low}H${right}`}/>
    ${dots.map(([u, v]) => svg`<circle class="dot" cx=${x(u)} cy=${y(v)} r=${dots.length > 60 ? 2.2 : 3.6}/>`)}
    ${fresh() ? nothing : names()}
    ${wide || meets || fresh() ? label(left, low + 16, "mistakes", "small caption") : nothing}${axis ? label(left - 4, 14, axis, "small caption") : nothing}
  </svg></figure>`;
}

// promise is what the page says of the run: before, during and after it.
export function promise(picture) {
  const b = picture.boards[0], c = b.cards[0], k = Number.parseInt(c?.k), over = !picture.running && k > 0, count = html`<b class="big">${k}</b>`;
  const moves = html`<p class="hint">Each mistake moves the arrow <b class="w">w</b>. The line is at a right angle to it.</p>`;
  if (!c) return html`<p class="promise" role="status">There are no points. Click the board to add one.</p>`;
  if (!b.fields.origin) return nothing;
  if (fresh() && k < 2) return html`<p class="promise" role="status">Make it go on for ever: drag points anywhere, then let it learn.</p>`;
  if (fresh()) return html`<p class="promise" role="status">${over ? html`It made ${count} mistakes, then no more.` : html`Mistake ${count}.`}</p>${moves}`;
  if (!c.chart?.low.length) return lost(picture, k, over);
  if (over) beat({k, state: picture.state, most: c.bound, r: c.r, gamma: c.gamma, limit: c.limit});
  const best = record(), won = victory(), mine = over && best?.state === picture.state, bound = html`<b class="big">${c.bound}</b>`, once = k === 1 ? "mistake" : "mistakes";
  return html`<p class="promise" role="status">${over ? html`It made ${count} ${once}, then no more. A theorem promises: at most ${bound}.${mine && !best.first && !won ? " Your record!" : ""}`
    : k > 1 ? html`Mistake ${count}. A theorem promises: at most ${bound}.` : html`A theorem promises: at most ${bound} ${c.bound === "1" ? "mistake" : "mistakes"}.`}</p>
    <p class="hint">${over ? html`Can you make it err more often, or for ever? Drag a point towards the <b class="g">dashed line</b>, or put a new one there. `
    : html`<span class="aside"><b class="r">R</b>: the furthest point. <b class="g">γ</b>: the margin, half the gap. (<b class="r">R</b>/<b class="g">γ</b>)² ≈ (${c.r}/${c.gamma})² ≈ ${c.limit}. </span>`}
    ${won ? html`<a href=${"#" + won}>You won: your record has no end</a> ` : best && !mine ? html`<a href=${"#" + best.state}>Your record: ${best.k} ${best.k === 1 ? "mistake" : "mistakes"}</a> ` : ""}${copy}</p>`;
}
const copy = html`<button type="button" class="text" data-copy>Copy a link to this</button>`;

// lost is what the page says when no line separates the points: then the reader has won.
function lost({boards: [b], points, state}, k, over) {
  const period = b.loop.length - 1, count = html`<b class="big">${k}</b>`;
  if (!/^none/.test(b.cards[0].gamma)) return html`<p class="promise" role="status">No line was found, so there is no promise.</p>`;
  if (over || k > 1 && places(victory() ?? "") !== places(state)) win(state); // nobody has to wait for the end of a round
  const names = b.against.map((i) => `${i + 1}\u00a0(${points[i].label > 0 ? "+" : "−"})`);
  const against = names.length === 1 ? `Point ${names[0]} is at the centre, so it is on every line.`
    : `Points ${names.slice(0, -1).join(", ")} and ${names.at(-1)} contradict each other: no line through the centre has ${names.length > 2 ? "them all" : "both"} right.`;
  return html`<p class="promise" role="status">${k > 1 ? html`<b class="won">You won: it never stops.</b> ${!over ? html`No line separates these points. Mistake ${count}, and no end.` : period > 0 ? html`Mistake ${count} brings the arrow <b class="w">w</b> back to where it was ${period === 1 ? "one mistake" : period + " mistakes"} before. So it goes round for ever.` : html`It made ${count} mistakes, and there is no end.`}`
    : "Now no line through the centre separates the points, so it will never stop. Let it learn, and see."}</p>
    <p class="hint">${against} ${over ? html`<a class="aside" href="#2">Why does it stop whenever there is a line?</a> ${copy}` : ""}</p>`;
}
