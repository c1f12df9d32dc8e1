// The one-line explanations, as tooltips and behind each "?".
import {$, $$, html, show} from "./app.js";

export const words = {
  undo: "Undo: takes back the last change or step (Ctrl-Z).",
  redo: "Redo: repeats what Undo took back (Ctrl-Shift-Z).",
  link: "Copy link: the link contains the points, the settings and the training so far.",
  csv: "Points…: shows the points as text, to copy, change, paste or save.",
  step: "Step: looks at the next points until one needs an update, and makes this update. After the end, “One more” supposes one more mistake.",
  epoch: "Epoch: finishes one pass over all points.",
  run: "Run: steps until the training stops by itself.",
  reset: "Reset: forgets what was learned; the points stay.",
  speed: "Speed: how fast Run steps.",
  adds: "+, −: the class of the points that a click on the board adds. (Shift and click adds −.)",
  clear: "Clear: removes all points.",
  wide: "Show γ: shows the band of the line with the greatest γ, and the points on its edges. γ is measured with ‖(w₁, w₂, b)‖, so it is not always the widest band. For lines through the origin it shows u and R too.",
  origin: "Through 0: only lines through the origin, without b. Then w, u and the points share a plane.",
  compare: "Second board: trains another model on the same points.",
  sets: "Sets: three that a line separates with a wide or narrow gap or through the origin, and two that no line separates.",
  model: "Model: the rule. Online: Rosenblatt’s perceptron. Margin: also updates on points too close to the line. By hand: you move the line.",
  order: "Order: the order of the points in an epoch. Cyclic: as they are. Shuffled: mixed anew. Sampled: drawn at random, with repeats.",
  keep: "Keep: the line that predicts. Last: the newest. Average: the mean of all so far. Pocket: a line stays until another has a longer run of right answers and more points right.",
  eta: "Rate η (eta): how much of a point an update adds. From zero weights it changes only the lengths, not the lines.",
  gammaprime: "γ′ (gamma prime): Margin updates on a point closer to the line than γ′/2. Empty: it finds a threshold θ by itself, for y·score.",
  w1: "w₁: the weight of the first coordinate.",
  w2: "w₂: the weight of the second coordinate.",
  b: "b: the bias, which moves the line without turning it.",
  stop: "Training: whether it has started, and why it stopped. Converged: all points are right. Cycled: earlier weights returned. EpochLimit: 1000 epochs are over.",
  epochs: "Last epoch: its mistakes, and the mean of max(0, −y·score), each measured just before the update. So they describe the lines during the epoch, not the line now.",
  right: "Right now: the points on the right side of the line on the board. A point on the line is not right.",
  w: "w: the weights, one for each coordinate. Their arrow points to the + side.",
  bias: "b: the bias. The line is where ⟨w, x⟩ + b = 0.",
  k: "k: the number of mistakes (for Margin: updates) so far.",
  kmax: "k ≤: the largest k that the theorem allows, for these points and this rule.",
  length: "‖w‖: the length of the vector (w₁, w₂, b).",
  r: "R: the length of the longest point, as a vector (x₁, x₂, 1).",
  gamma: "γ (gamma): the margin of the points: the greatest “Margin of the line” that any line has on them. The bias counts as a weight.",
  margin: "Margin of the line: the smallest y·(⟨w, x⟩ + b)/‖(w₁, w₂, b)‖ of a point. It is negative if a point is on the wrong side.",
  chart: "The theorem: ‖w‖ after each update stays between the curves, which meet at the largest k. The axes show the square roots of k and ‖w‖.",
};

// question is a "?" that explains a term.
export function question(key, name) {
  return html`<button type="button" class="q" data-help=${key} title=${key.includes(" ") ? "" : words[key]} aria-label=${`What is ${name}?`}>?</button>`;
}

for (const e of $$("[data-tip]")) e.title = words[e.dataset.tip];

document.addEventListener("click", (e) => {
  const keys = e.target.closest("[data-help]")?.dataset.help;
  if (!keys) return;
  show($("#tip"), html`${keys.split(" ").map((key) => html`<p>${words[key]}</p>`)}`);
  $("#tip").showPopover();
});
