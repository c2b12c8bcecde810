// The program of a page with replays.
import "./replay.css";
import { decodeArray, ReplayData } from "../report/data";
import { element } from "../report/element";
import { ReportPage } from "../report/page";
import { isPicture, showAsked } from "./asked";
import { ReplayFigure } from "./figure";
import { showLive } from "./live";
import { EmbeddedSource } from "./source";

const page = new ReportPage();
document.body.classList.toggle("picture", isPicture);
const title = page.report.live ? "Live" : "Replay";
const section = element("section", "replay-section", element("h2", "", title));
section.id = "replay";
page.build([{ title, root: section }]);

const linked = page.figures.filter((figure) => figure.xLabel === page.report.time_label);
const texts = Array.from(document.querySelectorAll(".replay-data"), (node) => node.textContent ?? "");
let current: ReplayFigure | undefined;
let asked = 0;

async function show(number: number, data: ReplayData): Promise<void> {
  const turn = ++asked;
  const times = decodeArray(page.report.arrays[data.times] ?? "f8:");
  const facts = { stride: data.stride, hasContacts: data.has_contacts, lacksContacts: data.lacks_contacts };
  const source = await EmbeddedSource.open(texts[number] ?? "", times, data.frames, facts);
  const figure = await ReplayFigure.open(source, page.isDark);
  if (turn !== asked) return figure.close();
  const time = current?.time;
  current?.close();
  current = figure;
  figure.onTime = (moment) => linked.forEach((plot) => plot.setTime(moment));
  section.append(figure.root);
  figure.start(time);
  if (time === undefined) await showAsked(figure);
}

// A browser that cannot show it gets a sentence instead.
function attempt(showing: Promise<void>): void {
  section.querySelector(".replay-failure")?.remove();
  showing.catch((error: unknown) => {
    const reason =
      typeof DecompressionStream === "undefined"
        ? "it cannot unpack the frames (DecompressionStream)"
        : hasWebGl()
          ? String(error)
          : "it has no WebGL, or it is turned off";
    section.append(element("p", "replay-failure", `This browser cannot show the replay: ${reason}. The plots below need nothing of that.`));
  });
}

function hasWebGl(): boolean {
  return document.createElement("canvas").getContext("webgl2") !== null;
}

linked.forEach((plot) => (plot.onTime = (time) => current?.seekTime(time)));
page.onTheme((dark, printing) => current?.setTheme(dark, printing));

const { replays } = page.report;
if (replays.length > 1) {
  const buttons = replays.map((data, number) => {
    const button = element("button", "replay-tab", data.label);
    button.type = "button";
    button.setAttribute("aria-pressed", String(number === 0));
    button.addEventListener("click", () => {
      buttons.forEach((other) => other.setAttribute("aria-pressed", String(other === button)));
      attempt(show(number, data));
    });
    return button;
  });
  const tabs = element("div", "replay-tabs", ...buttons);
  tabs.setAttribute("role", "group");
  tabs.setAttribute("aria-label", "Which run is shown");
  section.append(tabs);
}
const { live } = page.report;
if (live) {
  attempt(showLive(page, live, texts[0] ?? "", section, linked).then((figure) => void (current = figure)));
} else if (replays[0]) {
  attempt(show(0, replays[0]));
}
