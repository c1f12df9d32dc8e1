// Training: the numbers on the page, the story and the second board.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const {Page, desktop} = require("./page.js");

// parse reads a number as the page writes it.
const parse = (text) => Number.parseFloat(text.replaceAll("−", "-").replace(/^\(/, ""));
const shown = (v) => Number(v.toPrecision(Math.abs(v) < 999 ? 3 : 5)) + 0;

module.exports = {
  async "the numbers are the library's"(browser, url) {
    const runs = JSON.parse(fs.readFileSync(process.env.PLAYGROUND_EXPECT));
    assert.ok(runs.length >= 6);
    const names = {wide: "Wide margin", narrow: "Narrow margin", xor: "XOR"};
    const p = await Page.open(browser, url);
    for (const run of runs) {
      await p.press(names[run.Set]);
      await p.set("model", run.Model);
      await p.run();
      const is = async (term, want) => assert.equal(parse(await p.number(term)), want, `${term} of ${run.Set}, ${run.Model}`);
      assert.equal(await p.number("stop"), run.Stop);
      await is("k", run.Mistakes);
      await is("r", shown(run.R));
      await is("length", shown(run.Norm));
      await is("bias", shown(run.B));
      assert.equal((await p.number("right")).replace(/.*\(| %.*/g, ""), String(Number((100 * run.Right).toPrecision(3))));
      const w = (await p.number("w")).slice(1, -1).split(", ").map(parse);
      assert.deepEqual(w, run.W.map(shown));
      if (run.Bound === 0) continue;
      await is("kmax", Math.floor(run.Bound));
      await is("gamma", shown(run.Lower));
      assert.ok(Math.abs(parse(await p.number("margin")) - run.Margin) <= 1e-2 * Math.abs(run.Margin));
      assert.match(await p.status(), new RegExp(`^Converged.* ${run.Mistakes} \\w+ in ${run.Epochs} epochs \\(at most ${Math.floor(run.Bound)} promised\\)`));
    }
    const sizes = (await Promise.all(p.sizes)).filter((s) => s);
    const wire = sizes.reduce((sum, s) => sum + s.responseBodySize + s.responseHeadersSize, 0);
    assert.ok(wire > 1e5 && wire < 1.35e6, `${wire} bytes over the wire`);
    console.log(`  ${wire} bytes over the wire`);
    await p.close();
  },

  async "no number misleads"(browser, url) {
    const p = await Page.open(browser, url);
    assert.equal(await p.number("stop"), "not started");
    assert.match(await p.status(), /^Ready/);
    await p.press("Narrow margin");
    await p.press("Epoch");
    assert.match(await p.number("epochs"), /^\d+ mistakes, mean loss 0\.\d+$/); // each before its update
    assert.match(await p.number("right"), /^\d+ of 14 \(/);
    assert.equal(await p.number("stop"), "in training");
    await p.press("Overlap");
    await p.set("model", "Online");
    assert.match(await p.text(".verdict"), /^Proved/);
    await p.run();
    assert.match(await p.status(), /^Stopped at the limit of 1000 epochs: the run has not converged/);
    await p.close();
  },

  async "every model and field trains"(browser, url) {
    const p = await Page.open(browser, url);
    await p.press("Narrow margin");
    await p.set("model", "Margin");
    await p.fill("gamma", "0.05");
    await p.fill("eta", "0.5");
    for (const order of ["Shuffled", "Sampled"]) {
      await p.set("order", order);
      await p.run();
      assert.match(await p.status(), /^Converged/);
    }
    await p.press("Overlap");
    await p.set("keep", "Average");
    for (let i = 0; i < 5; i++) await p.press("Epoch");
    assert.equal(await p.count("line.kept"), 1);
    await p.fill("eta", "-1");
    await p.press("Step");
    assert.match(await p.status(), /^Stopped: bad configuration/);
    await p.close();
  },

  async "Pause stops Run, and Reset restarts the training"(browser, url) {
    const p = await Page.open(browser, url);
    await p.press("Overlap");
    await p.locator("#speed").fill("2");
    await p.press("Run");
    await p.page.waitForFunction(() => Number.parseInt(document.querySelector("[data-of=k]").textContent) > 5);
    await p.press("Pause");
    const k = Number.parseInt(await p.number("k"));
    await p.press("Step");
    assert.equal(Number.parseInt(await p.number("k")), k + 1);
    await p.press("Undo");
    assert.equal(Number.parseInt(await p.number("k")), k);
    await p.press("Undo"); // the whole run
    assert.equal(await p.number("k"), "0 mistakes");
    await p.press("Redo");
    await p.press("Reset");
    assert.equal(await p.number("k"), "0 mistakes");
    assert.equal(await p.count(".lines line"), 0);
    await p.close();
  },

  async "every question has an answer"(browser, url) {
    const p = await Page.open(browser, url);
    await p.press("Narrow margin");
    await p.locator("#compare").check();
    await p.press("Epoch");
    for (const q of await p.page.locator("[data-help]:visible").all()) {
      await q.click();
      const answers = await p.locator("#tip p").allTextContents();
      assert.ok(answers.length > 0 && answers.every((a) => a.length > 20), `${await q.getAttribute("data-help")}: ${answers}`);
      await p.keys("Escape");
    }
    assert.deepEqual(await p.locator("[data-tip]").evaluateAll((all) => all.filter((e) => !e.title).map((e) => e.outerHTML)), []);
    await p.close();
  },
};
