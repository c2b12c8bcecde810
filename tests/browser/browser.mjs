// Starts the system's chromium with nothing of its own to say to the network.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const candidates = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser"];

export function findChromium() {
  return candidates.find((path) => path && existsSync(path));
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
