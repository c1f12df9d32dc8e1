// Starts the page. Its buttons, the moves, Run and the motion of a step are here.
import {$, $$, app, ask, calm, guard, html, moves, onPicture, redraw, show, text} from "./app.js";
import "./record.js";
import "./board.js";
import "./panel.js";
import "./room.js";
import {leave, pressing} from "./input.js";
import {parse, stand} from "./opening.js";
import {keep, open} from "./share.js";

let timer = 0, runs = 0; // the timer of Run, and how often it was started

// The parts of the page: the first moves of each. The titles are those of the HTML.
const names = Object.values(moves), last = names.length - 1; // the free play is the first
const parts = ["opening", "sides", "half"].map((name) => names.indexOf(name));
const titles = names.map((name) => $(`article[data-move=${name}] h1`)?.textContent ?? "Free play");
const partOf = (chapter) => chapter === 0 ? parts.length : parts.findLastIndex((first) => first <= chapter);

onPicture((picture) => {
  const {chapter, move, room, boards} = picture, main = $("main");
  main.removeAttribute("aria-busy");
  const think = room !== null && room.gamma !== room.of, over = supposing(picture), more = over && room.k <= room.limit;
  const enable = (selector, on) => { for (const e of $$(selector)) e.setAttribute("aria-disabled", !on); };
  enable("[data-do=step]", picture.running || more || think || again(picture));
  enable("[data-do=epoch], #run", picture.running);
  enable("[data-do=undo]", picture.undo);
  enable("[data-do=redo]", picture.redo);
  text($("[data-do=reset]"), move === "opening" ? "First points" : "Reset");
  for (const e of $$("article")) e.hidden = e.dataset.move !== move;
  $("#back").hidden = $("#next").hidden = move === "play";
  $("#back").classList.toggle("off", move === "opening");
  $("#back").href = "#" + (move === "sides" && app.mine || Math.max(1, chapter - 1));
  $("#next").href = "#" + (chapter + 1) % (last + 1);
  text($("#next"), move === "opening" ? "Why?" : chapter === last ? "Play" : "Next");
  $("#wide").checked = picture.wide;
  $("#compare").checked = boards.length > 1;
  if (!picture.running) stop();
  showRun();
  if (chapter !== shown) arrive(chapter);
});

// arrive shows where the reader is, in the lists, the title and for a screen reader.
let shown = -1;
function arrive(chapter) {
  const first = shown < 0, part = partOf(chapter), list = part % parts.length > 0 ? [...names.keys()].filter((n) => partOf(n) === part) : [];
  shown = chapter;
  for (const [i, a] of $$("#parts a").entries()) {
    if (i === part) a.setAttribute("aria-current", "true");
    else a.removeAttribute("aria-current");
  }
  show($("#moves"), html`${list.map((n) => html`<a href=${"#" + n} class=${n < chapter ? "done" : ""} aria-current=${n === chapter ? "step" : "false"} title=${titles[n]}><span>${$(`article[data-move=${names[n]}]`).dataset.name}</span></a>`)}`);
  document.title = `${titles[chapter].replace(".", "")} · Perceptron`;
  if (first) return;
  settle();
  scrollTo(0, 0);
  const heading = $("article:not([hidden]) h1") ?? $("#playing");
  heading.focus({preventScroll: true});
}

// settle moves the board and the figure from where they were in the last move to their places in
// this one, so that the reader sees what became smaller, and what larger.
let before = [];
function settle() {
  for (const [e, from] of calm.matches ? [] : before) {
    const to = e.getBoundingClientRect();
    if (from.width === 0 || to.width === 0 || from.x === to.x && from.y === to.y && from.width === to.width) continue;
    e.animate([{transformOrigin: "0 0", transform: `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${from.width / to.width})`}, {transformOrigin: "0 0", transform: "none"}], {duration: 700, easing: "ease-in-out"});
  }
  before = [];
}

// again reports whether the run of a move has ended, so that Step begins it again.
const again = ({running, move, boards: [b]}) => !running && move !== "play" && b.cards.length > 0 && !["sides", "lengths", "end", "half", "contradiction"].includes(move);

// supposing reports whether Step supposes one more mistake, where a floor and a dome are drawn.
function supposing({running, room, move}) { return !running && room !== null && ["play", "end", "half", "bias"].includes(move); }

document.addEventListener("click", (e) => {
  const link = e.target.closest("a[href^='#']"), button = e.target.closest("button");
  if (link) keep(); // the entry in the history before
  if (link) before = ["#boards", "#room"].map((s) => [$(s), $(s).getBoundingClientRect()]);
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
  if (action === "step" && app.picture.move === "opening") return run();
  stop();
  if (action === "step" && again(app.picture) && !supposing(app.picture)) return ask({do: "reset"});
  if (action === "undo" || action === "reset") app.chosen = -1; // its point may be another one now
  if (action === "reset" && app.picture.move === "opening") return ask({do: "link", text: "1"});
  ask({do: action}, action === "step" ? motion : undefined);
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

// A quantity that a sentence names lights up in the figures while it is pointed at.
for (const type of ["pointerover", "click"]) {
  document.addEventListener(type, (e) => { document.body.dataset.light = e.target.closest?.("[data-light]:not(body)")?.dataset.light ?? ""; });
}

// motion shows the last step: it walks to the point, quickly over those that are right, and turns
// the line of a board that had an update. Until then, the sides, the crosses and the words are those
// of the old boards. Any other request ends it.
function motion({boards}) {
  const start = performance.now(), old = app.picture.boards, points = Math.max(...boards.map((b) => b.walk.length));
  if (calm.matches || points === 0) return null;
  const counts = (list) => list.map((b) => b.cards.map((c) => c.k).join()), before = counts(old);
  const moved = counts(boards).map((k, i) => k !== before[i]), walk = Math.min(1200, 180 * points), turn = moved.includes(true) ? 500 : 1;
  const mine = {walk: 0, turn: 0, moved, old}, frame = (now) => {
    if (app.motion !== mine) return;
    const t = Math.max(0, now - start), s = Math.min(1, Math.max(0, t - walk) / turn);
    mine.walk = Math.min(1, t / walk);
    mine.turn = s * s * (3 - 2 * s);
    if (s === 1) app.motion = null;
    else requestAnimationFrame(frame);
    redraw();
  };
  requestAnimationFrame(frame);
  return mine;
}

// Run steps until the training stops. A speed is [steps, milliseconds between them].
// With reduced motion it draws only a few times. In the opening it becomes faster.
const speeds = [[1, 900], [1, 350], [1, 80], [5, 30], [500, 16]];
let ticks = 0;
function tick() {
  const race = app.picture.move === "opening";
  let [times, pause] = race ? [1 + Math.floor(ticks / 40), Math.max(40, 420 - 12 * ticks)] : speeds[$("#speed").value];
  if (calm.matches && pause < 1000) [times, pause] = [Math.ceil(race ? Number.parseInt(app.picture.boards[0].cards[0].bound) / 6 || 5 * 2 ** Math.min(ticks, 10) : times * 1000 / pause), 1000];
  ticks++;
  timer = setTimeout(tick, pause);
  if (!pressing()) ask({do: "step", times, gesture: "run" + runs}); // the answer stops Run at the end of training
}
function stop() {
  clearTimeout(timer);
  timer = 0;
}
function showRun() {
  const race = app.picture?.move === "opening";
  text($("#run"), timer && !race ? "Pause" : "Run");
  const room = app.picture?.room, think = room && room.gamma !== room.of, over = app.picture && supposing(app.picture);
  text($("[data-do=step]"), race && timer ? "Pause" : race && (app.picture.running || !app.told) ? "Let it learn" : think ? "Reset γ" : over ? "One more" : app.picture && again(app.picture) ? "Again" : "Step");
  for (const e of $$("#said [role=status]")) e.setAttribute("aria-live", timer ? "off" : "polite"); // a screen reader would speak at every step
}
function run() {
  if (timer) stop();
  else {
    if (!app.picture.running) ask({do: "reset", gesture: "run" + ++runs});
    runs++;
    ticks = 0;
    app.editing = false;
    if (app.picture.running) tick();
  }
  showRun();
}
$("#run").addEventListener("click", () => { if (timer || app.picture.running) run(); });

// load returns the program as it arrives, so that the browser compiles it meanwhile, and
// shows how much of it is there. The file is compressed, unless the server has unpacked it.
async function load() {
  const response = await fetch("playground.wasm.gz");
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  const size = Number(response.headers.get("Content-Length")) || 1.1e6, reader = response.body.getReader();
  let got = 0, next = await reader.read();
  const zipped = next.value?.[0] === 0x1f;
  const bytes = new ReadableStream({
    async pull(out) {
      if (next.done) return out.close();
      out.enqueue(next.value);
      $("#loading progress").value = (got += next.value.length) / size;
      next = await reader.read();
    },
  });
  return new Response(zipped ? bytes.pipeThrough(new DecompressionStream("gzip")) : bytes, {headers: {"Content-Type": "application/wasm"}});
}
// The opening needs no program: its stand-in answers until the program is there. Then the
// program repeats what was done, and what had to wait is done.
function unlock() { for (const e of $$("button[disabled], input[disabled]")) e.disabled = false; }
async function start() {
  const early = parse(location.hash.slice(1).replaceAll("%2C", ",")) !== null;
  if (early) {
    globalThis.playground = stand.answer;
    unlock();
    guard(open);
    $("#loading").hidden = true;
    await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
  }
  await new Promise((onload, onerror) => document.head.append(Object.assign(document.createElement("script"), {src: "wasm_exec.js", onload, onerror: () => onerror(new Error("wasm_exec.js"))})));
  const go = new Go(), {instance} = await WebAssembly.instantiateStreaming(load(), go.importObject);
  go.run(instance);
  const {playground: program} = globalThis;
  if (early) {
    globalThis.playground = stand.answer; // until the program has repeated it, in a task of its own
    await new Promise((next) => setTimeout(next));
    for (const request of stand.log) program(request);
    globalThis.playground = program;
  }
  $("#loading").remove();
  unlock();
  navigator.serviceWorker && offline().catch(() => {});
  if (early) ask(stand.waits ?? {do: "show"});
  else guard(open);
}

// A service worker keeps what was loaded, for a reload without a network. Without one, or on a
// site that allows none, nothing is lost.
async function offline() {
  await navigator.serviceWorker.register("sw.js");
  const {active} = await navigator.serviceWorker.ready;
  navigator.serviceWorker.addEventListener("message", () => { document.body.dataset.offline = ""; });
  active.postMessage([location.href.split("#")[0], ...performance.getEntriesByType("resource").map((e) => e.name)]);
}
if (typeof WebAssembly === "object") start().catch((err) => globalThis.article(`The program did not start (${err.message}), so this page is an article.`));
