// What moves: a step, and the way from the opening to the proof.
"use strict";

const assert = require("node:assert/strict");
const {Page, desktop, sizes, click, box, learn} = require("./page.js");

module.exports = {
  async "a step walks to its point, and an epoch without a mistake turns no line"(browser, url) {
    const p = await Page.open(browser, url, {...desktop, reducedMotion: "no-preference"}, "#3");
    // A step records every place of the walker and every line until its motion ends.
    const step = () => p.page.evaluate(() => new Promise((done) => {
      const lines = new Set(), places = new Set(), arrows = new Set();
      let walked = false;
      const look = () => {
        const walker = document.querySelector(".walker");
        if (walker) places.add(walker.getAttribute("transform"));
        walked ||= walker !== null;
        lines.add(document.querySelector("line.new")?.getAttribute("y1"));
        arrows.add([...document.querySelectorAll("#room .space .arrow path")].map((e) => e.getAttribute("d")).join());
        if (walked && !walker && document.querySelector(".plane .added")) done([places.size, lines.size, arrows.size]);
        else requestAnimationFrame(look);
      };
      document.querySelector("[data-do=step]").click();
      look();
    }));
    let most = 0;
    for (let k = 1; k <= 7; k++) {
      const [places, lines] = await step();
      if (k > 1) assert.ok(lines >= 2, `step ${k}: ${lines} lines`);
      most = Math.max(most, places);
    }
    assert.ok(most >= 2, `${most} places`);
    const [places, lines, arrows] = await step();
    assert.match(await p.status(), /^Converged/);
    assert.deepEqual([places > 1, lines, arrows], [true, 1, 1]);
    await p.close();
  },

  async "a step shows, and then tells"(browser, url) {
    const p = await Page.open(browser, url, {...desktop, reducedMotion: "no-preference"}, "#3");
    await click(p, "[data-do=step]");
    await p.page.waitForFunction(() => document.querySelector(".plane .added"));
    const seen = await p.page.evaluate(() => new Promise((done) => {
      const words = document.querySelector("#said").textContent, seen = {words: 0, tints: 0, crosses: 0, frames: 0}, crosses = document.querySelectorAll(".cross").length;
      const look = () => {
        if (document.querySelector("#said").textContent !== words) return done(seen);
        seen.frames++;
        if (document.querySelectorAll(".regions polygon").length !== 2) seen.tints++;
        if (document.querySelectorAll(".cross").length !== crosses) seen.crosses++;
        if (document.querySelector(".walker") === null && document.querySelector(".plane .added") !== null && seen.frames > 1) seen.words++;
        requestAnimationFrame(look);
      };
      document.querySelector("[data-do=step]").click();
      look();
    }));
    assert.ok(seen.frames > 3, JSON.stringify(seen));
    assert.deepEqual([seen.tints, seen.crosses, seen.words], [0, 0, 0]);
    await p.close();
  },

  async "Next goes on where the reader is, and the board keeps its size after the opening"(browser, url) {
    const p = await Page.open(browser, url, {...desktop, reducedMotion: "no-preference"}, "#1");
    await learn(p);
    const plane = await box(p, ".plane"), start = await p.points();
    const ways = await p.page.evaluate(() => new Promise((done) => {
      const places = new Set(), look = () => {
        places.add([...document.querySelectorAll(".point")].map((e) => e.getAttribute("transform")).join());
        if (document.body.dataset.move === "sides" && places.size > 3) done(places.size);
        else requestAnimationFrame(look);
      };
      document.querySelector("#next").click();
      look();
    }));
    assert.ok(ways > 3); // the points move, and do not jump
    assert.deepEqual(await box(p, ".plane"), plane);
    assert.notDeepEqual(await p.points(), start);
    await p.move(5);
    await click(p, "[data-do=step]");
    await p.page.waitForFunction(() => /Point 9/.test(document.querySelector("#said").textContent) || document.querySelector("#room .small.g")?.textContent);
    await p.move(4);
    await p.page.locator("#next").click();
    await p.arrived(5);
    assert.deepEqual(await p.page.evaluate(() => ["#boards", "#room"].map((s) => document.querySelector(s).getAnimations().length > 0)), [true, true]); // they change places, and do not jump; the last glide may not have ended
    await click(p, "[data-do=step]");
    const k = () => p.page.evaluate(async () => (await import("./app.js")).app.picture.room.run);
    assert.equal(await k(), 3);
    for (const move of [6, 7, 8, 7]) {
      await p.page.locator(move === 7 && await p.count("body[data-move=room]") ? "#back" : "#next").click();
      await p.arrived(move);
      assert.equal(await k(), 3, `move ${move}`);
    }
    await p.close();
  },

  async "words in a board and in a figure have their size in pixels, whatever view was before"(browser, url) {
    for (const size of ["390×844", "1440×900"]) {
      const p = await Page.open(browser, url, {...sizes[size], reducedMotion: "no-preference"}, "#1");
      await learn(p);
      // go follows a link, lets the glide from the view before begin, and then end.
      const go = (move) => p.page.evaluate(async (move) => {
        const link = Object.assign(document.createElement("a"), {href: "#" + move}), frame = () => new Promise((next) => requestAnimationFrame(next));
        document.body.append(link);
        link.click();
        link.remove();
        while ((await import("./app.js")).app.picture.chapter !== move) await frame();
        for (let i = 0; i < 4; i++) await frame();
        for (const e of document.querySelectorAll("#boards, #room")) for (const a of e.getAnimations()) a.finish();
        await frame();
        const shown = (e) => [...document.querySelectorAll(e)].filter((t) => t.checkVisibility());
        const pixels = [...new Set(shown(".plane text").map((t) => Math.round(parseFloat(getComputedStyle(t).fontSize) * t.getScreenCTM().a)))];
        return {pixels, scales: shown(".telling #room :is(.space, .race) svg").map((e) => Math.round(100 * e.getScreenCTM().a) / 100)};
      }, move);
      for (const to of [2, 4, 5, 2, 9, 1, 5, 12, 2, 10, 0, 4, 0, 5, 1, 0, 1]) {
        const {pixels, scales} = await go(to);
        assert.ok(pixels.every((px) => px === 12 || px === 14), `${size}, to move ${to}: the board's words have ${pixels} pixels`);
        assert.ok(scales.every((s) => Math.abs(s - 1) < 0.02), `${size}, to move ${to}: the figure is drawn ${scales} times as large`);
      }
      await p.close();
    }
  },
};
