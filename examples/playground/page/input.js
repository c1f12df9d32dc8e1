// Mouse, touch and keyboard on the boards, and the editor of a point.
import {$, adds, app, ask, onPicture, redraw, say, text} from "./app.js";

const boards = $("#boards"), editor = $("#editor");
$("#skip").addEventListener("click", () => $(".plane").focus());
const planeOf = (e) => e.target.closest(".plane");
const pointOf = (e) => {
  const g = e.target.closest(".point");
  return g ? [...g.parentElement.children].indexOf(g) : -1;
};

// place returns the place of an event on a plane, in views from the middle.
function place(event, plane) {
  const box = plane.getBoundingClientRect();
  return {x: 2 * (event.clientX - box.left) / box.width - 1, y: 1 - 2 * (event.clientY - box.top) / box.height};
}

// onTip reports whether an event is near the tip of w, which the user has in the hand.
function onTip(e, plane) {
  const b = app.picture.boards[0], tip = b.arrows[0]?.to, {x, y} = place(e, plane);
  if (!b.fields.origin || b.fields.model !== "By hand" || !tip) return false;
  return Math.hypot(x - tip[0], y - tip[1]) * plane.getBoundingClientRect().width / 2 < 24;
}

export function choose(i, editing = false) {
  app.chosen = i;
  app.editing = editing && i >= 0;
  redraw();
}

// A press is what happens between pointerdown and pointerup. On an empty place it adds a point,
// on a point it opens the editor, with a movement it drags the point. Moves after the opening
// only drag, so that a stray click spoils none. No element under the pointer is needed at the
// end, since drawing may replace it.
let press = null, presses = 0;
const opening = () => app.picture.move === "opening", guided = () => !["opening", "play"].includes(app.picture.move);
export const pressing = () => press !== null && press.point >= 0;

boards.addEventListener("pointerdown", (e) => {
  const plane = planeOf(e);
  if (!plane || !app.picture || e.button !== 0 || press && !e.isPrimary) return;
  const hand = onTip(e, plane);
  press = {plane, hand, id: e.pointerId, point: hand ? -1 : pointOf(e), x: e.clientX, y: e.clientY, moved: false, gesture: "drag" + presses++};
  if (press.point >= 0 || hand) plane.setPointerCapture(e.pointerId);
});
boards.addEventListener("pointermove", (e) => {
  if (!press || e.pointerId !== press.id) return;
  if (Math.hypot(e.clientX - press.x, e.clientY - press.y) > (e.pointerType === "mouse" ? 3 : 10)) press.moved = true;
  if (press.moved && press.hand) ask({do: "hand", gesture: press.gesture, ...place(e, press.plane)});
  if (!press.moved || press.point < 0) return;
  app.chosen = press.point;
  app.editing = false;
  ask({do: "move", point: press.point, gesture: press.gesture, ...place(e, press.plane)});
});
boards.addEventListener("pointerup", (e) => {
  if (!press || e.pointerId !== press.id) return;
  const {plane, point, moved, gesture, hand} = press;
  press = null;
  if (hand) return;
  if (point >= 0 && moved) ask({do: "reset", gesture}); // the view is set again
  else if (point >= 0) choose(point, !guided());
  else if (!moved) {
    const edited = opening() && app.editing; // in the opening, a click beside the editor only closes it
    choose(-1);
    if (!guided() && !edited && ask({do: "add", label: e.shiftKey ? -1 : adds(), ...place(e, plane)}) && opening()) choose(app.picture.points.length - 1, true);
  }
});
addEventListener("pointercancel", () => { press = null; });
addEventListener("pointerup", () => { press = null; });
boards.addEventListener("touchstart", (e) => {
  const plane = planeOf(e);
  if (plane && app.picture && (pointOf(e) >= 0 || onTip(e.touches[0], plane))) e.preventDefault(); // the finger drags the point, not the page
}, {passive: false});

// The keyboard moves the cross or the chosen point.
const arrows = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]};
const signs = {"+": 1, "=": 1, "-": -1, "−": -1};
boards.addEventListener("keydown", (e) => {
  if (!planeOf(e) || e.ctrlKey || e.metaKey || e.altKey) return;
  const i = app.chosen, n = app.picture?.points.length ?? 0, far = e.shiftKey ? 25 : 5, key = e.key.length === 1 ? e.key.toLowerCase() : e.key;
  if (key in arrows) {
    const [x, y] = arrows[key].map((v) => far * v);
    if (i >= 0) ask({do: "nudge", point: i, x, y, gesture: "nudge" + i});
    else moveCursor(x, y);
  } else if ((key === "n" || key === "p") && n > 0) choose(i < 0 ? (key === "n" ? 0 : n - 1) : (i + (key === "n" ? 1 : n - 1)) % n);
  else if (key in signs) act(i, signs[key]);
  else if (key === "Enter" || key === " ") {
    if (i < 0) act(i, adds());
    else {
      choose(i, !guided());
      if (!guided()) (opening() ? $("#turn") : editor.elements.x).focus();
    }
  } else if (i >= 0 && (key === "Delete" || key === "Backspace")) ask({do: "remove", point: i});
  else if (i >= 0 && key === "Escape") choose(-1);
  else return;
  e.preventDefault();
});

// act adds a point at the cross, or changes the class of the chosen point.
function act(i, label) {
  if (i >= 0) ask({do: "label", point: i, label});
  else if (guided()) say("Only the first move and the free play add points");
  else if (ask({do: "add", label, x: app.cursor[0] / 100, y: app.cursor[1] / 100})) say("Added " + app.picture.boards[0].marks.at(-1).name);
}

function moveCursor(x, y) {
  const within = (v) => Math.max(-100, Math.min(v, 100));
  app.cursor = [within(app.cursor[0] + x), within(app.cursor[1] + y)];
  redraw();
  say(`Cross at ${app.cursor.map((v) => v + " %").join(", ")} of the way from the middle to the edge`);
}

// The editor stands at its point. It accepts typed coordinates of any size.
onPicture((picture) => {
  editor.hidden = !app.editing;
  if (!app.editing) return;
  const i = app.chosen, p = picture.points[i], [u, v] = picture.places[i], box = $(".plane").getBoundingClientRect();
  text($("h2", editor), "Point " + (i + 1));
  text($("#turn"), p.label > 0 ? "Make it −" : "Make it +");
  text($("#score"), picture.boards[0].marks[i].score && "Score: " + picture.boards[0].marks[i].score);
  for (const name of ["x", "y", "label"]) {
    const field = editor.elements[name];
    if (field !== document.activeElement || name === "label") field.value = p[name];
  }
  const x = box.left + scrollX + box.width * (1 + u) / 2, y = box.top + scrollY + box.height * (1 - v) / 2;
  const width = editor.offsetWidth, height = editor.offsetHeight, room = document.documentElement.clientWidth - width - 4;
  editor.style.left = Math.max(4, Math.min(x - width / 2, room)) + "px";
  editor.style.top = (v > 0 ? y + 26 : Math.max(scrollY, y - height - 26)) + "px";
});
addEventListener("resize", redraw);
$("#turn").addEventListener("click", () => {
  if (app.chosen >= 0) ask({do: "label", point: app.chosen, label: -app.picture.points[app.chosen].label});
});
editor.addEventListener("submit", (e) => e.preventDefault());
editor.addEventListener("change", () => {
  const {x, y, label} = editor.elements, i = app.chosen;
  if (i < 0) return;
  if (Number(label.value) !== app.picture.points[i].label) ask({do: "label", point: i, label: Number(label.value)});
  else if (editor.reportValidity()) ask({do: "place", point: i, x: x.valueAsNumber, y: y.valueAsNumber});
});
editor.addEventListener("keydown", (e) => { if (e.key === "Escape") leave(); });
$("#close").addEventListener("click", leave);
export function leave() {
  choose(app.chosen);
  $(".plane").focus();
}
