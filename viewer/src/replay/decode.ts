import type { ReplayHeader } from "./source";

// Contacts of a block in a row, those of its frames one after the other.
export interface ContactColumns {
  starts: Uint32Array; // of each frame of the block, and the end of the last
  loaded: Uint32Array; // how many carried load in each frame; the strongest of them are here
  shapeA: Uint32Array;
  shapeB: Uint32Array;
  placeA: Uint32Array;
  placeB: Uint32Array;
  state: Uint8Array; // 1 stick, 2 slip, 3 roll
  position: Float64Array; // three numbers a contact; m, N, N m, m/s in world axes
  normal: Float32Array; // from B towards A
  force: Float32Array; // on A
  moment: Float32Array;
  slip: Float32Array;
  gap: Float32Array;
  frictionStatic: Float32Array; // −1: not known
  frictionKinetic: Float32Array;
  rolling: Float32Array;
  spinning: Float32Array;
  residual: Float32Array; // distance from exact Coulomb friction [m/s]; −1: not known
}

export interface ReplayBlock {
  first: number; // frame
  count: number;
  times: Float64Array;
  // of each frame and body w x y z of the rotation, x y z of the position
  poses: Float32Array | Float64Array;
  contacts: ContactColumns;
}

class ByteReader {
  private at = 0;
  constructor(private readonly bytes: Uint8Array) {}

  whole(): number {
    let byte = this.bytes[this.at++] ?? 0;
    if (byte < 128) return byte;
    // beyond 2³¹ the operators on bits would fail
    let value = byte - 128;
    let weight = 128;
    do {
      byte = this.bytes[this.at++] ?? 0;
      value += (byte & 127) * weight;
      weight *= 128;
    } while (byte >= 128);
    return value;
  }

  signed(): number {
    const value = this.whole();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  doubles(count: number): Float64Array {
    const values = new Float64Array(count);
    const view = new DataView(this.bytes.buffer, this.bytes.byteOffset);
    for (let index = 0; index < count; ++index, this.at += 8) values[index] = view.getFloat64(this.at, true);
    return values;
  }

  // Upper three bytes of single precision, in three planes; written to every width-th place.
  floats(count: number, into: Float32Array, offset: number, width: number): void {
    const bits = new Uint32Array(count);
    for (const shift of [24, 16, 8]) {
      for (let index = 0; index < count; ++index) bits[index]! |= (this.bytes[this.at++] ?? 0) << shift;
    }
    const values = new Float32Array(bits.buffer);
    for (let index = 0; index < count; ++index) into[offset + index * width] = values[index] ?? 0;
  }

  get ended(): boolean {
    return this.at === this.bytes.length;
  }
}

// Doubles where there is room for them: velocities are differences of poses.
const fewNumbers = 2_000_000;

function readPoses(reader: ByteReader, header: ReplayHeader, count: number): Float32Array | Float64Array {
  const bodies = header.body_names.length;
  const size = count * bodies * 7;
  const poses = size <= fewNumbers ? new Float64Array(size) : new Float32Array(size);
  const last = new Float64Array(bodies);
  for (let component = 0; component < 7; ++component) {
    const unit = component < 4 ? header.rotation_unit : header.position_unit;
    last.fill(0);
    let at = component;
    for (let frame = 0; frame < count; ++frame) {
      for (let body = 0; body < bodies; ++body, at += 7) {
        const value = (last[body] ?? 0) + reader.signed();
        last[body] = value;
        poses[at] = value * unit;
      }
    }
  }
  return poses;
}

function readContacts(reader: ByteReader, header: ReplayHeader, frames: number): ContactColumns {
  const starts = new Uint32Array(frames + 1);
  const loaded = new Uint32Array(frames);
  for (let frame = 0; frame < frames; ++frame) {
    loaded[frame] = reader.whole();
    starts[frame + 1] = (starts[frame] ?? 0) + reader.whole();
  }
  const count = starts[frames] ?? 0;
  const wholes = <Column extends Uint8Array | Uint32Array>(column: Column): Column => {
    for (let index = 0; index < count; ++index) column[index] = reader.whole();
    return column;
  };
  const shapeA = wholes(new Uint32Array(count));
  const shapeB = wholes(new Uint32Array(count));
  const placeA = wholes(new Uint32Array(count));
  const placeB = wholes(new Uint32Array(count));
  const state = wholes(new Uint8Array(count));
  const position = new Float64Array(3 * count);
  for (let axis = 0; axis < 3; ++axis) {
    for (let index = 0; index < count; ++index) position[3 * index + axis] = reader.signed() * header.position_unit;
  }
  const vectors = (): Float32Array => {
    const column = new Float32Array(3 * count);
    for (let axis = 0; axis < 3; ++axis) reader.floats(count, column, axis, 3);
    return column;
  };
  const numbers = (): Float32Array => {
    const column = new Float32Array(count);
    reader.floats(count, column, 0, 1);
    return column;
  };
  return {
    starts,
    loaded,
    shapeA,
    shapeB,
    placeA,
    placeB,
    state,
    position,
    normal: vectors(),
    force: vectors(),
    moment: vectors(),
    slip: vectors(),
    gap: numbers(),
    frictionStatic: numbers(),
    frictionKinetic: numbers(),
    rolling: numbers(),
    spinning: numbers(),
    residual: numbers(),
  };
}

// A block as EncodeReplayBlock makes it, inflated.
export function decodeBlock(bytes: Uint8Array, header: ReplayHeader, first: number): ReplayBlock {
  const reader = new ByteReader(bytes);
  const count = reader.whole();
  const times = reader.doubles(count);
  const poses = readPoses(reader, header, count);
  const contacts = readContacts(reader, header, count);
  if (!reader.ended) throw new Error("a block of the replay does not end where it should");
  return { first, count, times, poses, contacts };
}
