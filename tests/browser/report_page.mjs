// What a reader does with a report, in a real browser: node report_page.mjs <report.html> [folder for screenshots]
import assert from "node:assert/strict";
import { join } from "node:path";

const [reportFile, screenshotFolder] = process.argv.slice(2);
if (!reportFile) {
  console.error("usage: node report_page.mjs <report.html> [folder for screenshots]");
  process.exit(2);
}

const { chromiumOrSkip, openFile, withBrowser } = await import("./browser.mjs");
const executable = chromiumOrSkip();

const wide = { width: 1500, height: 950 };
const phone = { width: 390, height: 844 };

async function openReport(context, viewport, colorScheme) {
  const { page, troubles } = await openFile(context, reportFile, viewport, colorScheme);
  await page.waitForSelector("figure.plot canvas", { timeout: 60_000 }).catch((error) => {
    throw new Error(`the page draws nothing: ${troubles.join("; ") || error.message}`);
  });
  return { page, troubles };
}

// On a page of its own, because taking a whole page resizes it.
async function screenshot(context, viewport, colorScheme, name) {
  if (!screenshotFolder) return;
  const { page } = await openReport(context, viewport, colorScheme);
  await page.screenshot({ path: join(screenshotFolder, `${name}.png`), fullPage: true });
  await page.close();
}

// Every pixel of a figure's canvas, read from a copy: reading the original would slow it and make the browser complain.
function pixelsOf(figure) {
  return figure.locator("canvas").evaluate((canvas) => {
    const copy = document.createElement("canvas");
    copy.width = canvas.width;
    copy.height = canvas.height;
    const context = copy.getContext("2d", { willReadFrequently: true });
    context.drawImage(canvas, 0, 0);
    const counts = {};
    for (const pixel of new Uint32Array(context.getImageData(0, 0, copy.width, copy.height).data.buffer)) {
      counts[pixel] = (counts[pixel] ?? 0) + 1;
    }
    return counts;
  });
}

// How many different colours a figure's canvas shows; a blank one shows one.
async function coloursOf(figure) {
  return Object.keys(await pixelsOf(figure)).length;
}

// Whether the canvas holds opaque pixels of about this colour: a curve was drawn, not only axes.
async function hasColour(figure, hex) {
  const wanted = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  let count = 0;
  for (const [pixel, times] of Object.entries(await pixelsOf(figure))) {
    const channels = [0, 8, 16].map((shift) => (Number(pixel) >>> shift) & 255);
    const distance = channels.reduce((sum, channel, index) => sum + Math.abs(channel - wanted[index]), 0);
    if (Number(pixel) >>> 24 > 200 && distance < 12) count += times;
  }
  return count > 20;
}

// What the page does in answer to an event it does a moment later.
async function eventually(holds, message) {
  for (let attempt = 0; attempt < 100; ++attempt) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail(message);
}

const becomes = (figure, hex, message) => eventually(() => hasColour(figure, hex), message);

const rangeOf = (figure) => figure.evaluate((node) => [Number(node.dataset.xMin), Number(node.dataset.xMax)]);
const plot = (page, number) => page.locator("figure.plot").nth(number - 1);

async function plotArea(figure) {
  await figure.scrollIntoViewIfNeeded();
  return figure.locator(".u-over").boundingBox();
}

const checks = {
  async "content is all there"(page) {
    assert.equal(await page.title(), "Block on a slope");
    assert.equal(await page.locator("h1").textContent(), "Block on a slope");
    assert.equal(await page.locator("section").count(), 4);
    assert.equal(await page.locator("nav a").count(), 4);
    assert.equal(await page.locator("figure.plot").count(), 10);
    assert.equal(await page.locator("figure.table").count(), 2);
    assert.equal(await page.locator("figure.table").first().locator("tbody tr").count(), 4);
    assert.deepEqual(await page.locator("h3 .number").allTextContents(), [
      "Figure 1", "Figure 2", "Table 1", "Figure 3", "Figure 4", "Figure 5", "Figure 6", "Table 2",
      "Figure 7", "Figure 8", "Figure 9", "Figure 10",
    ]);
    assert.equal(await page.locator("td.good").count(), 6);
    assert.equal(await page.locator("td.bad").count(), 2);
    assert.match(await plot(page, 3).locator("figcaption").textContent(), /of 60,001 samples/);
  },

  async "markup in text stays text"(page) {
    assert.equal(await page.locator("section img, section b, section h2 b").count(), 0);
    assert.match(await page.locator("section").nth(3).textContent(), /<img src=x/);
  },

  async "every curve is drawn"(page) {
    const figures = await page.locator("figure.plot").all();
    for (const [index, figure] of figures.entries()) {
      assert.ok((await coloursOf(figure)) > 8, `figure ${index + 1} is blank`);
      const colour = await figure.locator(".legend-item line").first().getAttribute("stroke");
      assert.ok(await hasColour(figure, colour), `figure ${index + 1} lacks its first curve`);
    }
  },

  async "a curve keeps its colour from figure to figure"(page) {
    const coloursOfName = new Map();
    for (const item of await page.locator(".legend-item").all()) {
      const name = await item.textContent();
      const colour = await item.locator("line").getAttribute("stroke");
      coloursOfName.set(name, (coloursOfName.get(name) ?? new Set()).add(colour));
    }
    for (const [name, colours] of coloursOfName) assert.equal(colours.size, 1, `${name} has ${[...colours]}`);
  },

  async "tables stand beside plots on a wide screen"(page) {
    const figure = await plot(page, 1).boundingBox();
    const table = await page.locator("figure.table").first().boundingBox();
    assert.ok(table.x >= figure.x + figure.width, "the table is not to the right of the plot");
    assert.ok(Math.abs(table.y - figure.y) < 2, "the table is not level with the plot");
  },

  async "dragging zooms, a double click resets"(page) {
    const figure = plot(page, 1);
    const full = await rangeOf(figure);
    assert.deepEqual(full, [0, 2]);
    const area = await plotArea(figure);
    const y = area.y + area.height / 2;
    const drag = async () => {
      await page.mouse.move(area.x + area.width * 0.25, y);
      await page.mouse.down();
      await page.mouse.move(area.x + area.width * 0.4, y, { steps: 4 });
      await page.mouse.move(area.x + area.width * 0.5, y, { steps: 4 });
      await page.mouse.up();
    };
    await drag();
    const [low, high] = await rangeOf(figure);
    assert.ok(Math.abs(low - 0.5) < 0.02 && Math.abs(high - 1) < 0.02, `zoomed to ${low} … ${high}`);
    assert.deepEqual(await rangeOf(plot(page, 2)), full, "zooming one plot moved another");
    await page.mouse.dblclick(area.x + area.width / 2, y);
    assert.deepEqual(await rangeOf(figure), full);
    await drag();
    await figure.getByRole("button", { name: "Reset zoom" }).click();
    assert.deepEqual(await rangeOf(figure), full);
    assert.ok(await figure.locator(".reset").isHidden());
  },

  async "hovering tells values and moves the linked cursors"(page) {
    const figure = plot(page, 1);
    const area = await plotArea(figure);
    const readout = (number) => plot(page, number).locator(".readout");
    const timeAt = async (number) => Number(/= ([\d.]+)/.exec(await readout(number).textContent())?.[1]);
    // a pixel is 0.003 s wide
    for (const [part, time, speed] of [[0.25, 0.5, 2.9], [0.75, 1.5, 0]]) {
      await page.mouse.move(area.x + area.width * part, area.y + area.height / 2);
      for (const number of [1, 2, 3, 4]) {
        await eventually(
          async () => Math.abs((await timeAt(number)) - time) < 0.01,
          `figure ${number} does not show the time ${time}`,
        );
      }
      const value = Number(await readout(1).locator(".readout-value").first().textContent());
      assert.ok(Math.abs(value - speed) < 0.06, `the value read off is ${value} instead of ${speed}`);
      assert.ok(await readout(6).isHidden(), "a plot over another quantity must not be linked");
    }
    await page.mouse.move(2, 2);
    await readout(2).waitFor({ state: "hidden" });
  },

  async "a legend hides and shows its curve"(page) {
    const figure = plot(page, 1);
    const item = figure.getByRole("button", { name: "exact Coulomb" });
    await item.click();
    assert.equal(await item.getAttribute("aria-pressed"), "false");
    await eventually(async () => !(await hasColour(figure, "#0072B2")), "the curve is still there");
    await item.click();
    await becomes(figure, "#0072B2", "the curve did not come back");
  },

  async "section links lead to their section"(page) {
    await page.locator("nav a").nth(2).click();
    await page.waitForFunction(() => document.querySelector("nav a:nth-child(3)").hasAttribute("aria-current"));
    const top = await page.locator("#section-3").evaluate((node) => node.getBoundingClientRect().top);
    assert.ok(top >= 0 && top < 400, `the section stands at ${top}`);
  },

  async "colours follow a change to dark and to paper"(page) {
    await page.emulateMedia({ colorScheme: "dark" });
    await page.waitForFunction(() => getComputedStyle(document.body).backgroundColor === "rgb(15, 19, 23)");
    await becomes(plot(page, 1), "#56B4E9", "the curves kept their light colours");
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
    await becomes(plot(page, 1), "#0072B2", "print keeps the dark colours");
    await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
    await becomes(plot(page, 1), "#56B4E9", "the dark colours did not come back");
  },
};

async function checkPhone(page) {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok(overflow <= 0, `the page is ${overflow} px wider than the phone`);
  for (const figure of await page.locator("figure").all()) {
    const box = await figure.boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= phone.width, "a figure sticks out");
  }
  for (const [index, figure] of (await page.locator("figure.plot").all()).entries()) {
    assert.ok((await coloursOf(figure)) > 8, `figure ${index + 1} is blank on a phone`);
  }
}

let failures = 0;
async function report(name, action, troubles) {
  try {
    await action();
    assert.deepEqual(troubles, []);
    console.log(`ok      ${name}`);
  } catch (error) {
    ++failures;
    console.log(`FAILED  ${name}\n        ${error.message}`);
  }
}

await withBrowser(executable, { viewport: wide }, async (context) => {
  const light = await openReport(context, wide, "light");
  await screenshot(context, wide, "light", "light");
  for (const [name, check] of Object.entries(checks)) {
    await report(name, () => check(light.page), light.troubles);
  }

  const dark = await openReport(context, wide, "dark");
  await screenshot(context, wide, "dark", "dark");
  await report("dark from the start", async () => {
    assert.ok(await hasColour(plot(dark.page, 1), "#56B4E9"));
  }, dark.troubles);

  for (const colorScheme of ["light", "dark"]) {
    const small = await openReport(context, phone, colorScheme);
    await screenshot(context, phone, colorScheme, `phone-${colorScheme}`);
    await report(`phone, ${colorScheme}`, () => checkPhone(small.page), small.troubles);
  }
});
process.exit(failures === 0 ? 0 : 1);
