// Starts the page. Its buttons, the story, Run and the motion of a step are here.
import {$, $$, adds, app, ask, guard, onPicture, redraw, text} from "./app.js";
import "./board.js";
import "./panel.js";
import "./room.js";
import {leave, pressing} from "./input.js";
import {keep, open} from "./share.js";

let timer = 0, runs = 0; // the timer of Run, and how often it was started

onPicture((picture) => {
  const {chapter, room, boards, last} = picture, main = $("main");
  main.removeAttribute("aria-busy");
  main.classList.toggle("story", chapter > 0);
  document.body.classList.toggle("telling", chapter > 0);
  const think = room !== null && room.gamma !== room.of, over = supposing(picture), more = over && room.k <= room.limit;
  const enable = (selector, on) => { for (const e of $$(selector)) e.setAttribute("aria-disabled", !on); };
  enable("[data-do=step]", picture.running || more || think);
  enable("[data-do=epoch], #run", picture.running);
  enable("[data-do=undo]", picture.undo);
  enable("[data-do=redo]", picture.redo);
  text($("[data-do=step]"), think ? "Back to the run" : over ? "Suppose one more" : "Step");
  $("#train").hidden = chapter === 1 || chapter === 3;
  for (const e of $$("article")) e.hidden = Number(e.dataset.of) !== chapter;
  for (const e of $$("[data-chapter]")) {
    if (Number(e.dataset.chapter) === chapter) e.setAttribute("aria-current", "step");
    else e.removeAttribute("aria-current");
  }
  $("#back").hidden = chapter < 2;
  $("#back").href = "#" + (chapter - 1);
  $("#next").href = "#" + (chapter + 1) % (last + 1);
  text($("#next"), chapter === last ? "Free play" : "Next");
  const third = boards.some((b) => b.multiclass) || picture.points.some((p) => p.label === 0);
  $("#third").hidden = !third;
  if (!third && adds() === 0) $("[name=adds]").checked = true;
  $("#wide").checked = picture.wide;
  $("#compare").checked = boards.length > 1;
  if (!picture.running) stop();
});

// supposing reports whether Step supposes one more mistake: the run is over, and the move
// has explained the floor and the dome.
function supposing({running, room, chapter}) { return !running && room !== null && (chapter === 0 || chapter > 6); }

document.addEventListener("click", (e) => {
  const link = e.target.closest("a[href^='#']"), button = e.target.closest("button");
  if (link) keep(); // the entry in the history before
  if (!button || button.getAttribute("aria-disabled") === "true") return;
  const {load, do: action} = button.dataset;
  if (load) ask({do: "load", name: load});
  if (!action) return;
  if (action === "remove") {
    ask({do: action, point: app.chosen});
    app.chosen = -1;
    leave();
    return;
  }
  stop();
  const before = counts();
  if (ask({do: action}) && action === "step") move(before);
});
addEventListener("hashchange", stop);
$("#wide").addEventListener("change", () => ask({do: "wide"}));
$("#compare").addEventListener("change", () => ask({do: "compare"}));
document.addEventListener("keydown", (e) => {
  if (!e.ctrlKey && !e.metaKey || e.target.closest?.("textarea, input[type=number]")) return;
  const key = e.key.toLowerCase();
  if (key !== "z" && key !== "y") return;
  e.preventDefault();
  stop();
  ask({do: key === "y" || e.shiftKey ? "redo" : "undo"});
});

// counts returns the updates of each board.
const counts = () => app.picture?.boards.map((b) => b.cards.map((c) => c.k).join());

// move shows the last step: it walks to the point, quickly over those that are right, and
// turns the line if there was an update since the counts before. Any other request ends it.
const calm = matchMedia("(prefers-reduced-motion: reduce)");
function move(before) {
  const start = performance.now(), points = Math.max(...app.picture.boards.map((b) => b.walk.length));
  if (calm.matches || points === 0) return;
  const moved = counts().map((k, i) => k !== before[i]), walk = Math.min(1200, 180 * points), turn = moved.includes(true) ? 500 : 1;
  const mine = app.motion = {walk: 0, turn: 0, moved};
  const frame = (now) => {
    if (app.motion !== mine) return;
    const t = Math.max(0, now - start), s = Math.min(1, Math.max(0, t - walk) / turn);
    mine.walk = Math.min(1, t / walk);
    mine.turn = s * s * (3 - 2 * s);
    if (s === 1) app.motion = null;
    else requestAnimationFrame(frame);
    redraw();
  };
  requestAnimationFrame(frame);
  redraw();
}

// Run steps until the training stops. A speed is [steps, milliseconds between them].
// With reduced motion it draws only a few times.
const speeds = [[1, 900], [1, 350], [1, 80], [5, 30], [500, 16]];
function tick() {
  let [times, pause] = speeds[$("#speed").value];
  if (calm.matches && pause < 1000) [times, pause] = [Math.ceil(times * 1000 / pause), 1000];
  timer = setTimeout(tick, pause);
  if (!pressing()) ask({do: "step", times, gesture: "run" + runs}); // the answer stops Run at the end of training
}
function stop() {
  clearTimeout(timer);
  timer = 0;
  showRun();
}
function showRun() {
  text($("#run"), timer ? "Pause" : "Run");
  for (const e of $$(".status")) e.setAttribute("aria-live", timer ? "off" : "polite"); // a screen reader would speak at every step
}
$("#run").addEventListener("click", () => {
  if (timer) stop();
  else if (app.picture.running) {
    runs++;
    tick();
  }
  showRun();
});

// load returns the program, and shows how much of it is there. The file is compressed,
// unless the server has unpacked it.
async function load() {
  const response = await fetch("playground.wasm.gz");
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  const size = Number(response.headers.get("Content-Length")) || 1.2e6, parts = [];
  let got = 0;
  for (const reader = response.body.getReader(); ;) {
    const {done, value} = await reader.read();
    if (done) break;
    parts.push(value);
    $("#loading progress").value = (got += value.length) / size;
  }
  const body = new Blob(parts), head = new Uint8Array(await body.slice(0, 2).arrayBuffer());
  if (head[0] !== 0x1f || head[1] !== 0x8b) return body.arrayBuffer();
  return new Response(body.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}
async function start() {
  const program = await load(), go = new Go();
  const {instance} = await WebAssembly.instantiate(program, go.importObject);
  go.run(instance);
  $("#loading").remove();
  for (const e of $$("button[disabled], input[disabled]")) e.disabled = false;
  guard(open);
}
start().catch((err) => text($("#refusal"), "The playground could not start: " + err.message));
