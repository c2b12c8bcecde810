import { element } from "../report/element";
import type { Preset } from "./stage";

export type ColourBy = "body" | "speed" | "force" | "residual";

// What the buttons and keys do.
export interface Commands {
  toggle(): void;
  step(frames: number): void;
  seek(frame: number): void;
  end(): void;
  speed(factor: number): void;
  look(preset: Preset): void;
  fit(): void;
  follow(body: number): void; // −1: none
  colour(by: ColourBy): void;
  contacts(shown: boolean): void;
  arrows(scale: number): void;
  picture(): void;
  film(): void;
}

const icons = {
  play: "M4 2 L14 8 L4 14 Z",
  pause: "M3 2 H6.5 V14 H3 Z M9.5 2 H13 V14 H9.5 Z",
  back: "M12 2 L5 8 L12 14 Z M3 2 H5 V14 H3 Z",
  forward: "M4 2 L11 8 L4 14 Z M11 2 H13 V14 H11 Z",
};

function icon(name: keyof typeof icons): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", icons[name]);
  svg.append(path);
  return svg;
}

function button(label: string, title: string, action: () => void, content: Node | string = label): HTMLButtonElement {
  const node = element("button", "replay-button", content);
  node.type = "button";
  node.title = title;
  node.setAttribute("aria-label", label);
  node.addEventListener("click", action);
  return node;
}

function choice(label: string, options: [string, string][], action: (value: string) => void): HTMLLabelElement {
  const select = element("select", "replay-select");
  for (const [value, text] of options) {
    const option = element("option", "", text);
    option.value = value;
    select.append(option);
  }
  select.addEventListener("change", () => action(select.value));
  return element("label", "replay-choice", element("span", "", label), select);
}

const speeds = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 10];
const unpaced: [string, string] = ["0", "as fast as it goes"]; // of a run that goes on

// The row under the picture: play, scrub, time, speed.
export class TimeBar {
  readonly root: HTMLElement;
  private readonly playButton: HTMLButtonElement;
  private readonly slider = element("input", "replay-slider");
  private readonly clock = element("span", "replay-time");
  private readonly speed: HTMLLabelElement;

  constructor(commands: Commands, isLive: boolean) {
    this.playButton = button("Play", "Play or pause (space)", () => commands.toggle(), icon("play"));
    this.playButton.classList.add("primary");
    this.slider.type = "range";
    this.slider.min = "0";
    this.slider.step = "1";
    this.slider.setAttribute("aria-label", "Frame");
    this.slider.addEventListener("input", () => commands.seek(Number(this.slider.value)));
    const factors: [string, string][] = speeds.map((factor) => [String(factor), `${factor} ×`]);
    if (isLive) factors.push(unpaced);
    this.speed = choice("speed", factors, (value) => commands.speed(Number(value)));
    this.root = element(
      "div",
      "replay-bar",
      button("One frame back", "One frame back (←)", () => commands.step(-1), icon("back")),
      this.playButton,
      button(isLive ? "One step on" : "One frame on", isLive ? "One step on (→)" : "One frame on (→)", () => commands.step(1), icon("forward")),
      this.slider,
      this.clock,
      this.speed,
    );
  }

  setSpeed(factor: number): void {
    const select = this.speed.querySelector("select");
    if (select) select.value = String(factor);
  }

  // The nearest of those that can be chosen.
  static nearestSpeed(factor: number): number {
    return speeds.reduce((best, speed) => (Math.abs(Math.log(speed / factor)) < Math.abs(Math.log(best / factor)) ? speed : best));
  }

  setPlaying(playing: boolean): void {
    this.playButton.replaceChildren(icon(playing ? "pause" : "play"));
    this.playButton.setAttribute("aria-label", playing ? "Pause" : "Play");
  }

  setFrame(frame: number, count: number, time: number, end: number, first = 0, step = Infinity): void {
    this.slider.min = String(first);
    this.slider.max = String(Math.max(0, count - 1));
    this.slider.value = String(frame);
    // as many decimals as it takes to tell frames apart
    const gap = Math.min(step, count > 1 ? end / (count - 1) : 1);
    const decimals = Math.min(6, Math.max(2, Math.ceil(-Math.log10(gap || 1))));
    const text = `${time.toFixed(decimals)} s`;
    this.clock.textContent = `${text} of ${end.toFixed(decimals)} s`;
    this.slider.setAttribute("aria-valuetext", text);
  }
}

const contactColours: [string, string][] = [["force", "contact force"], ["residual", "residual"]];

// The row above the picture: view, body to follow, colours, contacts, pictures.
export class ViewBar {
  readonly root: HTMLElement;
  private readonly follow: HTMLLabelElement;
  private readonly contactParts: HTMLElement[];
  private readonly filmButton: HTMLButtonElement;

  constructor(commands: Commands, bodies: readonly string[], hasContacts: boolean, canFilm: boolean) {
    const view = (preset: Preset, text: string, key: string) =>
      button(text, `Look from there (${key})`, () => commands.look(preset));
    const views = element(
      "div",
      "replay-group",
      view("isometric", "Isometric", "1"),
      view("front", "Front", "2"),
      view("side", "Side", "3"),
      view("top", "Top", "4"),
      button("Fit", "Bring all into the picture (F)", () => commands.fit()),
    );
    views.setAttribute("role", "group");
    views.setAttribute("aria-label", "Camera");
    // a list of thousands helps nobody: with many, a click on a body chooses it
    const listed: [string, string][] = bodies.length <= 60 ? bodies.map((name, body) => [String(body), name]) : [];
    this.follow = choice("follow", [["-1", "nothing"], ...listed], (value) => commands.follow(Number(value)));
    const colour = choice(
      "colour by",
      [["body", "body"], ["speed", "speed"], ...(hasContacts ? contactColours : [])],
      (value) => commands.colour(value as ColourBy),
    );
    const box = element("input");
    box.type = "checkbox";
    box.checked = true;
    box.addEventListener("change", () => commands.contacts(box.checked));
    const scale = element("input", "arrow-scale");
    Object.assign(scale, { type: "range", min: "-1", max: "1", step: "0.05", value: "0", title: "Length of the force arrows" });
    scale.setAttribute("aria-label", "Length of the force arrows");
    scale.addEventListener("input", () => commands.arrows(10 ** Number(scale.value)));
    this.contactParts = [
      element("label", "replay-choice check", box, element("span", "", "contacts")),
      element("label", "replay-choice", element("span", "", "arrows"), scale),
    ];
    this.filmButton = button("Video", "Record a film of the replay from here on", () => commands.film());
    this.filmButton.hidden = !canFilm;
    this.root = element(
      "div",
      "replay-tools",
      views,
      this.follow,
      colour,
      ...(hasContacts ? this.contactParts : []),
      element("div", "replay-group", button("Picture", "Save this picture (P)", () => commands.picture()), this.filmButton),
    );
  }

  setFollowed(body: number, name: string): void {
    const select = this.follow.querySelector("select");
    if (!select) return;
    if (body >= 0 && !Array.from(select.options).some((option) => option.value === String(body))) {
      const option = element("option", "", name);
      option.value = String(body);
      select.append(option);
    }
    select.value = String(body);
  }

  setFilming(filming: boolean): void {
    this.filmButton.textContent = filming ? "Stop" : "Video";
    this.filmButton.classList.toggle("recording", filming);
  }
}

// True where the key was one of the replay's.
export function handleKey(event: KeyboardEvent, commands: Commands): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const jump = event.shiftKey ? 10 : 1;
  const actions: Record<string, () => void> = {
    " ": () => commands.toggle(),
    ArrowLeft: () => commands.step(-jump),
    ArrowRight: () => commands.step(jump),
    Home: () => commands.seek(0),
    End: () => commands.end(),
    "1": () => commands.look("isometric"),
    "2": () => commands.look("front"),
    "3": () => commands.look("side"),
    "4": () => commands.look("top"),
    f: () => commands.fit(),
    p: () => commands.picture(),
  };
  const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  action?.();
  return action !== undefined;
}
