import { element } from "../report/element";
import { formatValue } from "../report/number";
import { scaleGradient, StageColours } from "./colours";
import { contactRange } from "./contacts";
import type { FrameView } from "./player";
import type { BodyTint } from "./tint";

function text(value: number): string {
  return formatValue(Number(value.toPrecision(2)), 0);
}

// What the colours mean, in a corner of the picture.
export class Legend {
  readonly root = element("div", "replay-legend");

  update(contacts: FrameView | undefined, colours: StageColours, tint: BodyTint): void {
    const parts: HTMLElement[] = [];
    if (contacts) parts.push(...this.states(contacts, colours));
    if (tint.by !== "body") {
      const bar = element("span", "scale-bar");
      bar.style.background = scaleGradient;
      parts.push(
        element("span", "scale", element("span", "", tint.begin > 0 ? `≤ ${text(tint.begin)}` : "0"), bar, element("span", "", `≥ ${text(tint.end)} ${tint.unit}`)),
      );
      if (tint.meaning) parts.push(element("span", "state", tint.meaning));
    }
    this.root.replaceChildren(...parts);
  }

  private states(view: FrameView, colours: StageColours): HTMLElement[] {
    const { state, loaded } = view.block.contacts;
    const [begin, end] = contactRange(view);
    const counts = [0, 0, 0];
    for (let number = begin; number < end; ++number) {
      const place = (state[number] ?? 1) - 1;
      counts[place] = (counts[place] ?? 0) + 1;
    }
    const parts = ["stick", "slip", "roll"].map((name, index) => {
      const dot = element("span", "state-dot");
      dot.style.background = colours.states[index] ?? "";
      return element("span", "state", dot, `${name} ${counts[index]}`);
    });
    const all = loaded[view.index] ?? 0;
    if (all > end - begin) parts.push(element("span", "state", `the ${end - begin} strongest of ${all}`));
    return parts;
  }
}
