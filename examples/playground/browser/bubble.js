// Chapters 2 and 3: the game of the three rules, and the bubble with its ladder.
"use strict";

const {Page, assert, desktop, phone, screens, POINT, WIN} = require("./page.js");

const R = 2,
  gamma = 0.5;
const said = (p, id) => p.text(`#${id} .said`);

// spot returns the pixel of a place [across, height] in a figure with the bubble of R and γ.
async function spot(p, id, [x, y], D = (R * R) / gamma) {
  const {left, top, width, height} = await p.box(`#${id} .room`),
    low = height - 22;
  const scale = Math.min((low - 26) / D, (width - 70) / D, (width - 24) / 2.4 / R);
  return [left + width / 2 + scale * x, top + low - scale * y];
}
const A = Math.sqrt(R * R - gamma * gamma);

module.exports = {
  async "the game: drag, break a rule, get stuck, and see the bubble"(browser, url) {
    for (const options of [desktop, phone]) {
      const p = await Page.open(browser, url, options),
        move = await p.finger();
      await p.go("rules");
      const step = async (from, ...to) => {
        const places = [await spot(p, "rules", from)];
        for (const t of to) places.push(await spot(p, "rules", t));
        for (const [i, place] of places.entries()) {
          if (options === phone) await move(i === 0 ? "touchStart" : "touchMove", ...place);
          else if (i === 0) {
            await p.page.mouse.move(...place);
            await p.page.mouse.down();
          } else await p.page.mouse.move(...place, {steps: 3});
          if (i === 1)
            hits = await p.page
              .locator(".hit[data-rule]")
              .evaluateAll((all) => all.map((e) => e.dataset.rule));
        }
        if (options === phone) await move("touchEnd");
        else await p.page.mouse.up();
        await p.frames();
      };
      let hits = [];
      assert.deepEqual([await p.count("#rules .bubble"), await p.count("#rules .lens")], [0, 1]);
      await step([0.9, 1.1], [0.2, -0.6], [0.5, 0.8]); // too low
      assert.deepEqual(hits, ["climb"]);
      assert.match(await said(p, "rules"), /^So far 1 mistake\./);
      const hand = () =>
        p.page.locator("#rules .handle").evaluate((e) => {
          const {left, top, width} = e.getBoundingClientRect();
          return [left + width / 2, top + width / 2];
        });
      const [x, y] = await hand();
      await p.page.mouse.move(x, y);
      await p.page.mouse.down();
      await p.page.mouse.move(...(await spot(p, "rules", [0.5, 4])), {steps: 2});
      assert.deepEqual(
        await p.page
          .locator(".hit[data-rule]")
          .evaluateAll((all) => all.map((e) => e.dataset.rule)),
        ["back", "short"],
      );
      await p.page.mouse.up();
      await p.focus("#rules .room");
      for (let i = 0; i < 12 && (await p.count("#rules .handle")) > 0; i++) await p.keys("Enter");
      assert.match(await said(p, "rules"), /^Stuck after [2-9] mistakes: no arrow obeys all three/);
      assert.match(await p.text("#rules .hint"), /^Your best: [2-9] mistakes\. Why are you stuck/);
      assert.deepEqual([await p.count("#rules .bubble"), await p.count("#rules .rung")], [1, 16]);
      const scale = await p.page.locator("#rules .limit.short").evaluate((e) => e.r.baseVal.value);
      await p.click("#rules [data-do=again]");
      assert.match(await said(p, "rules"), /^Drag the dot/);
      assert.equal(
        await p.page.locator("#rules .limit.short").evaluate((e) => e.r.baseVal.value),
        scale,
      );
      await p.close();
    }
  },

  async "who goes left and right gets far, at most to 9; w stays in the bubble"(browser, url) {
    const p = await Page.open(browser, url);
    await p.go("rules");
    let made = 0;
    while ((await p.count("#rules .handle")) > 0 && made < 12) {
      const {left, top, width} = await p.box("#rules .handle"),
        across = (made % 2 ? -A : A) / 2;
      await p.page.mouse.move(left + width / 2, top + width / 2);
      await p.page.mouse.down();
      await p.page.mouse.move(...(await spot(p, "rules", [across, (made + 1) * gamma - 0.05])));
      await p.page.mouse.up();
      made++;
      assert.match(await said(p, "rules"), new RegExp(`(So far|Stuck after) ${made} mistake`));
    }
    assert.ok(made >= 6 && made <= 9, `${made} mistakes`);
    const out = await p.page.evaluate(() => {
      const value = (e, name) => e[name].baseVal.value,
        b = document.querySelector("#rules .bubble");
      const far = (t) =>
        Math.hypot(value(t, "cx") - value(b, "cx"), value(t, "cy") - value(b, "cy"));
      const tips = [...document.querySelectorAll("#rules .tip")];
      return tips.filter((t) => far(t) > value(b, "r") + 1).length;
    });
    assert.equal(out, 0);
    await p.go("bubble");
    await p.click("[data-run=yours]");
    const words = new RegExp(`^Your arrows: mistake ${made}, of at most 16\\.`);
    assert.match(await said(p, "bubble"), words);
    await p.close();
  },

  async "the bubble shows the reader's points, and board and timeline follow"(browser, url) {
    const p = await Page.open(browser, url);
    await p.go("bubble");
    await p.page.waitForFunction(() =>
      /mistake 14/.test(document.querySelector("#bubble .said").textContent),
    );
    assert.match(await said(p, "bubble"), /^Your points: mistake 14, of at most 30\./);
    assert.match(await p.text("#bubble .hint"), /least climb: 0\.364\. .* longest arrow: 2\.02\./);
    assert.deepEqual(
      [await p.count("#bubble .rung"), await p.count("#bubble .rung.done")],
      [30, 14],
    );
    await p.focus("#bubble .time");
    await p.keys("Home", "ArrowRight", "ArrowRight", "ArrowRight");
    assert.match(await said(p, "bubble"), /mistake 3,/);
    assert.equal(await p.count("#bubble .room .shaft.z"), 3);
    assert.match(await p.text("#play .said"), /^Mistake 3 of 14/); // the board follows
    assert.equal(await p.count(".small .body.last"), 1);
    const {left, top, width, height} = await p.box("#bubble .room");
    await p.page.mouse.click(left + width / 2, top + height * 0.8);
    assert.doesNotMatch(await said(p, "bubble"), /mistake (3|14),/); // a touch of a rung goes there
    await p.go("play");
    await p.drag([POINT, WIN]);
    await p.go("bubble");
    // After a win, the bubble and the small picture have the last points with a line.
    assert.match(await said(p, "bubble"), /^The first points: mistake 14, of at most 30/);
    const pressed = () => p.text("#bubble [aria-pressed=true]");
    assert.deepEqual([await pressed(), await p.count(".small .reach")], ["Your points", 1]);
    await p.click("[data-run=yours]");
    const instead = /^You chose no arrows\. The longest run in the plane: mistake 9/;
    assert.match(await said(p, "bubble"), instead);
    assert.deepEqual([await pressed(), await p.count(".small .reach")], ["Longest", 1]);
    await p.go("play");
    await p.click("#play [data-do=undo]");
    await p.drag([
      [28, 12],
      [30, -10],
    ]);
    await p.drag([POINT, WIN]);
    await p.go("bubble");
    await p.click("[data-run=points]");
    assert.match(await said(p, "bubble"), /^Your last points with a line: mistake \d+, of at most/);
    await p.close();
    const q = await Page.open(browser, url, desktop, "#p=16,16,1;16,16,-1"); // a link to a win
    await q.go("bubble");
    await q.click("[data-run=points]");
    assert.match(await said(q, "bubble"), /^The first points: mistake 14, of at most 30/);
    await q.close();
  },

  async "half the γ: twice as high, and four times the rungs"(browser, url) {
    const p = await Page.open(browser, url);
    await p.go("bubble");
    await p.click("[data-run=plane]");
    assert.match(
      await said(p, "bubble"),
      /^The longest run in the plane: mistake 9, of at most 16/,
    );
    const high = () =>
      p.page.evaluate(() =>
        ["bubble", "before"].map(
          (c) => document.querySelector(`#bubble .room .${c}`)?.r.baseVal.value,
        ),
      );
    await p.page.locator("#gamma").fill("0.25");
    assert.equal(await p.count("#bubble .rung"), 64);
    const [now, before] = await high();
    assert.ok(Math.abs(now / before - 2) < 0.01, `${now} of ${before}`);
    assert.match(await said(p, "bubble"), /mistake 33, of at most 64/);
    assert.match(await p.text("#bubble .rest"), /Can all 64 be made\?.*at most 33 mistakes/);
    await p.page.locator("#radius").fill("1");
    assert.equal(await p.count("#bubble .rung"), 16);
    await p.click("[data-run=space]");
    assert.match(await said(p, "bubble"), /^The longest run in space: mistake 16, of at most 16/);
    const tip = () => p.page.locator("#bubble .room .tip").nth(2).getAttribute("cx"),
      first = await tip();
    const {left, top, width, height} = await p.box("#bubble .room");
    await p.page.mouse.move(left + width / 2, top + height / 2);
    await p.page.mouse.down();
    await p.page.mouse.move(left + width / 2 + 90, top + height / 2, {steps: 3});
    await p.page.mouse.up();
    assert.notEqual(await tip(), first); // it turns, and the run stays
    assert.match(await said(p, "bubble"), /mistake 16, of at most 16/);
    await p.close();
  },

  async "on phones the last board shows what the bias and its points do"(browser, url) {
    const stand = (options) => options.viewport.height > options.viewport.width,
      some = Object.entries(screens).filter(([, options]) => stand(options));
    await Page.on(Object.fromEntries(some), browser, url, async (p) => {
      await p.go("noline");
      for (const s of ["#bias", "[data-set=corners]", "[data-set=beside]"]) {
        await p.page.locator(s).evaluate((e) => e.scrollIntoView({block: "end"}));
        const before = await p.page.locator("#noline .board").innerHTML();
        const box = await p.box(s);
        await p.page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
        await p.frames();
        assert.notEqual(await p.page.locator("#noline .board").innerHTML(), before, s);
        const {top, bottom} = await p.box("#noline .board");
        assert.ok(top >= 0 && bottom <= box.top, `${s}: the board is at ${top} to ${bottom}`);
      }
    });
  },

  async "the bubble stays in sight while its sliders move and its words go by"(browser, url) {
    await Page.on(screens, browser, url, async (p, name, {width, height}) => {
      await p.go("bubble");
      await p.page.locator("#gamma").scrollIntoViewIfNeeded();
      for (const s of ["#gamma", "#bubble ol li:nth-child(2)", "#bubble ol li:nth-child(3)"]) {
        await p.page.locator(s).evaluate((e) => e.scrollIntoView({block: "end"}));
        await p.frames();
        const {top, bottom} = await p.box("#bubble .room"),
          seen = Math.min(bottom, height) - Math.max(top, 0);
        assert.ok(seen > 0.55 * (bottom - top), `${name}, ${s}: ${seen} of ${bottom - top} pixels`);
        const slider = await p.box("#gamma"),
          [x, y] = [slider.left + 20, slider.top + slider.height / 2];
        const hit = await p.page.evaluate((at) => document.elementFromPoint(...at)?.id, [x, y]);
        assert.ok(height < width || hit === "gamma", `${name}, ${s}: the slider is not at hand`);
      }
    });
  },

  async "on phones words fade before they pass under the figure that stays"(browser, url) {
    await Page.on({phone, tablet: screens["768×1024"]}, browser, url, async (p, name, viewport) => {
      for (const [id, edge] of [
        ["bubble", ".slides"],
        ["noline", ".board"],
      ]) {
        await p.go(id);
        const from = (await p.box(`#${id} .rest`)).top + (await p.page.evaluate(() => scrollY)),
          dark = {edge: [], below: []};
        for (let i = 0; i < 8; i++) {
          const to = from - viewport.height / 2 + 37 * i;
          await p.page.evaluate((y) => scrollTo(0, y), to);
          await p.frames();
          const y = Math.ceil((await p.box(`#${id} ${edge}`)).bottom) + 2;
          const rows = await p.darkest({x: 0, y, width: viewport.width, height: 40});
          dark.edge.push(Math.max(...rows.slice(0, 2)));
          dark.below.push(Math.max(...rows.slice(20)));
        }
        const where = `${name}, ${id}: ${JSON.stringify(dark)}`;
        assert.ok(Math.max(...dark.edge) < 40, where);
        assert.ok(dark.below.filter((v) => v > 120).length > 5, where); // words do pass
      }
    });
  },
};
