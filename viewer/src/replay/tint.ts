import * as THREE from "three";
import { onScale, StageColours } from "./colours";
import type { ReplayBlock } from "./decode";
import type { FrameView } from "./player";
import { positionOf } from "./pose";
import type { ReplayHeader } from "./source";
import type { ColourBy } from "./toolbar";

// Which colour each body has: its own, or one that tells its speed or the sum of the sizes of its contact forces.
export class BodyTint {
  by: ColourBy = "body";
  own: THREE.Color[] = [];
  private readonly largest = { speed: 0, force: 0 }; // ends of the scales
  private readonly one = new THREE.Color();
  private readonly still = new THREE.Color();
  private readonly chosen = new THREE.Color();

  constructor(private readonly header: ReplayHeader) {}

  get end(): number {
    return this.by === "body" ? 0 : this.largest[this.by];
  }

  get unit(): string {
    return this.by === "speed" ? "m/s" : "N";
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
      }
    }
    // impacts would make a scale on which all else is dark
    const loaded = forces.filter((force) => force > 0).sort((a, b) => a - b);
    this.largest.force = loaded[Math.floor(loaded.length / 2)] ?? 0;
  }

  colours(view: FrameView, before: FrameView, after: FrameView, chosen: number, stage: StageColours): (body: number) => THREE.Color {
    this.still.set(stage.still);
    this.chosen.set(stage.chosen);
    const values = this.by === "speed" ? this.speeds(before, after) : this.by === "force" ? this.forces(view) : undefined;
    const end = this.end;
    return (body) => {
      if (body < 0) return this.still;
      if (body === chosen) return this.chosen;
      if (!values) return this.own[body] ?? this.still;
      return onScale(end > 0 ? (values[body] ?? 0) / end : 0, this.one);
    };
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
    const forces = new Float64Array(this.header.body_names.length);
    const { contacts } = view.block;
    for (let number = contacts.starts[view.index] ?? 0; number < (contacts.starts[view.index + 1] ?? 0); ++number) {
      const at = 3 * number;
      const size = Math.hypot(contacts.force[at] ?? 0, contacts.force[at + 1] ?? 0, contacts.force[at + 2] ?? 0);
      for (const shape of [contacts.shapeA[number] ?? 0, contacts.shapeB[number] ?? 0]) {
        const body = this.header.shapes[shape]?.body ?? -1;
        if (body >= 0) forces[body] = (forces[body] ?? 0) + size;
      }
    }
    return forces;
  }
}

// The largest, or of many the value that two of a hundred exceed.
function upper(values: Float64Array): number {
  const sorted = values.slice().sort();
  return sorted[sorted.length > 100 ? Math.floor(0.98 * sorted.length) : sorted.length - 1] ?? 0;
}
