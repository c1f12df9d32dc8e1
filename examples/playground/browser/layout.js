// The size and the place of the opening's board, on the screens that readers have.
"use strict";

const assert = require("node:assert/strict");
const {Page, desktop, phone} = require("./page.js");

// The least width of the board; 0 asks only that it stays where it is.
const screens = [[320, 568, 0], [360, 640, 0], [375, 667, 250], [412, 915, 340], [1280, 720, 580], [1280, 800, 640], [1920, 1080, 900]];

module.exports = Object.fromEntries(screens.map(([width, height, least]) => [`the opening's board is large and stays in place, ${width}×${height}`, async (browser, url) => {
  const p = await Page.open(browser, url, {...width < 500 ? phone : desktop, viewport: {width, height}}, "#1");
  const places = new Set();
  const look = async (when) => {
    places.add(JSON.stringify(await p.locator(".plane").boundingBox()));
    assert.equal(places.size, 1, `${when}: ${[...places].join(" ")}`);
    const [wide, next] = await p.page.evaluate(() => [document.documentElement.scrollWidth, document.querySelector("#next").getBoundingClientRect().toJSON()]);
    assert.ok(wide <= width, `${when}: the page is ${wide} wide`);
    assert.ok(next.left >= 0 && next.right <= width && next.bottom <= height, `${when}: Why? ends at ${next.right}, ${next.bottom}`);
  };
  // watch follows the board while a run goes on, until the words match.
  const watch = async (when, words) => {
    await p.press("Let it learn");
    do await look(when);
    while (!words.test(await p.text("#said")));
    await look(when);
  };
  assert.ok((await p.locator(".plane").boundingBox()).width >= least, JSON.stringify(await p.locator(".plane").boundingBox()));
  await look("at first");
  await watch("a full run", /It made 14 mistakes/);
  await p.page.mouse.move(...await p.at(1.75 / 2.25, 0.75 / 2.25));
  await p.page.mouse.down();
  for (const to of [[0.8, 0.3], [0.1, -0.6], [-0.5, 0.9]]) {
    await p.page.mouse.move(...await p.at(...to));
    await look("a drag");
  }
  await p.page.mouse.up();
  assert.match(await p.text("#said"), /^\s*Now no line through the centre separates the points, so it will never stop/);
  await watch("a failed run", /You won: it never stops.*for ever/s);
  assert.deepEqual([await p.count("#room .dome"), await p.count("#room .floor")], [1, 0]);
  await p.close();
}]));

module.exports["in free play, sets and settings are on the first screen"] = async (browser, url) => {
  const p = await Page.open(browser, url, {...desktop, viewport: {width: 1280, height: 720}});
  const [bar, ...ends] = await p.page.evaluate(() => ["#bar", "[data-load=overlap]", "[name=model]", "[name=gamma]", "[name=origin]", ".plane"].map((s) => { const {top, bottom} = document.querySelector(s).getBoundingClientRect(); return s === "#bar" ? top : bottom; }));
  assert.ok(ends.every((end) => end > 0 && end <= bar), `${ends} of ${bar}`);
  const before = await p.locator(".plane").boundingBox();
  for (const name of ["XOR", "Overlap", "Narrow margin"]) {
    await p.press(name); // the weight space comes and goes
    assert.deepEqual(await p.locator(".plane").boundingBox(), before, name);
  }
  await p.close();
};

// The proof's board: its least width, and that nothing moves it, in both fonts that phones and
// computers without fonts of their own have.
const fonts = {Roboto: '* { font-family: Roboto !important; }', DejaVu: '* { font-family: "DejaVu Sans" !important; } #story * { font-family: "DejaVu Serif" !important; }'};
for (const [font, content] of Object.entries(fonts)) {
  for (const [width, height, least] of [[320, 568, 185], [360, 640, 205], [375, 667, 220]]) {
    module.exports[`no page is wider than the screen, and the proof's board stays, ${width}×${height}, ${font}`] = async (browser, url) => {
      const p = await Page.open(browser, url, {...phone, viewport: {width, height}, bypassCSP: true}, "#1");
      await p.page.addStyleTag({content});
      for (let move = 1; move <= 16; move++) {
        await p.move(move % 16);
        const two = [12, 15].includes(move), places = new Set();
        const look = async (when) => {
          const {wide, plane, next, guess, room, bar, stage} = await p.page.evaluate(() => ({wide: document.documentElement.scrollWidth, stage: document.body.dataset.stage, ...Object.fromEntries([["plane", ".plane"], ["next", "#next"], ["guess", ".guess"], ["room", "#room svg, #room"], ["bar", "#bar"]].map(([name, s]) => [name, document.querySelector(s).getBoundingClientRect().toJSON()]))}));
          assert.ok(wide <= width, `move ${move}, ${when}: the page is ${wide} wide`);
          if (move === 16) return;
          assert.ok(next.left >= 0 && next.right <= width && next.bottom <= height, `move ${move}, ${when}: Next ends at ${next.right}, ${next.bottom}`);
          if (move === 9) assert.ok(guess.right <= width && guess.bottom <= Math.min(plane.top, room.top) + 0.5, `the guess ends at ${guess.bottom}, the board begins at ${plane.top}`);
          if (!two && stage === "board") assert.ok(plane.width >= least - 0.5, `move ${move}: the board is ${plane.width} wide`);
          if (stage === "room") assert.ok(room.width * room.height > 2 * plane.width * plane.height && room.bottom <= bar.top && room.height >= 200, `move ${move}, ${when}: the figure has ${room.width}×${room.height} and ends at ${room.bottom}, the board has ${plane.width}`);
          assert.equal(places.add(JSON.stringify(plane)).size, 1, `move ${move}, ${when}: ${[...places].join(" ")}`);
        };
        await look("at first");
        for (let step = 1; step <= (move === 9 ? 11 : 4) && move < 16; step++) {
          await p.page.evaluate((two) => document.querySelector(two ? "[data-do=epoch]" : "[data-do=step]").click(), two);
          if (move > 1) await look(`step ${step}`);
        }
        if (two || move === 1 || move === 16) continue;
        if (move === 9) assert.equal(await p.count("body.ended"), 1);
        await p.page.evaluate(async () => {
          const {ask} = await import("./app.js");
          ask({do: "move", point: 1, x: 0.3, y: 0.4, gesture: "drag"});
        });
        await look("a drag");
      }
      await p.close();
    };
  }
}

// overprinted returns the names of floors and domes in the figure that cover an arrow, after
// many drags and steps, and how many names it saw.
const overprinted = (p, moves) => p.page.evaluate(async (moves) => {
  const {ask} = await import("./app.js"), bad = [];
  let seed = 11, seen = 0;
  const random = (n) => { seed = (seed * 48271) % 2147483647; return seed % n; };
  const look = (where) => {
    for (const name of document.querySelectorAll("#room .space text")) {
      if (!/^(floor|dome)/.test(name.textContent)) continue;
      const box = name.getBoundingClientRect();
      seen++;
      for (const shaft of document.querySelectorAll("#room .space .arrow path")) {
        const matrix = shaft.getScreenCTM(), long = shaft.getTotalLength();
        for (let at = 0; at <= long; at += 3) {
          const {x, y} = shaft.getPointAtLength(at).matrixTransform(matrix);
          if (x > box.left && x < box.right && y > box.top + 1 && y < box.bottom - 1) { bad.push(`${name.textContent} ${where}`); at = long; }
        }
      }
    }
  };
  for (const move of moves) {
    ask({do: "chapter", times: move});
    for (let i = 0; i < 60; i++) {
      if (move === 0) ask({do: "load", name: ["wide", "narrow", "story", "opening"][i % 4]});
      if (move === 0 && i % 2) ask({do: "set", name: "origin", text: "true"});
      ask({do: "move", point: random(10), x: random(1900) / 1000 - 0.95, y: random(1900) / 1000 - 0.95, gesture: "g" + i});
      for (let k = random(9); k >= 0; k--) {
        ask({do: "step"});
        look(`in move ${move}, drag ${i}`);
      }
      if (i % 3 === 0) ask({do: "undo"});
    }
  }
  return {bad: [...new Set(bad)], seen};
}, moves);
for (const [screen, options] of Object.entries({phone: {...phone, viewport: {width: 375, height: 667}}, desktop})) {
  module.exports[`floor kγ overprints no arrow, ${screen}`] = async (browser, url) => {
    const p = await Page.open(browser, url, options, "#5"), {bad, seen} = await overprinted(p, [5, 7, 8, 9, 10, 11, 0]);
    assert.deepEqual(bad.slice(0, 5), [], `${bad.length} of ${seen}`);
    assert.ok(seen > 200, `only ${seen} names`);
    await p.close();
  };
}

// Screens that lie, and a desktop zoomed to 200 %: the figure of the proof is on the first screen, and the largest thing.
for (const [width, height] of [[667, 375], [700, 500], [640, 400]]) {
  module.exports[`the proof's figure is the largest thing on a screen of ${width}×${height}`] = async (browser, url) => {
    const p = await Page.open(browser, url, {...desktop, viewport: {width, height}}, "#5");
    for (const move of [5, 6, 7, 8, 9, 10, 11]) {
      await p.move(move);
      for (let step = 0; step < (move === 9 ? 11 : 2); step++) {
        const [room, plane, bar] = await p.page.evaluate(() => ["#room", ".plane", "#bar"].map((s) => document.querySelector(s).getBoundingClientRect().toJSON()));
        assert.ok(room.top >= 0 && room.bottom <= bar.top && room.right <= width && room.width * room.height > 2 * plane.width * plane.height && room.height > height / 2, `move ${move}, step ${step}: ${JSON.stringify(room)}, the board has ${plane.width}`);
        await p.page.evaluate(() => document.querySelector("[data-do=step]").click());
      }
    }
    await p.close();
  };
}
