import { element } from "../report/element";
import type { LiveParameterData } from "../report/data";
import { formatValue } from "../report/number";
import type { LiveSource } from "./live_source";

const sentences = {
  ready: "Ready: press ▶ or space to start.",
  running: "Running.",
  paused: "Paused: → takes one step, space goes on.",
  ended: "The run has ended.",
  gone: "The program has ended. What came until then can be played back.",
};
const sliderSteps = 200;

function number(value: number): string {
  return formatValue(Number(value.toPrecision(4)), 0);
}

class ParameterSlider {
  readonly root: HTMLElement;
  private readonly slider = element("input", "live-slider");
  private readonly output = element("output", "live-value");
  private wanted: number | undefined; // not yet sent
  private sent: number | undefined; // not yet confirmed
  private isSending = false;

  constructor(
    private readonly data: LiveParameterData,
    private readonly source: LiveSource,
  ) {
    const { slider } = this;
    slider.type = "range";
    slider.min = String(data.least);
    slider.max = String(data.most);
    slider.step = String((data.most - data.least) / sliderSteps);
    slider.setAttribute("aria-label", data.unit ? `${data.name} in ${data.unit}` : data.name);
    slider.dataset.parameter = data.name;
    slider.addEventListener("input", () => this.want(Number(slider.value)));
    const name = element("span", "live-name", data.name);
    this.root = element("label", "live-parameter", name, slider, this.output);
    slider.value = String(data.value);
    this.write(data.value);
  }

  // What the run has now.
  show(value: number | undefined): void {
    if (value === undefined) return;
    if (this.sent === value) this.sent = undefined;
    if (this.wanted !== undefined || this.sent !== undefined || document.activeElement === this.slider) return;
    this.slider.value = String(value);
    this.write(value);
  }

  disable(): void {
    this.slider.disabled = true;
  }

  private write(value: number): void {
    this.output.textContent = this.data.unit ? `${number(value)} ${this.data.unit}` : number(value);
    this.root.dataset.value = String(value);
  }

  // One at a time: while the last is on its way only the newest is kept.
  private want(value: number): void {
    this.wanted = value;
    this.write(value);
    if (!this.isSending) void this.sendWanted();
  }

  private async sendWanted(): Promise<void> {
    this.isSending = true;
    while (this.wanted !== undefined) {
      const value = this.wanted;
      this.wanted = undefined;
      this.sent = value;
      await this.source.send({ action: "set", name: this.data.name, value });
    }
    this.isSending = false;
  }
}

// State of the run, sliders of its parameters, what was changed so far.
export class LivePanel {
  readonly root: HTMLElement;
  private readonly phase = element("p", "live-phase");
  private readonly note = element("p", "live-note");
  private readonly end = element("button", "replay-button", "End the run");
  readonly changes = element("ol", "live-changes"); // stands where there is room for it
  private readonly sliders: ParameterSlider[];
  private told = "";

  constructor(
    private readonly source: LiveSource,
    private readonly parameters: readonly LiveParameterData[],
  ) {
    this.sliders = parameters.map((data) => new ParameterSlider(data, source));
    this.phase.setAttribute("role", "status");
    this.end.type = "button";
    this.end.title = "End it here; what there is becomes the result";
    this.end.addEventListener("click", () => void source.send({ action: "end" }));
    const controls = this.sliders.map((slider) => slider.root);
    if (controls.length === 0) {
      controls.push(element("p", "live-note", "This scene declares no parameters that could be changed (docs/scene-format.md)."));
    }
    this.root = element(
      "div",
      "live-panel",
      element("div", "live-state", this.phase, this.end),
      this.note,
      element("div", "live-parameters", ...controls),
    );
  }

  update(): void {
    const { status } = this.source;
    this.parameters.forEach((data, index) => this.sliders[index]?.show(status.values[data.name]));
    const told = JSON.stringify(status);
    if (told === this.told) return;
    this.told = told;
    const isOver = status.phase === "ended" || status.phase === "gone";
    this.root.dataset.phase = status.phase;
    this.root.dataset.changes = String(status.change_count);
    this.phase.textContent = status.verdict ? `${sentences[status.phase]} ${status.verdict}` : sentences[status.phase];
    this.phase.classList.toggle("good", status.phase === "ended" && status.passed);
    this.phase.classList.toggle("bad", status.phase === "ended" && !status.passed);
    this.end.hidden = isOver;
    if (isOver) this.sliders.forEach((slider) => slider.disable());
    if (status.phase === "ended" && !this.root.querySelector("a")) {
      const link = element("a", "live-report", "Open the report");
      link.href = "report.html";
      this.phase.after(link);
    }
    this.note.textContent = status.note;
    const hidden = status.change_count - status.changes.length;
    const items = status.changes.map((change) =>
      element("li", "", `from ${number(change.time)} s on: ${change.name} ${number(change.from)} → ${number(change.to)} ${change.unit}`),
    );
    this.changes.start = hidden + 1;
    this.changes.replaceChildren(...items);
  }
}
