// What the address asks for behind its "#": report.html#view=top&time=1.5 leads there, and with "picture" nothing but the
// replay is shown, as large as the window (src/export/report_picture.cpp).
import type { ReplayFigure } from "./figure";
import { Preset, presets } from "./stage";

const asked = new URLSearchParams(location.hash.slice(1));

export const isPicture = asked.has("picture");

export async function showAsked(figure: ReplayFigure): Promise<void> {
  const view = asked.get("view");
  if (view && view in presets) figure.look(view as Preset);
  const time = asked.get("time");
  if (isPicture || time !== null) await figure.showAt(time === null ? Infinity : Number(time));
  if (isPicture) document.body.dataset.picture = "ready";
}
