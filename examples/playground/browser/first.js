// What is on the screen before the scripts and without them, and what it weighs.
"use strict";

const fs = require("node:fs"),
  path = require("node:path"),
  {pathToFileURL} = require("node:url");
const {Page, assert, screens, desktop, phone, chapters, POINT} = require("./page.js"),
  {watchShifts, frames} = require("./page.js");
const {stills, marked} = require("./pictures.js");

const folder = path.join(__dirname, "../page");

// compressed reports whether the server compresses: that of main.go does, the plainest does not.
const compressed = async (url) => (await fetch(url)).headers.get("Content-Encoding") === "gzip";

module.exports = {
  async "few bytes in few requests, and nothing more after them"(browser, url) {
    const context = await browser.newContext(phone),
      page = await context.newPage(),
      sizes = [];
    page.on("requestfinished", (r) => sizes.push(r.sizes()));
    await page.goto(url);
    await page.waitForSelector("html.live");
    for (const id of chapters) {
      await page.evaluate((id) => document.getElementById(id).scrollIntoView(), id);
      for (const b of await page.locator(`#${id} button:visible:enabled`).all()) await b.click();
    }
    const bytes = (await Promise.all(sizes)).reduce((sum, s) => sum + s.responseBodySize, 0);
    console.log(`  ${bytes} bytes in ${sizes.length} requests`);
    assert.ok(bytes > 2e4 && bytes < ((await compressed(url)) ? 4e4 : 1e5) && sizes.length <= 14);
    await context.close();
  },

  // The machine of this test may be busy, so its clock says little, and the least of some sums
  // counts. A sum has the time of the processor, four times; 150 ms for each request, of which six
  // go at once, after the HTML's; and all bytes at 1.6 Mb/s.
  async "a point can be dragged within a second on a slow network and processor"(browser, url) {
    const sums = [],
      most = (await compressed(url)) ? 1000 : 1300;
    for (let i = 0; i < 8 && !sums.some((sum) => sum < most); i++) {
      const context = await browser.newContext(phone),
        page = await context.newPage(),
        sizes = [];
      page.on("requestfinished", (r) => sizes.push(r.sizes()));
      const cdp = await context.newCDPSession(page);
      await cdp.send("Performance.enable", {timeDomain: "threadTicks"});
      await page.route(/(rules|ladder|bubble)\.js/, () => {}); // the later chapters wait
      await page.goto(url);
      await page.waitForSelector("#play.live");
      const {metrics} = await cdp.send("Performance.getMetrics");
      const spent = (name) => 1000 * metrics.find((m) => m.name === name).value;
      const busy = spent("TaskDuration") - spent("DevToolsCommandDuration");
      const bytes = (await Promise.all(sizes)).reduce(
        (sum, s) => sum + s.responseBodySize + s.responseHeadersSize,
        0,
      );
      const rounds = 1 + Math.ceil((sizes.length - 1) / 6);
      sums.push(Math.round(4 * busy + 150 * rounds + bytes / 200));
      console.log(
        `  ${Math.round(busy)} ms of work, ${bytes} bytes, ${rounds} rounds: ${sums[i]} ms`,
      );
      await context.close();
    }
    assert.ok(Math.min(...sums) < most, sums.join());
  },

  async "the first figure is there before the scripts, and nothing moves"(browser, url) {
    for (const [name, options] of Object.entries(screens)) {
      const context = await browser.newContext(options),
        page = await context.newPage();
      let go = null;
      const held = new Promise((done) => {
        go = done;
      });
      await page.route("**/page.js", async (route) => {
        await held;
        await route.continue();
      });
      await page.addInitScript(watchShifts);
      await page.goto(url, {waitUntil: "commit"});
      await page.locator("#noline .theorem").waitFor();
      const look = () =>
        page.evaluate(() =>
          [
            "#play h1",
            "#play .board",
            "#play .body",
            "#play .line",
            "#play .said",
            "#play .hint",
            "#play [data-do=learn]",
            "#rules .room",
          ].map((s) => {
            const {x, y, width, height} = document.querySelector(s).getBoundingClientRect();
            return [s, ...[x, y, width, height].map(Math.round)];
          }),
        );
      await page.waitForFunction(() => getComputedStyle(document.body).margin === "0px");
      const said = async () =>
        (await page.locator("#play .side").textContent()).replace(/\s+/g, " ");
      const before = await look(),
        words = await said();
      go();
      await page.waitForSelector("html.live");
      await frames(page);
      for (const [i, [s, ...place]] of (await look()).entries()) {
        const gap = Math.max(...place.map((v, j) => Math.abs(v - before[i][j + 1])));
        assert.ok(
          gap <= (/body|line/.test(s) ? 12 : 0),
          `${name}: ${s} ${place}, was ${before[i]}`,
        );
      }
      assert.equal(await said(), words, name);
      await page.evaluate(() => document.querySelector("#play [data-do=learn]").click());
      await frames(page);
      assert.deepEqual(await page.evaluate(() => globalThis.shifts), [], name);
      await context.close();
    }
  },

  async "nothing moves while points are dragged, chosen and learned"(browser, url) {
    await Page.on(screens, browser, url, async (p, name) => {
      const places = new Set();
      await p.page.evaluate(() => {
        globalThis.shifts.length = 0;
      });
      const look = async () => {
        const boxes = await p.page.evaluate(
          (all) => all.map((s) => document.querySelector(s).getBoundingClientRect().toJSON()),
          ["#play .board", "#play .time", "#play .side", "#rules h2", "#play .row", "#play .hint"],
        );
        const [, , side, , row, words] = boxes;
        places.add(JSON.stringify(boxes.slice(0, 4)));
        assert.equal(places.size, 1, `${name}: ${[...places].join("\n")}`);
        const beside = row.left > words.right;
        assert.ok(beside || words.bottom <= row.top + 1, `${name}: the buttons cover the words`);
        assert.ok(row.bottom <= side.bottom + 1, `${name}: the buttons end at ${row.bottom}`);
      };
      await look();
      await p.click("#play [data-do=learn]");
      await look();
      await p.drag([POINT, [6, -4], [11, 16], [-20, -2]], {look});
      await look();
      await p.page.mouse.click(...(await p.at([4, 24]))); // it has been chosen
      await look();
      assert.equal(await p.page.evaluate(() => globalThis.shifts.length), 0, name);
      await p.keys("Escape");
      await p.page.mouse.click(5, 5); // beside
      await p.click("#play [data-do=first]");
    });
  },

  async "without JavaScript, and as a file, words and still figures stand"(browser, url) {
    for (const [to, options] of [
      [url, desktop],
      [url, phone],
      [pathToFileURL(path.join(folder, "index.html")).href, desktop],
    ]) {
      const context = await browser.newContext({...options, javaScriptEnabled: false});
      const page = await context.newPage();
      await page.goto(to);
      assert.equal(await page.locator("section:visible").count(), 4);
      for (const id of chapters) {
        const parts = await page.locator(`#${id} :is(.board, .room) :is(path, circle)`).count();
        assert.ok(parts > 9, `${id} has ${parts} parts`);
      }
      assert.equal(await page.locator("button:visible, input:visible").count(), 0);
      assert.match(
        await page.locator("main").innerText(),
        /So the mistakes must stop\.[^]*Theorem/,
      );
      const [scroll, inner] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        innerWidth,
      ]);
      assert.ok(scroll <= inner);
      await context.close();
    }
  },

  async "the still figures are those that the page draws"(browser, url) {
    const html = fs.readFileSync(path.join(folder, "index.html"), "utf8");
    for (const [id, text] of Object.entries(await stills(browser, url))) {
      const want = `<!-- still: ${id} -->\n${text}\n<!-- /still -->`;
      assert.equal(marked(id).exec(html)?.[0], want, `${id}: run browser/pictures.js`);
    }
  },
};
