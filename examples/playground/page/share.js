// Keeps the state in the address, and reads and writes files.
import {$, app, ask, onPicture, text} from "./app.js";

let timer = 0, note = 0;

function tell(words) {
  text($("#note"), words);
  clearTimeout(note);
  note = setTimeout(() => text($("#note"), ""), 6000);
}

// A browser refuses to change the address too often, so it is changed after a pause. A
// damaged address stays until something changes, and one that is about to be opened stays.
let followed = null; // the link of Next or Back that was clicked
document.addEventListener("click", (e) => { followed = e.target.closest("#next, #back")?.getAttribute("href"); });
let damaged = "", known = location.hash;
export const keep = () => {
  clearTimeout(timer);
  timer = 0;
  if (!app.picture || app.picture.state === damaged || location.hash !== known) return;
  if (known !== "#" + app.picture.state) history.replaceState(null, "", "#" + app.picture.state);
  known = location.hash;
};
onPicture(() => { timer ||= setTimeout(keep, 300); });
addEventListener("pagehide", keep);
addEventListener("hashchange", open);

// open reads the state in the address, if there is one. Each move of the story is a link,
// so Back and Forward go through the moves.
export function open() {
  const state = (known = location.hash).slice(1).replaceAll("%2C", ","); // some programs encode commas
  clearTimeout(timer);
  timer = 0;
  app.chosen = -1;
  const first = app.picture === null, opened = ask(state === "0" && app.picture ? {do: "chapter"} : followed === location.hash && /^#\d+$/.test(followed) ? {do: "follow", times: Number(state)} : {do: "link", text: state || "1"}); // free play keeps the points
  followed = null;
  if (!opened && app.picture && first) { // a damaged link leads to the opening
    const why = app.picture.refusal;
    ask({do: "link", text: "1"});
    text($("#refusal"), app.picture.refusal = why); // a later drawing of this picture says it too
  }
  damaged = opened || !app.picture ? "" : app.picture.state;
}

document.addEventListener("click", async (e) => {
  if (!e.target.closest("[data-copy]")) return;
  keep();
  try {
    await navigator.clipboard.writeText(location.href);
    tell("The link is copied. It has the points and the run.");
  } catch {
    tell("The browser does not allow to copy. Copy the address of this page: it is the link.");
  }
});

// Points as text.
const dialog = $("#points"), area = $("textarea", dialog);
const csv = () => "x1,x2,class\n" + app.picture.points.map((p) => `${p.x},${p.y},${p.label}\n`).join("");
$("#csv").addEventListener("click", () => {
  area.value = csv();
  text($(".wrong", dialog), "");
  dialog.showModal();
});
$("#closecsv").addEventListener("click", () => dialog.close());
$("#savecsv").addEventListener("click", () => save(new Blob([area.value], {type: "text/csv"}), "points.csv"));
$("#usecsv").addEventListener("click", () => {
  if (take(area.value)) dialog.close();
  else text($(".wrong", dialog), app.picture.refusal);
});

function take(words) {
  const taken = ask({do: "paste", text: words});
  tell(taken ? app.picture.note || `${app.picture.points.length} points were read.` : "");
  return taken;
}
document.addEventListener("paste", (e) => {
  if (e.target.closest?.("input, textarea")) return;
  e.preventDefault();
  take(e.clipboardData.getData("text"));
});
document.addEventListener("dragover", (e) => e.preventDefault());
document.addEventListener("drop", async (e) => {
  if (e.target.closest?.("input, textarea")) return;
  e.preventDefault();
  const file = e.dataTransfer.files[0];
  if (file && file.size > 1e6) tell("The file is too large: the board holds 200 points.");
  else take(file ? await file.text() : e.dataTransfer.getData("text"));
});

function save(blob, name) {
  const a = document.createElement("a");
  a.href = URL.createObjectURL(blob);
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 1000);
}
