// What is kept and shared: undo, links, pasted and saved files.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const {Page, desktop} = require("./page.js");

// download presses a button and returns the saved file.
async function download(p, name) {
  const [file] = await Promise.all([p.page.waitForEvent("download"), p.press(name)]);
  return {name: file.suggestedFilename(), body: fs.readFileSync(await file.path())};
}

module.exports = {
  async "undo and redo, also by keyboard"(browser, url) {
    const p = await Page.open(browser, url);
    await p.press("XOR");
    await p.click(0.1, 0.1);
    await p.press("Step");
    for (const want of ["0 mistakes", "0 mistakes"]) {
      await p.keys("Control+z");
      assert.equal(await p.number("k"), want);
    }
    assert.equal((await p.points()).length, 4);
    await p.keys("Control+Shift+Z");
    assert.equal((await p.points()).length, 5);
    await p.press("Redo");
    assert.equal(await p.number("k"), "1 mistake");
    assert.equal(await p.locator("[data-do=redo]").getAttribute("aria-disabled"), "true");
    for (let i = 0; i < 3; i++) await p.press("Undo");
    assert.equal((await p.points()).length, 12);
    assert.equal(await p.locator("[data-do=undo]").getAttribute("aria-disabled"), "true");
    await p.close();
  },

  async "a reload and a link keep everything"(browser, url) {
    const p = await Page.open(browser, url, {...desktop, permissions: ["clipboard-read", "clipboard-write"]});
    await p.move(12);
    await p.move(0);
    await p.set("order", "Shuffled", 1);
    await p.click(0.02, -0.9);
    for (let i = 0; i < 3; i++) await p.press("Step");
    await p.state();
    const seen = async (q) => [await q.locator("#panels").innerText(), await q.names(), (await q.locator(".lines").first().innerHTML()).replace(/<!--.*?-->/g, "")];
    const want = await seen(p);
    await p.page.reload();
    await p.ready();
    assert.deepEqual(await seen(p), want);
    await p.press("Copy link");
    await p.page.waitForFunction(() => document.querySelector("#note").textContent.startsWith("The link is copied"));
    const link = await p.page.evaluate(() => navigator.clipboard.readText());
    const other = await Page.open(browser, url, desktop, new URL(link).hash);
    assert.deepEqual(await seen(other), want);
    await other.page.evaluate(() => { location.hash = "c=99"; });
    await other.page.waitForFunction(() => document.querySelector("#refusal").textContent.startsWith("the link is damaged"));
    await other.close();
    const damaged = await Page.open(browser, url, desktop, "#%");
    assert.equal(await damaged.text("#refusal"), 'the link is damaged at "%"');
    assert.equal(await damaged.locator("body").getAttribute("data-move"), "opening"); // it leads to the opening
    await damaged.press("Let it learn");
    assert.equal(await damaged.text("#refusal"), "");
    await damaged.close();
    const far = await Page.open(browser, url, desktop, "#99");
    assert.equal(await far.text("#refusal"), "the link is damaged: there is no move 99");
    await far.close();
    await p.close();
  },

  async "a reload without a network works"(browser, url) {
    const p = await Page.open(browser, url, desktop, "#1");
    await p.drag([1.75 / 2.25, 0.75 / 2.25], [0.8, 0.3]);
    const state = await p.state();
    assert.match(state, /^c=1&/);
    await p.page.waitForSelector("body[data-offline]");
    await p.context.setOffline(true);
    await p.page.reload();
    await p.ready();
    assert.equal(await p.state(), state);
    await p.page.evaluate(() => { location.hash = "#9"; });
    await p.arrived(9);
    await p.context.close(); // the browser may say in the console that there is no network
  },

  async "points are pasted, dropped and saved"(browser, url) {
    const p = await Page.open(browser, url);
    const send = (kind, text, file) => p.page.evaluate(([kind, text, file]) => {
      const data = new DataTransfer();
      if (file) data.items.add(new File([text], "points.csv"));
      else data.setData("text", text);
      document.body.dispatchEvent(kind === "paste" ? new ClipboardEvent(kind, {clipboardData: data, bubbles: true}) : new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true}));
    }, [kind, text, file]);
    await send("paste", "x,y,class\n1,0.1,+1\n-1,-0.5,-1\n");
    assert.deepEqual(await p.points(), ["point 1, class +, at 1, 0.1", "point 2, class −, at −1, −0.5"]);
    await send("drop", "1;1;1\n0;0;-1\n0.25;-1e-3;-1\n", true);
    await p.page.waitForSelector("#b0p2");
    assert.equal((await p.points())[2], "point 3, class −, at 0.25, −0.001");
    await send("paste", "1,2,1\n1,c,1");
    assert.equal(await p.text("#refusal"), 'line 2: "c" is not a finite number');
    assert.equal(await p.text("#note"), "");
    await p.press("Points…");
    assert.equal(await p.locator("#points textarea").inputValue(), "x1,x2,class\n1,1,1\n0,0,-1\n0.25,-0.001,-1\n");
    const csv = await download(p, "Save as a file");
    assert.equal(csv.name, "points.csv");
    assert.equal(String(csv.body), "x1,x2,class\n1,1,1\n0,0,-1\n0.25,-0.001,-1\n");
    await p.locator("#points textarea").fill("1,1,1\nno\n");
    await p.press("Use these points");
    assert.match(await p.text("#points .wrong"), /^line 2/);
    await p.keys("Escape");
    await p.press("Undo");
    assert.equal((await p.points()).length, 2);
    await p.close();
  },

  async "quoted CSV, class 1.0, and what the numbers say about it"(browser, url) {
    const p = await Page.open(browser, url);
    await p.press("Points…");
    await p.locator("#points textarea").fill('"x1";"x2";"class"\n"0.06";"0.08";"1.0"\n-0.06;-0.08;-1.0\n');
    await p.press("Use these points");
    await p.run();
    assert.equal(await p.number("margin"), "0.1 (100 % of γ)");
    await p.press("Points…");
    await p.locator("#points textarea").fill("0,1,+\n0,-1,-\n1,0,+\n");
    await p.press("Use these points");
    await p.set("model", "By hand");
    await p.locator("#panels [name=w1]").fill("1");
    assert.equal(await p.number("right"), "1 of 3 (33.3 %)");
    assert.match((await p.names())[0], /wrong now$/);
    await p.click(0, 0.5);
    assert.match(await p.text("#score"), /on the line, so not right$/);
    await p.close();
  },

  async "own classes and long files are read"(browser, url) {
    const p = await Page.open(browser, url);
    const use = async (text) => {
      await p.press("Points…");
      await p.locator("#points textarea").fill(text);
      await p.press("Use these points");
      return p.text("#note");
    };
    assert.equal(await use("a,b,class\n1,1,0\n-1,-1,1\n"), "Class 0 is − and 1 is +.");
    assert.equal(await p.locator("[name=model]").inputValue(), "Online");
    assert.deepEqual(await p.points(), ["point 1, class −, at 1, 1", "point 2, class +, at −1, −1"]);
    assert.equal(await use("1,1,dog\n-1,-1,cat\n"), "Class cat is − and dog is +.");
    assert.equal(await use("1,1,1\n".repeat(200) + "0,0,-1\n"), "The board shows the first 200 of 201 points.");
    assert.equal((await p.points()).length, 200);
    assert.equal(await use("1e300,0,1\n-1e300,1,-1\n"), "2 points were read.");
    await p.run();
    assert.equal(await p.status(), "Stopped: point 2: the numbers are too large to compute with.");
    await p.close();
  },
};
