// The page: a table of its chapters, each with its words, its figure and what it starts with.
import {Lab} from "./lab.js";
import {$, $$} from "./svg.js";

const points = (list) => list.map(([x, y, label]) => ({x, y, label}));
const OPENING = points([
  [20, 22, 1],
  [12, -18, -1],
  [-6, -20, -1],
  [-20, -2, 1],
  [6, -8, -1],
  [-16, 28, 1],
  [4, 24, 1],
  [-10, 6, 1],
  [28, 12, -1],
  [-22, -22, -1],
]);
// All + are on one side of a line, but that line does not go through the centre.
const BESIDE = points([
  [4, 24, 1],
  [-16, 22, 1],
  [18, 18, 1],
  [-8, 8, -1],
  [14, 2, -1],
  [-20, -6, -1],
  [4, -14, -1],
  [22, -12, -1],
]);
const CORNERS = points([
  [16, 16, 1],
  [-16, -16, 1],
  [-16, 16, -1],
  [16, -16, -1],
]);

// A link has the points after #p=, as x,y,label in sixteenths.
export function parse(hash) {
  const list = /^#p=((-?\d{1,2},-?\d{1,2},-?1;?){1,24})$/
    .exec(hash)?.[1]
    .split(";")
    .filter(Boolean);
  const all = list && points(list.map((p) => p.split(",").map(Number)));
  return all?.every(({x, y}) => Math.hypot(x, y) <= 34) ? all : null;
}
const link = (list) => "#p=" + list.map(({x, y, label}) => [x, y, label].join()).join(";");

const share = (list) => history.replaceState(null, "", list === OPENING ? "#" : link(list));

// seen lets a run play when its figure is first on the screen, if nobody has played it.
function seen(figure, play) {
  const watch = new IntersectionObserver(
    ([{isIntersecting}]) => {
      if (!isIntersecting) return;
      watch.disconnect();
      play();
    },
    {threshold: 0.6},
  );
  watch.observe(figure);
}

// start makes a figure live. It gets the figure, what the earlier chapters started, and the module
// that the chapter loads.
const CHAPTERS = [
  {
    name: "play",
    start: (root) => {
      const points = parse(location.hash) ?? OPENING;
      const lab = new Lab(root, points, {changed: () => share(lab.model.points)});
      lab.model.first = OPENING;
      return lab;
    },
  },
  {name: "rules", load: () => import("./rules.js"), start: (root, _, {Game}) => new Game(root)},
  {
    name: "bubble",
    load: () => import("./ladder.js"),
    start: (root, [lab, game], {Ladder}) => {
      const ladder = new Ladder(root, lab, game),
        {draw} = lab.player;
      lab.player.draw = () => {
        draw();
        ladder.draw();
      };
      game.changed = () => ladder.draw();
      seen($(".room", root), () => lab.player.ended || ladder.choose("points"));
      return ladder;
    },
  },
  {
    name: "noline",
    start: (root) => {
      const lab = new Lab(root, BESIDE, {answers: true}),
        box = $("#bias");
      const sets = {beside: BESIDE, corners: CORNERS};
      for (const b of $$("[data-set]")) {
        b.addEventListener("click", () => lab.edit(() => lab.model.set(sets[b.dataset.set])));
      }
      box.addEventListener("change", () =>
        lab.edit(() => lab.model.set(lab.model.points, box.checked)),
      );
      lab.changed = () => {
        box.checked = lab.model.bias;
      };
      seen($(".board", root), () => lab.player.ended || lab.player.play());
      return lab;
    },
  },
];

const started = [];
for (const {name, load, start} of CHAPTERS) {
  const section = document.getElementById(name);
  started.push(start($("figure", section), started, await load?.()));
  section.classList.add("live");
  await new Promise((next) => setTimeout(next)); // the reader's hand comes first
}
document.documentElement.classList.add("live");
