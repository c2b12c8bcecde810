import * as THREE from "three";
import { onScale, StageColours } from "./colours";
import type { ReplayBlock } from "./decode";
import type { FrameView } from "./player";
import { positionOf } from "./pose";
import type { ReplayHeader } from "./source";
import type { ColourBy } from "./toolbar";

const decades = 4; // of the scale of residuals, which is logarithmic

// Which colour each body has: its own, or one that tells its speed, the sum of the sizes of its contact forces, or the
// worst residual of its contacts.
export class BodyTint {
  by: ColourBy = "body";
  own: THREE.Color[] = [];
  private readonly largest = { speed: 0, force: 0, residual: 0 }; // ends of the scales
  private readonly one = new THREE.Color();
  private readonly still = new THREE.Color();
  private readonly chosen = new THREE.Color();

  constructor(private readonly header: ReplayHeader) {}

  get end(): number {
    return this.by === "body" ? 0 : this.largest[this.by];
  }

  // Where the scale begins.
  get begin(): number {
    return this.by === "residual" ? this.end / 10 ** decades : 0;
  }

  get unit(): string {
    return this.by === "force" ? "N" : "m/s";
  }

  // What is shown, where its name in the list does not say it.
  get meaning(): string {
    return this.by === "residual" ? "distance from exact Coulomb friction of a body's worst contact" : "";
  }

  // Ends of the scales that most of what these blocks hold lies within.
  take(blocks: readonly ReplayBlock[]): void {
    const forces: number[] = [];
    for (const block of blocks) {
      const stride = Math.max(1, Math.floor(block.count / 8));
      for (let index = 0; index + 1 < block.count; index += stride) {
        const view = { frame: block.first + index, time: block.times[index] ?? 0, block, index };
        const after = { frame: block.first + index + 1, time: block.times[index + 1] ?? 0, block, index: index + 1 };
        this.largest.speed = Math.max(this.largest.speed, upper(this.speeds(view, after)));
        forces.push(upper(this.forces(view)));
        this.largest.residual = Math.max(this.largest.residual, upper(this.residuals(view)));
      }
    }
    // impacts would make a scale on which all else is dark
    const loaded = forces.filter((force) => force > 0).sort((a, b) => a - b);
    this.largest.force = loaded[Math.floor(loaded.length / 2)] ?? 0;
  }

  colours(view: FrameView, before: FrameView, after: FrameView, chosen: number, stage: StageColours): (body: number) => THREE.Color {
    this.still.set(stage.still);
    this.chosen.set(stage.chosen);
    const values = this.values(view, before, after);
    const end = this.end;
    const part = (value: number) => (this.by === "residual" ? 1 + Math.log10(Math.max(value / end, 1e-30)) / decades : value / end);
    return (body) => {
      if (body < 0) return this.still;
      if (body === chosen) return this.chosen;
      if (!values) return this.own[body] ?? this.still;
      return onScale(end > 0 ? part(values[body] ?? 0) : 0, this.one);
    };
  }

  private values(view: FrameView, before: FrameView, after: FrameView): Float64Array | undefined {
    switch (this.by) {
      case "speed":
        return this.speeds(before, after);
      case "force":
        return this.forces(view);
      case "residual":
        return this.residuals(view);
      default:
        return undefined;
    }
  }

  private speeds(before: FrameView, after: FrameView): Float64Array {
    const speeds = new Float64Array(this.header.body_names.length);
    const duration = after.time - before.time;
    if (!(duration > 0)) return speeds;
    for (let body = 0; body < speeds.length; ++body) {
      // one that is put in between the two frames did not fly there
      if ((this.header.body_releases[body] ?? 0) > before.time) continue;
      const [a, b] = [positionOf(before, body), positionOf(after, body)];
      speeds[body] = Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]) / duration;
    }
    return speeds;
  }

  private forces(view: FrameView): Float64Array {
    const { force } = view.block.contacts;
    const sizeOf = (number: number) => Math.hypot(force[3 * number] ?? 0, force[3 * number + 1] ?? 0, force[3 * number + 2] ?? 0);
    return this.overContacts(view, (sum, number) => sum + sizeOf(number));
  }

  private residuals(view: FrameView): Float64Array {
    const { residual } = view.block.contacts;
    return this.overContacts(view, (worst, number) => Math.max(worst, residual[number] ?? 0));
  }

  // Of each body, all its contacts taken together.
  private overContacts(view: FrameView, join: (value: number, contact: number) => number): Float64Array {
    const values = new Float64Array(this.header.body_names.length);
    const { contacts } = view.block;
    for (let number = contacts.starts[view.index] ?? 0; number < (contacts.starts[view.index + 1] ?? 0); ++number) {
      for (const shape of [contacts.shapeA[number] ?? 0, contacts.shapeB[number] ?? 0]) {
        const body = this.header.shapes[shape]?.body ?? -1;
        if (body >= 0) values[body] = join(values[body] ?? 0, number);
      }
    }
    return values;
  }
}

// The largest, or of many the value that two of a hundred exceed.
function upper(values: Float64Array): number {
  const sorted = values.slice().sort();
  return sorted[sorted.length > 100 ? Math.floor(0.98 * sorted.length) : sorted.length - 1] ?? 0;
}
