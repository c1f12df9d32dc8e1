// The moves at five sizes: what they show and say, and that nothing moves that should stay.
"use strict";

const assert = require("node:assert/strict");
const {Page, names, last, moves, desktop, sizes, click, box, said, learn} = require("./page.js");

const tabsOf = (p) => p.locator("#parts a").evaluateAll((all) => all.map((e) => { const {x, y} = e.getBoundingClientRect(); return [x, y].map(Math.round); }));

// named returns the words in the figure right of the board and their boxes, and covered those
// that cover each other or leave the figure.
const named = (p) => p.page.evaluate(() => [...document.querySelectorAll("#room svg")].filter((e) => e.checkVisibility()).map((e) => [e, ...e.querySelectorAll("text")].map((t) => { const {left, top, right, bottom} = t.getBoundingClientRect(); return {words: t === e ? "" : t.textContent, left, top, right, bottom}; })));
async function covered(p) {
  const bad = [];
  for (const [figure, ...all] of await named(p)) {
    for (const [i, a] of all.entries()) {
      if (a.left < figure.left - 1 || a.right > figure.right + 1 || a.top < figure.top - 1 || a.bottom > figure.bottom + 1) bad.push(`${a.words} leaves the figure`);
      for (const b of all.slice(i + 1)) if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2.5 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 6.5) bad.push(`${a.words} and ${b.words} cover each other`);
    }
  }
  return bad;
}

module.exports = {
  ...Object.fromEntries(Object.entries(sizes).map(([size, options]) => [`every move fits on one screen of ${size}`, async (browser, url) => {
    const p = await Page.open(browser, url, options, "#1"), {width, height} = options.viewport, places = {};
    for (const move of moves.slice(0, last)) {
      await p.move(move);
      if (move === 9) await p.locator("#guess").fill("10");
      const two = [12, 15].includes(move);
      for (let step = 0; step < (move === 9 ? 12 : 9); step++) {
        const theorem = width < 832 && await p.count("body.ended") > 0; // on a phone it stands below, and the page scrolls to it
        const boxes = await p.page.evaluate(() => [...document.querySelectorAll(".idea, .idea p, .try, .plane, #room svg, #room .slide, #room .sliders, #said p, [data-do=step], #next, #back, #guess")].filter((e) => e.checkVisibility({visibilityProperty: true})).map((e) => [e.id || e.className.baseVal || e.className || e.tagName, e.getBoundingClientRect().toJSON()]));
        const where = `${size}, move ${move}, step ${step}`, bar = await p.page.evaluate(() => document.querySelector("#bar").getBoundingClientRect().top);
        for (const [name, b] of boxes) assert.ok(b.left >= -0.5 && b.top >= 0 && b.right <= width + 0.5 && b.bottom <= (["button main", "main", "next", "back", "button", "button off"].includes(name) ? height : bar + 0.5), `${where}: ${name} ends at ${b.right}, ${b.bottom} of ${bar}`);
        assert.ok(boxes.filter(([name]) => name === "plane").every(([, b]) => b.width >= 115), `${where}: the board is small`);
        const scrolls = await p.page.evaluate(() => [document.documentElement, ...document.querySelectorAll("#story, .idea, #said, main")].filter((e) => e.scrollHeight > e.clientHeight + 1).map((e) => `${e.id || e.tagName} ${e.scrollHeight} ${e.clientHeight}`));
        assert.deepEqual(scrolls.filter((s) => !theorem || !/^HTML/.test(s)), [], `${where} scrolls`);
        assert.equal(await p.count("#ending:visible"), move === 9 && step > 9 ? 1 : 0, where);
        const ended = await p.count("body.ended") > 0, stage = await p.locator("body").getAttribute("data-stage");
        for (const selector of ["#next", "#parts", ...move > 1 ? ["[data-do=step]"] : [], ...move > 1 && !two && !ended ? [".plane", "article:not([hidden]) h1"] : [], ...stage === "room" ? ["#room"] : []]) {
          const [x, y, w, h] = await box(p, selector), now = JSON.stringify(selector.startsWith("article") ? [x, y] : [x, y, w, h]);
          assert.equal(places[(selector === ".plane" ? stage : "") + selector] ??= now, now, `${where}: ${selector} moves`);
        }
        if (!two && width > 832) { // the stage is at one place in all moves
          const stageOf = JSON.stringify(await box(p, stage === "room" ? "#room" : ".plane"));
          assert.equal(places.stage ??= stageOf, stageOf, `${where}: the stage moves`);
        }
        if (stage === "room") { // the figure of the proof is the largest thing
          const [, , w, h] = await box(p, "#room"), plane = ended && width > 832 ? [0, 0, 0, 0] : await box(p, ".plane");
          assert.ok(w * h > 2 * plane[2] * plane[3], `${where}: the figure has ${w}×${h}, the board ${plane[2]}×${plane[3]}`);
        }
        assert.deepEqual(await covered(p), [], where);
        if (move === 9 && step > 9) assert.match((await named(p))[0].map((t) => t.words).join("|"), /floor kγ = 8\.5.*no room for w.*dome √k·R ≈ 8\.25/, where);
        if (step === 0) {
          const small = await p.page.evaluate(() => [...document.querySelectorAll("body *")].filter((e) => e.checkVisibility({visibilityProperty: true}) && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) && !e.closest(".hidden, option")).map((e) => [e.textContent.slice(0, 30), parseFloat(getComputedStyle(e).fontSize) * (e.getScreenCTM && e instanceof SVGElement ? e.getScreenCTM().a : 1)]).filter(([, px]) => px < 10.99));
          assert.deepEqual(small, [], `${where}: small texts`);
          const targets = await p.page.evaluate(() => [...document.querySelectorAll("#bar button, #bar .button, #room input, #guess, nav a, .text")].filter((e) => e.checkVisibility({visibilityProperty: true})).map((e) => [e.textContent || e.name, Math.min(e.getBoundingClientRect().height, e.matches("input") ? 99 : e.getBoundingClientRect().width), e.closest("nav, .text") ? 24 : 44]));
          for (const [name, px, least] of targets) assert.ok(px >= least - 0.5, `${where}: ${name} has ${px} pixels, want ${least}`);
          if (width < 400) assert.ok(await p.page.evaluate(() => document.querySelector(".touch").getBoundingClientRect().width) >= 43.5, `${where}: the points are small for a finger`);
        }
        if ([1, 2, 4, 13].includes(move)) break;
        await click(p, two ? "[data-do=epoch]" : "[data-do=step]");
      }
    }
    const tabs = await tabsOf(p);
    await p.move(0);
    assert.deepEqual(await tabsOf(p), tabs, `${size}: the tabs move`);
    await p.move(1);
    assert.deepEqual(await tabsOf(p), tabs, `${size}: the tabs move`);
    await learn(p);
    const promise = await box(p, "#said"), bar = await box(p, "#bar");
    assert.ok(promise[1] + promise[3] <= bar[1], `the record ends at ${promise[1] + promise[3]}`);
    await p.close();
  }])),

  async "a line in the hand: drag the tip of w"(browser, url) {
    const p = await Page.open(browser, url, desktop, "#2");
    assert.equal(await p.status(), "Your line has 8 of 10 points correct.");
    const away = await p.locator(".point .cross").evaluateAll((all) => all.map((e) => { const [a, b] = [e, e.closest(".point").querySelector(".body")].map((e) => e.getBoundingClientRect()); return Math.hypot(a.x + a.width / 2 - b.x - b.width / 2, a.y + a.height / 2 - b.y - b.height / 2) < 1; }));
    assert.deepEqual(away, [true, true]); // the × is on its point
    await p.drag([1 / 2.25, 0.5 / 2.25], [0.1, 0.8]);
    assert.equal(await p.status(), "Your line has all 10 points correct.");
    const line = () => p.locator("line.new").first().evaluate((e) => Math.atan2(e.y2.baseVal.value - e.y1.baseVal.value, e.x2.baseVal.value - e.x1.baseVal.value));
    const before = await line();
    await p.drag([0.2 / 2.25, 1.8 / 2.25], [0.05, 0.4]);
    assert.ok(Math.abs(await line() - before) < 0.05); // shorter, and the line stays
    await p.press("Undo");
    await p.press("Undo");
    assert.equal(await p.status(), "Your line has 8 of 10 points correct.");
    for (const name of ["w1", "w2"]) await p.locator(`#room input[name=${name}]`).fill("0");
    assert.equal(await p.status(), "Both weights are 0, so there is no line: every point has the score 0.");
    await p.close();
  },

  async "the proof, with the number at the end"(browser, url) {
    const p = await Page.open(browser, url, desktop, "#3");
    assert.match(await p.text("article:not([hidden])"), /Once round all points is an epoch\./); // the status counts them
    for (let k = 1; k <= 7; k++) await p.press("Step");
    assert.equal(await p.count("#room .space .arrow"), 7 + 1); // and w
    await p.press("Step");
    assert.match(await p.status(), /^Converged.* 7 mistakes in \d epochs\.$/);
    assert.equal(await p.count("#room .space .dome, #room .space .floor"), 0);
    await p.follow("Next");
    await p.arrived(4);
    assert.equal(await p.status(), "γ = 0.5 and R = 2.");
    assert.equal(await p.count("#room .space .arrow"), 10 + 1); // and u
    await p.move(5);
    await p.press("Step");
    assert.match(await p.text(".proof"), /^⟨u, w⟩ grew by 0\.7\. It grows by at least γ = 0\.5\. $/);
    assert.equal(await p.count("#room .space .dome"), 0);
    await p.move(6);
    assert.match(await p.text(".proof"), /‖w‖² grew by 2\.44\. It grows by at most R² = 4\. The angle to the old w is 99°/);
    assert.equal(await p.count("#room .space .half"), 1);
    await p.move(7);
    assert.equal(await p.count("#room .space .dome:not(.thin)"), 1);
    assert.equal(await p.count("#room .space .floor"), 0);
    for (let k = 4; k <= 7; k++) {
      assert.deepEqual(await p.locator("#room .small.r").allTextContents().then((all) => all.filter((t) => /\D/.test(t))), [k + " mistakes"]);
      const [u, dome] = await Promise.all(["u", "dome"].map((name) => p.page.evaluate((name) => { const {top, bottom} = [...document.querySelectorAll("#room text.strong")].find((e) => e.textContent.startsWith(name)).getBoundingClientRect(); return {top, bottom}; }, name)));
      assert.ok(u.bottom <= dome.top + 4 || dome.bottom <= u.top + 4, `the dome's name covers u at ${k}`);
      if (k < 7) await p.press("Step");
    }
    for (let k = 7; k > 4; k--) await p.press("Undo");
    await p.move(8);
    assert.deepEqual(await p.locator("#room .small.g").allTextContents(), ["4 mistakes", "3", "2", "1", "0"]);
    assert.equal(await p.text(".caught"), "kγ = 2 ≤ ⟨u, w⟩ = 2.5 ≤ ‖w‖ ≈ 2.69 ≤ √k·R = 4");
    await p.move(9);
    await p.locator("#guess").fill("30");
    const number = () => p.page.evaluate(() => /\b1[67]\b/.test(document.querySelector("main").innerText.replace(/\n\d+(?=\n)/g, "")));
    for (let k = 8; k <= 15; k++) {
      assert.equal(await number(), false, `the number is given away at ${k}`);
      await p.press("One more");
      assert.match(await p.status(), new RegExp(`^Suppose ${k} mistakes`));
    }
    await p.press("One more");
    assert.match(await p.text(".proof"), /^One place is left/);
    assert.deepEqual([await p.count("#room .between"), await p.count("#room .thin"), await p.text("#worth")], [0, 0, ""]); // no room, no old lines
    await p.press("One more");
    assert.match(await said(p), /So it must stop: at most 16 mistakes\..*At 17 the floor \(8\.5\) is above the dome \(8\.25\).*This run made 7, the most for these points in any order; 16 is for all points with this γ and R\./s);
    assert.match(await p.text("#ending"), /kγ = √k·R: after k = \(R\/γ\)².*Theorem.*These points: \(2\/0\.5\)² = 16, so at most 16/s);
    assert.ok(await p.page.evaluate(() => { // also numbers that are longer than those of this move
      const e = document.querySelector("#numbers"), own = e.textContent;
      e.textContent = "(11.2345/2.04567)² = 30.16, so at most 30";
      const fits = [...e.getClientRects()].every((r) => r.right <= e.closest(".theorem").getBoundingClientRect().right);
      e.textContent = own;
      return fits;
    }), "the theorem's numbers are cut off");
    assert.equal(await p.text("#worth"), "14 too many.");
    assert.ok(await p.locator(".promise .big").evaluate((e) => parseFloat(getComputedStyle(e).fontSize)) > 32);
    const inGap = await p.page.evaluate(() => {
      const all = [...document.querySelectorAll("#room text")], words = all.find((e) => e.textContent === "no room for w").getBBox(), floor = document.querySelector("#room .floor:not(.thin)").getBBox().y, {cx, cy, r} = document.querySelector("#room .dome:not(.thin)");
      const x = words.x + words.width / 2 - cx.baseVal.value, y = words.y + words.height / 2;
      return floor < y && y < cy.baseVal.value - Math.sqrt(r.baseVal.value ** 2 - x ** 2);
    });
    assert.ok(inGap, "the words are not between the floor and the dome");
    assert.equal(await p.locator("[data-do=step]").getAttribute("aria-disabled"), "true");
    for (const [guess, worth] of [["16", "Right: the promise!"], ["7", "Right for these points!"], ["9", "No order makes so many."], ["5", "2 too few."], ["", ""]]) {
      await p.locator("#guess").fill(guess);
      assert.equal(await p.text("#worth"), worth);
    }
    await p.close();
  },

  async "going further"(browser, url) {
    const p = await Page.open(browser, url, desktop, "#10");
    await p.locator("#gamma").fill("0.25");
    assert.match(await p.text("#room .slide"), /at most 64 mistakes/);
    await p.locator("#gamma").fill("1");
    assert.match(await p.text("#room .slide"), /not with these points/);
    assert.match(await p.status(), /No u has this γ for these points: the largest is 0\.5\./);
    assert.equal(await p.count(".plane .near"), 5);
    await p.page.getByRole("button", {name: "Reset γ", exact: true}).click();
    assert.equal(await p.count("#room .space .arrow"), 8);
    await p.move(11);
    assert.doesNotMatch(await p.text(".proof"), /\d\.\d{4}/); // few digits
    await p.move(12);
    await p.run();
    assert.match(await p.text("figcaption >> nth=1"), /margin: .* % of γ/);
    await p.move(13);
    assert.equal(await p.status(), "Proved: no line separates the points.");
    assert.equal(await p.count("#room .arrow"), 4);
    await p.drag([-1.5 / 2.2, 0.5 / 2.2], [0, -0.9]);
    assert.match(await p.status(), /^Separable: a line has/);
    assert.equal(await p.count("#room .arrow"), 0);
    assert.match(await p.text("#room"), /The chain is open: a line separates/);
    await p.move(14);
    for (let k = 1; k <= 9; k++) await p.press("Step");
    assert.match(await p.status(), /^Cycled/);
    assert.equal(await p.count("#room .arrow"), 9);
    await p.move(15);
    await click(p, "[data-do=epoch]");
    await click(p, "[data-do=epoch]");
    assert.equal(await p.count("line.kept"), 2);
    await p.close();
  },

  async "the words of the chart of a run without end cover nothing, from its first mistake on"(browser, url) {
    const text = "c=1&wide=1&model=0,0,0,1,0,1&origin=1&p=1.25,1.375,1&p=0.75,-1.125,-1&p=-0.375,-1.25,-1&p=-1.25,-0.125,1&p=0.375,-0.5,-1&p=-1,1.75,1&p=0.25,1.5,1&p=-0.625,0.375,1&p=0.625,0.8125,-1&p=-1.375,-1.375,-1";
    for (const size of ["390×664", "390×844", "1280×720", "1440×900"]) {
      const p = await Page.open(browser, url, sizes[size], "#2");
      const bad = await p.page.evaluate(async (text) => {
        const {ask} = await import("./app.js"), bad = [], meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
        ask({do: "link", text});
        await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
        for (let k = 2; k < 40; k++) {
          ask({do: "step", times: 1, gesture: "run"});
          const boxes = (s) => [...document.querySelectorAll("#room " + s)].map((e) => ({words: e.textContent || "a dot", ...e.getBoundingClientRect().toJSON()})), all = boxes("text"), dots = boxes(".dot");
          if (!all.some((t) => /^no lower limit/.test(t.words))) bad.push(`no label at ${k}`);
          for (const [i, t] of all.entries()) for (const other of [...all.slice(i + 1), ...dots]) if (meet(t, other)) bad.push(`${t.words} covers ${other.words} at ${k}`);
        }
        return bad;
      }, text);
      assert.deepEqual(bad, [], size);
      await p.close();
    }
  },

  async "after the last mistake of a run, the next move begins with mistakes to come"(browser, url) {
    const p = await Page.open(browser, url, desktop, "#5");
    for (const move of [6, 7, 8]) {
      while (!/^Converged/.test(await p.status())) { // a reader stops at the last mistake, or one press later
        if (await p.page.evaluate(async () => (await import("./app.js")).app.picture.room.run) === 7 && move !== 7) break;
        await p.press("Step");
      }
      await p.follow("Next");
      await p.arrived(move);
      const arrows = await p.count("#room .space .arrow");
      assert.equal(arrows, 4 + 1, `move ${move}`); // and w
      await p.press("Step");
      assert.equal(await p.count("#room .space .arrow"), arrows + 1, `move ${move}`);
    }
    await p.close();
  },

  async "a drag keeps its point, and the figure its place"(browser, url) {
    for (const options of [desktop, sizes["390×664"]]) {
      const p = await Page.open(browser, url, options, "#5");
      for (const move of [4, 5, 6, 7, 8, 9]) {
        await p.move(move);
        const plane = await box(p, ".plane"), room = await box(p, "#room"), i = 6, far = [1.9 / 2.25, -0.5 / 2.25];
        await p.page.mouse.move(...await p.at(...far));
        await p.page.mouse.down();
        for (const y of [-0.1, 0, 0.1, 0.18, 0.21]) {
          await p.page.mouse.move(...await p.at(far[0], y));
          assert.deepEqual([await box(p, ".plane"), await box(p, "#room")], [plane, room], `move ${move} at ${y}`);
          const [x, z] = await p.locator(".point").nth(i).evaluate((e) => { const {e: x, f: y} = e.transform.baseVal.consolidate().matrix; return [x / 100, -y / 100]; });
          assert.ok(Math.hypot(x - far[0], z - y) < 0.025, `move ${move}: the point is at ${x}, ${z}, the pointer at ${far[0]}, ${y}`);
          const words = await p.page.locator("main").innerText();
          assert.doesNotMatch(words, /at most 16|\b0\.5 and R/);
          if (y === 0.21) assert.match(await p.text("#room"), /the promise is at most \d+ mistakes: too many floors|no margin γ/, `move ${move} at ${y}`);
        }
        await p.page.mouse.up();
        await p.press("Undo");
        assert.deepEqual(await box(p, ".plane"), plane);
        assert.equal(await p.count("#room svg"), 1);
      }
      await p.close();
    }
  },

  async "what a sentence names lights up"(browser, url) {
    const p = await Page.open(browser, url, desktop, "#8");
    const wide = (selector) => p.locator(selector).first().evaluate((e) => parseFloat(getComputedStyle(e).strokeWidth));
    for (const [light, selector] of [["floor", "#room .space .floor:not(.thin)"], ["dome", "#room .space .dome:not(.thin)"], ["w", ".plane .weights"]]) {
      await p.page.mouse.move(2, 2);
      const before = await wide(selector);
      await p.locator(`article:not([hidden]) [data-light=${light}]`).first().hover();
      assert.ok(await wide(selector) > before, light);
    }
    await p.close();
  },

  async "a new move has the title, the focus and the top of the page"(browser, url) {
    const p = await Page.open(browser, url, desktop, "#1");
    await learn(p); // then there is a way on
    for (let move = 2; move <= last; move++) {
      await p.locator("#next").click();
      await p.arrived(move);
      const [title, heading, top] = await p.page.evaluate(() => [document.title, document.activeElement.textContent, scrollY]);
      assert.equal(title, heading + " · Perceptron");
      assert.equal(top, 0);
      assert.equal(await p.count("#moves [aria-current=step]"), 1);
      assert.match(await p.text("#parts [aria-current]"), move < 10 ? /The proof/ : /Going further/);
    }
    await p.locator("#next").click();
    await p.arrived(0);
    assert.equal(await p.page.title(), "Free play · Perceptron");
    await p.page.goBack();
    await p.arrived(last);
    await p.page.goBack();
    await p.arrived(last - 1);
    await p.page.goForward();
    await p.arrived(last);
    await p.press("Step");
    await p.page.evaluate(() => { // a state that is written late does not undo a link
      location.hash = "#5";
      dispatchEvent(new Event("pagehide"));
    });
    await p.arrived(5);
    await p.move(3);
    for (let i = 0; i < 40 && await p.page.evaluate(() => document.activeElement.dataset.do) !== "step"; i++) await p.keys("Tab");
    await p.keys("Enter", "Space");
    assert.match(await p.status(), /Point 6/);
    await p.close();
    for (const [hash, move] of [["#4", 4], ["#c=4", 4], ["#15", 15], ["", 1], ["#16", 1]]) {
      const q = await Page.open(browser, url, desktop, hash);
      assert.equal(await q.locator("body").getAttribute("data-move"), names[move]);
      if (hash === "#16") assert.equal(await q.text("#refusal"), "the link is damaged: there is no move 16");
      else assert.equal(await q.state(), String(move));
      await q.close();
    }
  },

  async "a board names its lines, and has at most three kinds of dashes"(browser, url) {
    const p = await Page.open(browser, url, desktop, "#1");
    await learn(p);
    for (const move of moves) {
      await p.move(move);
      for (let i = 0; i < 3; i++) {
        const bad = await p.page.evaluate(() => [...document.querySelectorAll(".plane")].flatMap((plane) => {
          const shown = [...plane.querySelectorAll("line, path, circle, rect, polygon")].filter((e) => getComputedStyle(e).visibility !== "hidden" && getComputedStyle(e).stroke !== "none" && e.getBoundingClientRect().width + e.getBoundingClientRect().height > 0);
          const dashes = new Set(shown.map((e) => [getComputedStyle(e).strokeDasharray, getComputedStyle(e).stroke].join()).filter((d) => !d.startsWith("none"))), names = [...plane.querySelectorAll(".lines text")].map((e) => e.textContent);
          return [...dashes.size > 3 ? [[...dashes].join(" ")] : [], ...["old", "kept"].filter((kind) => (plane.querySelector("line." + kind) !== null) !== names.includes({old: "before", kept: "kept"}[kind]))];
        }));
        assert.deepEqual(bad, [], `move ${move}`);
        await click(p, "[data-do=epoch]");
      }
      if (names[move] === "keep") assert.equal(await p.count("line.kept"), 2);
    }
    await p.close();
  },

  async "a click spoils no move, and undo leaves none"(browser, url) {
    const p = await Page.open(browser, url, desktop, "#1");
    for (const move of moves.slice(1, last)) { // the opening has clicks that add points
      await p.move(move);
      assert.equal(await p.locator("[data-do=undo]").getAttribute("aria-disabled"), "true");
      const before = await p.points();
      await p.click(0.55, -0.85);
      await p.locator(".plane").first().focus();
      await p.keys("+", "n", "Enter", "Control+z");
      assert.deepEqual(await p.points(), before, `move ${move}`);
      assert.equal(await p.locator("#editor:visible").count(), 0, `move ${move}`);
      assert.equal(await p.locator("body").getAttribute("data-move"), names[move]);
    }
    await p.close();
  },

  async "a print has words and figures on one page"(browser, url) {
    const p = await Page.open(browser, url, desktop, "#6");
    for (const [move, most] of [[1, 1], [2, 1], [6, 1], [9, 1], [12, 1], [0, 2]]) {
      await p.move(move);
      const pages = String(await p.page.pdf({format: "A4"})).match(/\/Type\s*\/Page\b(?!s)/g).length;
      assert.ok(pages <= most, `${pages} pages for move ${move}`);
      await p.page.emulateMedia({media: "print"});
      assert.ok((await p.locator(".plane").first().boundingBox()).width > 200);
      if (move > 0) assert.ok(await p.locator("article:visible").count() === 1, `move ${move}`);
      await p.page.emulateMedia({media: null});
    }
    await p.close();
  },
};
