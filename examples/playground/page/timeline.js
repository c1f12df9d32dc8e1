// The timeline: each mistake of a run is a dot, as high as w is long. Drag along the dots, or use
// the arrow keys. It ends at the bound; a run that loops has no end, and its loop is shaded.
import {atMost, circle, hand, label, path, show, sizeOf, way} from "./svg.js";

const MOST_DOTS = 90;

export class Timeline {
  // source returns {values, player, most, since, all}: a value for each number of mistakes, the
  // bound or 0, where a loop begins or −1, and whether mistakes that are still to come have dots.
  constructor(svg, source, caption) {
    Object.assign(this, {svg, source, caption});
    hand(svg, (e) => this.follow(e));
    svg.addEventListener("keydown", (e) => this.key(e));
    new ResizeObserver(() => this.draw()).observe(svg);
  }
  follow(e) {
    const {player} = this.source(),
      {left} = this.svg.getBoundingClientRect();
    player.seek(Math.round(((e.clientX - left - this.left) / this.wide) * this.end));
  }
  key(e) {
    const {player} = this.source(),
      k = Math.floor(player.at);
    const to = {
      ArrowRight: k + 1,
      ArrowUp: k + 1,
      ArrowLeft: k - 1,
      ArrowDown: k - 1,
      Home: 0,
      End: player.count,
      PageUp: k + 10,
      PageDown: k - 10,
    }[e.key];
    if (to === undefined || e.ctrlKey || e.metaKey || e.altKey) return;
    player.seek(to);
    e.preventDefault();
  }

  draw() {
    const {values, player, most, since, all} = this.source(),
      {svg} = this,
      [W, H] = sizeOf(svg);
    const count = player.count,
      left = 10,
      wide = W - 20,
      low = H - 17,
      high = 22; // the words above have a line of their own
    const end = Math.max(8, most > 0 && most <= 2 * count + 20 ? most : 1.15 * count);
    Object.assign(this, {left, wide, end});
    const top = Math.max(...values, 1e-9),
      x = (k) => left + (wide * k) / end;
    const y = (v) => low - ((low - high) * v) / top;
    const places = thin(values).map(([k, v]) => [x(k), y(v)]);
    const k = Math.floor(player.at),
      on = [x(player.at), y(values[Math.min(k, count)])];
    const dots =
      count <= MOST_DOTS
        ? places
            .slice(1, all ? count + 1 : k + 1)
            .map((p, i) => circle(i < k ? "dot made" : "dot", p, 3.4))
        : path("many", way(places));
    const loop = all &&
      since >= 0 && [
        path("loop", `M${x(since)} ${high - 7}H${x(count)}V${low}H${x(since)}Z`),
        label([Math.max(x(count), 160), 12], `a round of ${count - since}, for ever`, "", "end"),
      ];
    const beyond = most === end ? "" : " →",
      last = most > 0 && [
        !beyond && path("last", `M${x(most)} ${high - 7}V${low}`),
        label([W - 10, 12], `promise: ${atMost(most)}${beyond}`, "r", "end"),
      ];
    const drags = all && count > 0,
      name = this.caption + (drags && W < 360 ? "" : ", mistake by mistake"),
      captions = [
        label([left, H - 4], name, "", "start"),
        drags && label([W - 10, H - 4], "drag along the dots", "", "end"),
      ];
    const axis = path("axis", `M${left} ${low}H${W - 10}`),
      head = count > 0 && circle("head", on, 7);
    show(svg, [W, H], [loop, axis, last, dots, head, captions]);
    svg.setAttribute("aria-valuemax", count);
    svg.setAttribute("aria-valuenow", k);
    svg.setAttribute("aria-valuetext", `mistake ${k} of ${count}`);
  }
}
// thin keeps at most about 400 of the values of a long run, each with its number.
function thin(values) {
  const step = Math.ceil(values.length / 400);
  return values.map((v, k) => [k, v]).filter(([k]) => k % step === 0 || k === values.length - 1);
}
