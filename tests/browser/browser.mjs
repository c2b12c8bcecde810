// Starts the system's chromium with nothing of its own to say to the network.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const candidates = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser"];

// What a test that runs the program was called with: the program, a folder for what it writes, one for screenshots.
export function programArguments() {
  const [binary, folder, screenshotFolder] = process.argv.slice(2);
  if (!binary || !folder) {
    console.error("arguments: <slipstick> <folder> [folder for screenshots]");
    process.exit(2);
  }
  return { binary, folder, screenshotFolder };
}

// Ends the test as skipped where there is none.
export function chromiumOrSkip() {
  const executable = candidates.find((path) => path && existsSync(path));
  if (executable) return executable;
  console.log("skipped: no chromium is installed");
  process.exit(77);
}

// A file in a page of its own, with all that the browser complains of and every request that leaves.
export function openFile(context, file, viewport, colorScheme) {
  return openAddress(context, pathToFileURL(file).href, viewport, colorScheme, /^file:/);
}

export async function openAddress(context, address, viewport, colorScheme, allowed) {
  const page = await context.newPage();
  // a busy machine is no failure
  page.setDefaultTimeout(600_000);
  const troubles = [];
  page.on("console", (message) => {
    // the browser's own remark on reading pixels back, which print and pictures need
    const isRemark = /GPU stall due to ReadPixels/.test(message.text());
    if (["error", "warning"].includes(message.type()) && !isRemark) troubles.push(message.text());
  });
  page.on("pageerror", (error) => troubles.push(String(error)));
  page.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && !allowed.test(request.url())) troubles.push(`request of ${request.url()}`);
  });
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize(viewport);
  await page.goto(address);
  return { page, troubles };
}

export async function withBrowser(executablePath, options, action) {
  const profile = mkdtempSync(join(tmpdir(), "slipstick-browser-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    // given below in its new form, which draws as a window does
    headless: false,
    args: [
      "--headless=new",
      "--no-sandbox",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
    ...options,
  });
  try {
    return await action(context);
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
