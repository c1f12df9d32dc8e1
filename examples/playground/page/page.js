// Starts the page. Its buttons, the story and Run are here.
import {$, $$, adds, app, ask, onPicture, text} from "./app.js";
import "./board.js";
import "./panel.js";
import {leave, pressing} from "./input.js";
import {open} from "./share.js";

let timer = 0, runs = 0; // the timer of Run, and how often it was started

onPicture((picture) => {
  $("main").removeAttribute("aria-busy");
  $("main").classList.toggle("story", picture.chapter > 0);
  text($("#refusal"), picture.refusal);
  const enable = (selector, on) => { for (const e of $$(selector)) e.setAttribute("aria-disabled", !on); };
  enable("[data-do=step], [data-do=epoch], #run", picture.running);
  enable("[data-do=undo]", picture.undo);
  enable("[data-do=redo]", picture.redo);
  for (const e of $$("article")) e.hidden = Number(e.dataset.of) !== picture.chapter;
  for (const e of $$("[data-chapter]")) {
    if (Number(e.dataset.chapter) === picture.chapter) e.setAttribute("aria-current", "step");
    else e.removeAttribute("aria-current");
  }
  const many = picture.boards.some((b) => b.multiclass), third = many || picture.points.some((p) => p.label === 0);
  $("#third").hidden = !third;
  if (!third && adds() === 0) $("[name=adds]").checked = true;
  $("#wide").checked = picture.wide;
  $("#compare").checked = picture.boards.length > 1;
  $("#bandkey").hidden = !picture.boards.some((b) => b.band.length);
  $("#ownkey").hidden = !picture.boards.some((b) => b.own.length);
  $("#keptkey").hidden = !picture.boards.some((b) => b.lines.some((l) => l.kind === "kept"));
  if (!picture.running) stop();
});

document.addEventListener("click", (e) => {
  const {load, chapter, do: action} = e.target.closest("button")?.dataset ?? {};
  if (load) ask({do: "load", name: load});
  if (chapter) {
    stop();
    app.chosen = -1;
    ask({do: "chapter", times: Number(chapter)});
  }
  if (!action) return;
  if (action === "remove") {
    ask({do: action, point: app.chosen});
    app.chosen = -1;
    leave();
    return;
  }
  stop();
  ask({do: action});
});
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

// Run steps until the training stops. A speed is [steps, milliseconds between them].
// With reduced motion it draws only a few times.
const speeds = [[1, 900], [1, 350], [1, 80], [5, 30], [500, 16]];
const calm = matchMedia("(prefers-reduced-motion: reduce)");
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

// load returns the program. The file is compressed, unless the server has unpacked it.
async function load() {
  const response = await fetch("playground.wasm.gz");
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  const body = await response.arrayBuffer(), head = new Uint8Array(body, 0, 2);
  if (head[0] !== 0x1f || head[1] !== 0x8b) return body;
  return new Response(new Blob([body]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}
async function start() {
  const go = new Go();
  const {instance} = await WebAssembly.instantiate(await load(), go.importObject);
  go.run(instance);
  open();
}
start().catch((err) => text($("#refusal"), "The playground could not start: " + err.message));
