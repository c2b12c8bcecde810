// A run that goes on while its page is open, in a real browser: node live_page.mjs <slipstick> <folder> [folder for screenshots]
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromiumOrSkip, openAddress, programArguments, withBrowser } from "./browser.mjs";

const { binary, folder, screenshotFolder } = programArguments();
const executable = chromiumOrSkip();

// what cannot be reached any more is no fault of the page
const unreachable = /ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET/;
const wide = { width: 1100, height: 900 };
const phone = { width: 390, height: 844 };

// Starts a run and returns its address, its folder, and a promise of its exit code.
async function startRun(name, ...options) {
  const place = join(folder, name);
  const process = spawn(binary, ["run", ...options, "--live", "--quiet", "-o", place], { stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise((resolve) => process.on("exit", (code) => resolve(code)));
  const address = await new Promise((resolve, reject) => {
    let said = "";
    process.stderr.on("data", (piece) => {
      said += piece;
      const found = /http:\/\/127\.0\.0\.1:\d+\//.exec(said);
      if (found) resolve(found[0]);
    });
    process.on("exit", () => reject(new Error(`the run ended at once: ${said}`)));
  });
  const summary = () => JSON.parse(readFileSync(join(place, "summary.json"), "utf8"));
  return { address, ended, summary, process };
}

async function eventually(holds, message) {
  // a busy machine is no failure
  for (let attempt = 0; attempt < 1200; ++attempt) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail(message);
}

async function open(context, run, viewport = wide, colorScheme = "light") {
  const { page, troubles } = await openAddress(context, run.address, viewport, colorScheme, new RegExp(`^${run.address}`));
  await page.waitForSelector('.replay[data-ready="true"]').catch((error) => {
    throw new Error(`the page does not start: ${troubles.join("; ") || error.message}`);
  });
  return { page, troubles };
}

const timeOf = async (page) => Number(await page.locator(".replay").getAttribute("data-time"));
const phaseOf = (page) => page.locator(".live-panel").getAttribute("data-phase");
const changesOf = async (page) => Number(await page.locator(".live-panel").getAttribute("data-changes"));

async function setSlider(page, name, value) {
  await page.locator(`.live-slider[data-parameter="${name}"]`).evaluate((slider, wanted) => {
    slider.value = String(wanted);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }, value);
}

// Samples of a plot's curves, as far as they were drawn.
const inkOf = (page, number) =>
  page.locator("figure.plot").nth(number).evaluate((figure) => {
    const canvas = figure.querySelector("canvas");
    if (!canvas) return 0;
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let at = 0; at < data.length; at += 4) {
      const [red, green, blue, alpha] = data.slice(at, at + 4);
      if (alpha > 100 && Math.max(red, green, blue) - Math.min(red, green, blue) > 60) ++count;
    }
    return count;
  });

const step = 0.001;
const gravity = 9.81;
const slope = (25 * Math.PI) / 180;

const checks = {
  // A block that rests on a slope of 25° with μ = 0.5 and slides with g sin α without.
  async "slope: pause, step, friction"(context) {
    const run = await startRun("slope", "slope", "--time", "1.2");
    const { page, troubles } = await open(context, run);
    assert.equal(await phaseOf(page), "ready");
    assert.equal(await timeOf(page), 0);
    await page.locator(".replay").focus();
    for (let count = 1; count <= 3; ++count) {
      await page.keyboard.press("ArrowRight");
      await eventually(async () => Math.abs((await timeOf(page)) - count * step) < 1e-12, `step ${count} does not lead to ${count * step} s`);
    }
    await page.getByRole("button", { name: "One step on" }).click();
    await eventually(async () => Math.abs((await timeOf(page)) - 4 * step) < 1e-12, "the button does not step");
    assert.equal(await phaseOf(page), "paused");
    await page.locator(".replay").focus();
    await page.keyboard.press("ArrowLeft");
    await eventually(async () => Math.abs((await timeOf(page)) - 3 * step) < 1e-12, "← does not look back");
    await page.keyboard.press("End");
    await eventually(async () => Math.abs((await timeOf(page)) - 4 * step) < 1e-12, "End does not lead to the newest");

    await page.keyboard.press(" ");
    await eventually(async () => (await phaseOf(page)) === "running" && (await timeOf(page)) > 0.1, "space does not start the run");
    await page.keyboard.press(" ");
    await eventually(async () => (await phaseOf(page)) === "paused", "space does not pause the run");
    await page.waitForTimeout(300);
    const paused = await timeOf(page);
    await page.waitForTimeout(300);
    assert.equal(await timeOf(page), paused, "a paused run goes on");
    await page.screenshot({ path: screenshotFolder ? join(screenshotFolder, "live-paused.png") : undefined });

    await setSlider(page, "friction", 0);
    await eventually(async () => (await changesOf(page)) === 1, "the slider changes nothing");
    assert.match(await page.locator(".live-changes").textContent(), /friction 0\.5 → 0/);
    assert.equal(await timeOf(page), paused);
    await page.locator(".replay-bar select").selectOption("0");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Play" }).click();
    await eventually(async () => (await phaseOf(page)) === "ended", "the run does not end");
    assert.match(await page.locator(".live-phase").textContent(), /ended.*1200 steps passed/);

    // energy, residuals, contacts
    for (const number of [0, 1, 2]) assert.ok((await inkOf(page, number)) > 100, `nothing is drawn in plot ${number + 1}`);
    // played back in the page
    await page.locator(".replay").focus();
    await page.keyboard.press("Home");
    await eventually(async () => (await timeOf(page)) === 0, "Home does not lead to the start");

    const link = page.getByRole("link", { name: "Open the report" });
    assert.equal(await link.getAttribute("href"), "report.html");
    await link.click();
    await page.waitForSelector('.replay[data-ready="true"]');
    assert.match(await page.locator("main").textContent(), /Changed by hand/);
    await page.close();
    assert.equal(await run.ended, 0);
    const summary = run.summary();
    const [change] = summary.parameter_changes;
    assert.deepEqual([change.name, change.from, change.to], ["friction", 0.5, 0]);
    assert.ok(Math.abs(change.time_seconds - paused) < 1e-9, "it is not told when");
    const speed = Math.hypot(...summary.bodies.block.velocity_metres_per_second);
    const expected = (1.2 - paused) * gravity * Math.sin(slope);
    assert.ok(Math.abs(speed - expected) < 1e-4 * expected, `the block has ${speed} m/s instead of ${expected}`);
    return troubles;
  },

  async "wheel: a push turns it aside, the page is closed, the run goes on"(context) {
    const run = await startRun("wheel", "wheel", "--time", "40", "--set", "output.every=0.01");
    const { page, troubles } = await open(context, run, phone, "dark");
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(overflow <= 0, `the page is ${overflow} px wider than the phone`);
    await page.getByRole("button", { name: "Play" }).click();
    await eventually(async () => (await timeOf(page)) > 0.3, "it does not run");
    await setSlider(page, "push along y", 5);
    await eventually(async () => (await changesOf(page)) === 1, "the slider changes nothing");
    await setSlider(page, "push along y", 0);
    await eventually(async () => (await changesOf(page)) === 2, "the slider changes nothing");
    if (screenshotFolder) await page.screenshot({ path: join(screenshotFolder, "live-phone.png"), fullPage: true });
    await page.close();
    const code = await run.ended;
    assert.ok(code === 0 || code === 1, `exit code ${code}`);
    assert.equal(run.summary().stopped_early, false);
    assert.equal(run.summary().parameter_changes.length, 2);
    return troubles;
  },

  async "gravel: many stones, ended by hand; a page that comes later"(context) {
    const run = await startRun("gravel", "gravel-small", "--time", "60");
    const { page, troubles } = await open(context, run);
    await page.getByRole("button", { name: "Play" }).click();
    await eventually(async () => (await timeOf(page)) > 0.2, "it does not run");
    const { page: other, troubles: more } = await open(context, run);
    await eventually(async () => (await timeOf(other)) > 0.2, "a page that comes later shows nothing");
    await eventually(async () => (await inkOf(other, 0)) > 100, "a page that comes later has no curves");
    if (screenshotFolder) await other.screenshot({ path: join(screenshotFolder, "live-gravel.png"), fullPage: true });
    await other.getByRole("button", { name: "End the run" }).click();
    // the run does not wait for a page that is slow: behind another window it may find nobody any more
    for (const [one, phases] of [[other, ["ended"]], [page, ["ended", "gone"]]]) {
      await one.bringToFront();
      await eventually(async () => phases.includes(await phaseOf(one)), `it does not end: ${await phaseOf(one)}`);
      await one.close();
    }
    await run.ended;
    assert.equal(run.summary().stopped_early, true);
    return [...troubles.filter((trouble) => !unreachable.test(trouble)), ...more];
  },

  async "Ctrl-C: the page keeps what it has"(context) {
    const run = await startRun("interrupted", "joint-friction", "--time", "100");
    const { page, troubles } = await open(context, run);
    await page.getByRole("button", { name: "Play" }).click();
    await eventually(async () => (await timeOf(page)) > 0.2, "it does not run");
    run.process.kill("SIGINT");
    assert.equal(await run.ended, 130);
    await eventually(async () => ["gone", "ended"].includes(await phaseOf(page)), "the page does not notice");
    await page.locator(".replay").focus();
    await page.keyboard.press("Home");
    await eventually(async () => (await timeOf(page)) === 0, "what it has cannot be played back");
    return troubles.filter((trouble) => !unreachable.test(trouble));
  },
};

let failures = 0;
await withBrowser(executable, { viewport: wide }, async (context) => {
  for (const [name, check] of Object.entries(checks)) {
    try {
      assert.deepEqual(await check(context), []);
      console.log(`ok      ${name}`);
    } catch (error) {
      ++failures;
      console.log(`FAILED  ${name}\n        ${error.message}`);
    }
    for (const page of context.pages().slice(1)) await page.close();
  }
});
process.exit(failures === 0 ? 0 : 1);
