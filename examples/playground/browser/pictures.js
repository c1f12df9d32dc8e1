// Takes the pictures of the page from the page as it is. With the page at an address:
//
//	node browser/pictures.js http://127.0.0.1:port/
//
// It writes the still figures in page/index.html, which readers see before the scripts run or
// without them, page/og.png for links, and docs/playground.png.
"use strict";

const fs = require("node:fs"),
  path = require("node:path");
const {Page, launch, size} = require("./page.js");

const SIDE = 600;

// stills returns the figures as they are drawn with 600 × 600 pixels.
async function stills(browser, url) {
  const p = await Page.open(browser, url, {...size(1440, 2000), bypassCSP: true});
  await p.page.addStyleTag({
    content: `:is(.board, .room) { width: ${SIDE}px !important; height: ${SIDE}px !important; }`,
  });
  await p.frames();
  const all = {};
  const take = async (id) => {
    all[id] = await p.page.locator(`#${id} :is(.board, .room)`).innerHTML();
  };
  for (const id of ["play", "rules", "noline"]) await take(id);
  await p.go("bubble");
  await p.page.locator("#bubble .time").focus();
  await p.page.keyboard.press("End");
  await take("bubble");
  await p.context.close();
  return Object.fromEntries(
    Object.entries(all).map(([id, text]) => [
      id,
      text.replaceAll("></path>", "/>").replaceAll("></circle>", "/>"),
    ]),
  );
}
const marked = (id) => new RegExp(`(<!-- still: ${id} -->\n)[^]*?(<!-- /still -->)`);

async function main([url]) {
  const browser = await launch(),
    page = path.join(__dirname, "../page/index.html");
  let html = fs.readFileSync(page, "utf8");
  for (const [id, text] of Object.entries(await stills(browser, url))) {
    html = html.replace(marked(id), (_, before, after) => before + text + "\n" + after);
  }
  fs.writeFileSync(page, html);

  const docs = await Page.open(browser, url, size(1280, 800));
  await docs.click("#play [data-do=learn]");
  await docs.go("bubble");
  await docs.page.screenshot({path: path.join(__dirname, "../../../docs/playground.png")});
  await docs.context.close();

  const og = await Page.open(browser, url, {
    ...size(600, 315),
    deviceScaleFactor: 2,
    bypassCSP: true,
  });
  await og.page.addStyleTag({
    content: `nav, .time, .row, .rest, section:not(#play) { display: none !important; }
    #play { display: grid; grid-template-columns: 17rem 1fr; padding: .6rem 1rem; }
    #play figure { height: 18.4rem; display: block; position: static; }
    #play .board { height: 18.4rem; }
    #play .side { position: fixed; left: 1rem; bottom: 1rem; width: 16.5rem; }
    .hint { display: none !important; }`,
  });
  await og.page.evaluate(() => document.querySelector("#play [data-do=learn]").click());
  await og.frames();
  await og.page.screenshot({path: path.join(__dirname, "../page/og.png")});
  await og.context.close();
  await browser.close();
}

module.exports = {stills, marked};
if (require.main === module) main(process.argv.slice(2));
