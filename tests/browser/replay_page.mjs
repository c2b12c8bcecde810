// The replay of real reports, in a real browser: node replay_page.mjs <slipstick> <folder> [folder for screenshots]
// Runs the scenes with the built program and does with their reports what a reader does.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromiumOrSkip, openFile, programArguments, withBrowser } from "./browser.mjs";

const { binary, folder, screenshotFolder } = programArguments();
const executable = chromiumOrSkip();

const wide = { width: 1100, height: 800 };
const phone = { width: 390, height: 844 };

function makeReport(name, ...options) {
  const place = join(folder, name);
  // exit code 1 says that a step did not pass, which is no matter here
  try {
    execFileSync(binary, [...options, "-o", place, "--quiet"], { stdio: "pipe" });
  } catch (error) {
    if (error.status !== 1) throw new Error(`${options.join(" ")}: ${error.stderr}`);
  }
  return join(place, "report.html");
}

const reports = {
  wheel: makeReport("wheel", "run", "wheel", "--time", "1", "--set", "output.every=0.01"),
  "gravel-small": makeReport("gravel-small", "run", "gravel-small", "--set", "stepper.duration=0.6", "--set", "output.contacts=40"),
  "four-bar": makeReport("four-bar", "run", "four-bar", "--time", "2"),
  compare: makeReport("compare", "compare", "cube-push", "--laws", "coulomb,box", "--time", "0.3"),
};

async function open(context, file, viewport = wide, colorScheme = "light") {
  const { page, troubles } = await openFile(context, file, viewport, colorScheme);
  await page.waitForSelector('.replay[data-ready="true"]').catch((error) => {
    throw new Error(`the replay does not start: ${troubles.join("; ") || error.message}`);
  });
  await page.locator(".replay").evaluate((node) => node.scrollIntoView({ behavior: "instant" }));
  return { page, troubles };
}

const state = (page, name) => page.locator(".replay").getAttribute(`data-${name}`);
const frameOf = async (page) => Number(await state(page, "frame"));

async function eventually(holds, message) {
  for (let attempt = 0; attempt < 150; ++attempt) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail(message);
}

// The picture without what lies over it, kept in the page under a number: its pixels are too many to be sent about.
async function takePicture(page) {
  const overlays = (visibility) =>
    page.locator(".replay-legend, .inspector").evaluateAll((nodes, value) => nodes.forEach((node) => (node.style.visibility = value)), visibility);
  await overlays("hidden");
  const shot = await page.locator(".replay-canvas").screenshot({ animations: "disabled" });
  await overlays("");
  return page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [image.width, image.height];
    const context = copy.getContext("2d", { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    window.pictures = [...(window.pictures ?? []), context.getImageData(0, 0, copy.width, copy.height)];
    return window.pictures.length - 1;
  }, shot.toString("base64"));
}

// The part of its pixels in which a picture differs from another.
function difference(page, before, after) {
  return page.evaluate(
    ([first, second]) => {
      const [a, b] = [window.pictures[first].data, window.pictures[second].data];
      let count = 0;
      for (let at = 0; at < a.length; at += 4) {
        if (Math.abs(a[at] - b[at]) + Math.abs(a[at + 1] - b[at + 1]) + Math.abs(a[at + 2] - b[at + 2]) > 30) ++count;
      }
      return count / (a.length / 4);
    },
    [before, after],
  );
}

// How much of a picture has about this colour, and the lowest place that has it.
function findColour(page, picture, hex, tolerance = 40) {
  return page.evaluate(
    ([number, colour, most]) => {
      const { data, width } = window.pictures[number];
      const wanted = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
      const found = { part: 0, x: 0, y: 0 };
      for (let at = 0; at < data.length; at += 4) {
        if (!wanted.every((channel, index) => Math.abs(data[at + index] - channel) < most)) continue;
        found.part += 4 / data.length;
        [found.x, found.y] = [(at / 4) % width, Math.floor(at / 4 / width)];
      }
      return found;
    },
    [picture, hex, tolerance],
  );
}

const partOfColour = async (page, hex, tolerance) => (await findColour(page, await takePicture(page), hex, tolerance)).part;

async function scrubTo(page, part) {
  await page.locator(".replay-slider").evaluate((slider, share) => {
    slider.value = String(Math.round(share * Number(slider.max)));
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }, part);
}

// What was asked for is on the screen.
async function drawn(page) {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

// Scrubbing moves the bodies and the marks in all plots over time.
async function checkScrubbing(page, leastShare) {
  await scrubTo(page, 0);
  await eventually(async () => (await frameOf(page)) === 0, "the slider does not lead to the first frame");
  await drawn(page);
  const before = await takePicture(page);
  await scrubTo(page, 1);
  await eventually(async () => (await frameOf(page)) > 0, "the slider does not move the replay");
  await drawn(page);
  const changed = await difference(page, before, await takePicture(page));
  assert.ok(changed > leastShare, `the picture changed by ${changed}`);
  const time = Number(await state(page, "time"));
  const marks = await page.locator("figure.plot").evaluateAll((figures) =>
    figures.filter((figure) => figure.querySelector(".time-marker")).map((figure) => figure.dataset.time),
  );
  assert.ok(marks.length > 3, "there are no plots over time");
  for (const mark of marks) assert.ok(Math.abs(Number(mark) - time) < 1e-9, `a plot marks ${mark} instead of ${time}`);
}

async function checkKeys(page) {
  await page.locator(".replay").focus();
  await page.keyboard.press("Home");
  await eventually(async () => (await frameOf(page)) === 0, "Home");
  await page.keyboard.press("ArrowRight");
  await eventually(async () => (await frameOf(page)) === 1, "ArrowRight");
  await page.keyboard.press("Shift+ArrowRight");
  await eventually(async () => (await frameOf(page)) === 11, "Shift+ArrowRight");
  await page.keyboard.press("ArrowLeft");
  await eventually(async () => (await frameOf(page)) === 10, "ArrowLeft");
  await page.keyboard.press("End");
  const last = Number(await page.locator(".replay-slider").getAttribute("max"));
  await eventually(async () => (await frameOf(page)) === last, "End");
  await page.keyboard.press("Home");
  await page.keyboard.press(" ");
  await eventually(async () => (await frameOf(page)) > 0, "space does not play");
  await page.keyboard.press(" ");
  await eventually(async () => (await state(page, "playing")) === "false", "space does not pause, nor does it end");
  await page.keyboard.press("4");
  assert.equal(await state(page, "view"), "top");
  await page.keyboard.press("1");
  assert.equal(await state(page, "view"), "isometric");
}

// A click on a contact, found by its colour: the point of one that carries from below is the lowest.
async function clickColour(page, hex) {
  const { part, x, y } = await findColour(page, await takePicture(page), hex, 30);
  assert.ok(part > 2e-5, `nothing has the colour ${hex}`);
  const box = await page.locator(".replay-canvas").boundingBox();
  await page.mouse.click(box.x + x, box.y + y - 4);
}

const checks = {
  async "wheel: the picture shows ground, wheel and its contact"(context) {
    const { page, troubles } = await open(context, reports.wheel);
    await scrubTo(page, 0.2);
    await drawn(page);
    const background = await partOfColour(page, "#eef1f4", 6);
    assert.ok(background < 0.6, `${background} of the picture is empty`);
    // the wheel slides, and sliding is orange
    assert.ok((await partOfColour(page, "#D55E00")) > 0.0003, "no contact is to be seen");
    assert.match(await page.locator(".replay-legend").textContent(), /slip 1/);
    return troubles;
  },

  async "wheel: scrubbing, keys, plots"(context) {
    const { page, troubles } = await open(context, reports.wheel);
    await checkScrubbing(page, 0.01);
    await checkKeys(page);
    // a click in a plot leads there
    const figure = page.locator("figure.plot").first();
    await figure.scrollIntoViewIfNeeded();
    const area = await figure.locator(".u-over").boundingBox();
    await page.mouse.click(area.x + area.width / 4, area.y + area.height / 2);
    await eventually(async () => Math.abs(Number(await state(page, "time")) - 0.25) < 0.02, "a click in a plot does not lead there");
    // and so does its mark, dragged
    const handle = await figure.locator(".time-handle").boundingBox();
    await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2);
    await page.mouse.down();
    await page.mouse.move(area.x + 0.75 * area.width, handle.y + handle.height / 2, { steps: 5 });
    await page.mouse.up();
    await eventually(async () => Math.abs(Number(await state(page, "time")) - 0.75) < 0.02, "the mark cannot be dragged");
    assert.equal(await figure.locator(".reset").isHidden(), true, "dragging the mark zoomed the plot");
    return troubles;
  },

  async "wheel: a contact shows its cone, a body its motion"(context) {
    const { page, troubles } = await open(context, reports.wheel);
    await scrubTo(page, 0.2);
    await drawn(page);
    const yellow = () => partOfColour(page, "#F0C000", 60);
    const before = await yellow();
    await clickColour(page, "#D55E00");
    await eventually(async () => (await state(page, "chosen")) === "contact", "a click on a contact does not choose it");
    assert.equal(await state(page, "cone"), "true");
    await drawn(page);
    const after = await yellow();
    assert.ok(before < 5e-5 && after > 3e-4, `the cone is not to be seen: ${before}, then ${after} of the picture is yellow`);
    const text = await page.locator(".inspector").textContent();
    assert.match(text, /μ, sliding0\.3/);
    const used = Number(/used of the cone([\d.]+) %/.exec(text)?.[1]);
    assert.ok(used > 99 && used < 101, `a sliding contact uses ${used} % of its cone`);
    assert.equal(await page.locator(".friction-disk").count(), 1);
    await page.keyboard.press("Escape");
    await eventually(async () => (await state(page, "chosen")) === "", "Escape does not close");

    // the wheel itself, somewhere on its upper part
    await page.locator(".replay-choice select").first().selectOption({ label: "wheel" });
    await drawn(page);
    const box = await page.locator(".replay-canvas").boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2 - 20);
    await eventually(async () => (await state(page, "chosen")) === "body", "a click on the wheel does not choose it");
    const body = await page.locator(".inspector").textContent();
    assert.match(body, /mass1 kg/);
    const energy = Number(/kinetic energy([\d.]+) J/.exec(body)?.[1]);
    // thrown at 6 m/s with 2 rad/s about the vertical: ½·36 + ½·(0.3 sin²20° … ) ≈ 18.7 J, and friction has taken little
    assert.ok(energy > 14 && energy < 19.5, `kinetic energy ${energy} J`);
    return troubles;
  },

  async "gravel: many stones, the strongest contacts, colours"(context) {
    const { page, troubles } = await open(context, reports["gravel-small"]);
    await checkScrubbing(page, 0.002);
    assert.match(await page.locator(".replay-legend").textContent(), /the 40 strongest of \d+/);
    await page.locator(".replay-choice select").nth(1).selectOption("speed");
    await eventually(async () => (await page.locator(".scale-bar").count()) === 1, "there is no scale of speeds");
    await drawn(page);
    const bySpeed = await takePicture(page);
    await page.locator(".replay-choice select").nth(1).selectOption("residual");
    await eventually(async () => /exact Coulomb friction/.test(await page.locator(".replay-legend").textContent()), "it is not said what is shown");
    await drawn(page);
    const changed = await difference(page, bySpeed, await takePicture(page));
    assert.ok(changed > 0.002, `colours by residual change ${changed} of the picture`);
    await checkKeys(page);

    // one of the contacts, whichever state it is in
    await scrubTo(page, 1);
    await page.keyboard.press("2");
    // without arrows the lowest place of a colour is a point
    await page.locator(".arrow-scale").evaluate((slider) => {
      slider.value = "-1";
      slider.dispatchEvent(new Event("input", { bubbles: true }));
    });
    await drawn(page);
    for (const hex of ["#0072B2", "#D55E00", "#009E73"]) {
      const { part, x, y } = await findColour(page, await takePicture(page), hex, 30);
      if (part < 2e-5) continue;
      const box = await page.locator(".replay-canvas").boundingBox();
      await page.mouse.click(box.x + x, box.y + y - 2);
      if ((await state(page, "chosen")) === "contact") break;
    }
    assert.equal(await state(page, "chosen"), "contact", "a click on a contact does not choose it");
    assert.match(await page.locator(".inspector").textContent(), /used of the cone/);
    return troubles;
  },

  async "four-bar: a mechanism without contacts"(context) {
    const { page, troubles } = await open(context, reports["four-bar"]);
    await checkScrubbing(page, 0.005);
    assert.doesNotMatch(await page.locator(".replay figcaption").textContent(), /not recorded/);
    await page.keyboard.press("2");
    await drawn(page);
    // bodies have the colours of their curves; light and shade vary them
    assert.ok((await partOfColour(page, "#0072B2", 70)) > 0.001, "the crank is not blue");
    return troubles;
  },

  async "comparison: one replay for each method"(context) {
    const { page, troubles } = await open(context, reports.compare);
    const tabs = page.locator(".replay-tab");
    assert.deepEqual(await tabs.allTextContents(), ["coulomb", "box"]);
    await scrubTo(page, 0.5);
    const time = await state(page, "time");
    await tabs.nth(1).click();
    await eventually(async () => (await tabs.nth(1).getAttribute("aria-pressed")) === "true", "the other run is not chosen");
    await page.waitForSelector('.replay[data-ready="true"]');
    await eventually(async () => (await state(page, "time")) === time, "the time is lost on the way");
    assert.equal(await page.locator(".replay").count(), 1);
    return troubles;
  },

  async "dark, phone, paper"(context) {
    const { page, troubles } = await open(context, reports.wheel, phone, "dark");
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(overflow <= 0, `the page is ${overflow} px wider than the phone`);
    assert.ok((await partOfColour(page, "#eef1f4", 10)) < 0.01, "the picture is light in the dark");
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
    await eventually(
      async () => /^data:image\/png/.test((await page.locator(".replay-still").getAttribute("src")) ?? ""),
      "there is no still picture for paper",
    );
    return troubles;
  },

  async "a picture is saved"(context) {
    const { page, troubles } = await open(context, reports["four-bar"]);
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name: "Picture" }).click();
    const download = await waiting;
    assert.match(download.suggestedFilename(), /^four-bar-.*\.png$/);
    assert.ok(statSync(await download.path()).size > 2000);
    return troubles;
  },

  async "a film is saved that can be played"(context) {
    const { page, troubles } = await open(context, reports["four-bar"]);
    await page.locator(".replay").focus();
    await page.keyboard.press("Home");
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name: "Video" }).click();
    await eventually(async () => Number(await state(page, "time")) > 0.5, "nothing moves while it is filmed");
    await page.getByRole("button", { name: "Video" }).click();
    const download = await waiting;
    assert.match(download.suggestedFilename(), /^four-bar-.*\.webm$/);
    const film = readFileSync(await download.path());
    assert.ok(film.length > 5000, `the film has ${film.length} bytes`);
    const screen = await context.newPage();
    const shown = await screen.evaluate(async (data) => {
      const video = document.createElement("video");
      video.muted = true;
      video.src = `data:video/webm;base64,${data}`;
      await video.play();
      const pictureOf = () => {
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
        const pen = canvas.getContext("2d");
        pen.drawImage(video, 0, 0);
        return pen.getImageData(0, 0, canvas.width, canvas.height).data;
      };
      const first = pictureOf();
      await new Promise((resolve) => (video.onended = resolve));
      const last = pictureOf();
      let moved = 0;
      for (let at = 0; at < first.length; at += 4) moved += Math.abs(first[at] - last[at]) > 40 ? 1 : 0;
      return { width: video.videoWidth, length: video.currentTime, moved: moved / (first.length / 4) };
    }, film.toString("base64"));
    assert.ok(shown.width > 300 && shown.length > 0.2, `${shown.width} px wide, ${shown.length} s`);
    assert.ok(shown.moved > 0.001, "nothing moves in the film");
    return troubles;
  },
};

let failures = 0;
await withBrowser(executable, { viewport: wide, acceptDownloads: true }, async (context) => {
  for (const [name, check] of Object.entries(checks)) {
    try {
      assert.deepEqual(await check(context), []);
      console.log(`ok      ${name}`);
    } catch (error) {
      ++failures;
      console.log(`FAILED  ${name}\n        ${error.message}`);
    }
    // one page at a time: each draws with the processor
    for (const page of context.pages().slice(1)) await page.close();
  }
  if (!screenshotFolder) return;
  for (const [name, file] of Object.entries(reports)) {
    for (const [look, viewport, scheme] of [["light", wide, "light"], ["dark", wide, "dark"], ["phone", phone, "light"]]) {
      const { page } = await open(context, file, viewport, scheme);
      await scrubTo(page, 0.5);
      await page.waitForTimeout(800);
      await page.screenshot({ path: join(screenshotFolder, `${name}-${look}.png`) });
      await page.close();
    }
  }
});

// A browser without WebGL gets a sentence, and its plots.
await withBrowser(executable, { viewport: wide, args: ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-3d-apis"] }, async (context) => {
  const page = await context.newPage();
  page.setDefaultTimeout(600_000);
  await page.goto(pathToFileURL(reports["four-bar"]).href);
  try {
    assert.match(await page.locator(".replay-failure").textContent(), /no WebGL/);
    assert.ok((await page.locator("figure.plot canvas").count()) > 3);
    console.log("ok      without WebGL");
  } catch (error) {
    ++failures;
    console.log(`FAILED  without WebGL\n        ${error.message}`);
  }
});
process.exit(failures === 0 ? 0 : 1);
