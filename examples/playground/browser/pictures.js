// Takes the pictures that show the page elsewhere, from the page as it is: docs/playground.png, and
// page/og.png for links to it. With the page at an address, as for run.js:
//
//	node browser/pictures.js http://127.0.0.1:port/
"use strict";

const path = require("node:path");
const {Page, launch, desktop, learn} = require("./page.js");

async function main([url]) {
  const browser = await launch(), folder = path.join(__dirname, "..");
  const p = await Page.open(browser, url, {...desktop, viewport: {width: 1280, height: 720}}, "#8");
  for (let k = 4; k < 7; k++) await p.press("Step");
  await p.page.screenshot({path: path.join(folder, "../../docs/playground.png")});
  await p.close();
  const og = await Page.open(browser, url, {...desktop, viewport: {width: 600, height: 315}, deviceScaleFactor: 2}, "#1");
  await learn(og);
  await og.page.evaluate(() => {
    for (const e of document.querySelectorAll("header, #bar, #room, #said .hint")) e.style.display = "none";
    document.body.style.setProperty("--stage", "285px");
    document.querySelector("main").style.margin = "10px 0";
  });
  await og.frames();
  await og.page.screenshot({path: path.join(folder, "page/og.png")});
  await og.close();
  await browser.close();
}

main(process.argv.slice(2));
