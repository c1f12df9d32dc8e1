// The page: a table of its chapters, each with its words, its figure and what it starts with.
import {Game} from "./rules.js";
import {Lab} from "./lab.js";
import {Ladder} from "./ladder.js";
import {$, $$} from "./svg.js";

const points = (list) => list.map(([x, y, label]) => ({x, y, label}));
const OPENING = points([[20, 22, 1], [12, -18, -1], [-6, -20, -1], [-20, -2, 1], [6, -8, -1],
  [-16, 28, 1], [4, 24, 1], [-10, 6, 1], [28, 12, -1], [-22, -22, -1]]);
// All + are on one side of a line, but that line does not go through the centre.
const BESIDE = points([[4, 24, 1], [-16, 22, 1], [18, 18, 1], [-8, 8, -1], [14, 2, -1], [-20, -6, -1],
  [4, -14, -1], [22, -12, -1]]);
const CORNERS = points([[16, 16, 1], [-16, -16, 1], [-16, 16, -1], [16, -16, -1]]);

// A link has the points after #p=, as x,y,label in sixteenths.
export function parse(hash) {
  const list = /^#p=((-?\d{1,2},-?\d{1,2},-?1;?){1,24})$/.exec(hash)?.[1].split(";").filter(Boolean);
  const all = list && points(list.map((p) => p.split(",").map(Number)));
  return all?.every(({x, y}) => Math.hypot(x, y) <= 34) ? all : null;
}
const link = (list) => "#p=" + list.map(({x, y, label}) => [x, y, label].join()).join(";");

let ladder = null;
const share = (list) => history.replaceState(null, "", list === OPENING ? "#" : link(list));
const CHAPTERS = [
  {name: "play", start: (root) => {
    const lab = new Lab(root, parse(location.hash) ?? OPENING, {changed: () => share(lab.model.points)});
    lab.model.first = OPENING;
    return lab;
  }},
  {name: "rules", start: (root) => new Game(root, () => ladder?.draw())},
  {name: "bubble", start: (root, [lab, game]) => {
    ladder = new Ladder(root, lab, game);
    const draw = lab.player.draw;
    lab.player.draw = () => { draw(); ladder.draw(); };
    return ladder;
  }},
  {name: "noline", start: (root) => {
    const lab = new Lab(root, BESIDE), box = $("#bias");
    lab.answers = true;
    const sets = {beside: BESIDE, corners: CORNERS};
    for (const b of $$("[data-set]")) {
      b.addEventListener("click", () => lab.edit(() => lab.model.set(sets[b.dataset.set])));
    }
    box.addEventListener("change", () => lab.edit(() => lab.model.set(lab.model.points, box.checked)));
    lab.changed = () => { box.checked = lab.model.bias; };
    return lab;
  }},
];

const started = [];
for (const {name, start} of CHAPTERS) started.push(start($(`#${name} figure`), started));
document.documentElement.classList.add("live");
