// Where a replay's header and blocks of frames come from: embedded in the page, or sent by a server. The layout is that
// of docs/file-formats.md, "Replay".
import { decodeBlock, ReplayBlock } from "./decode";

export interface GeometryData {
  type: string; // plane, sphere, box, capsule, cylinder, disk, hull
  sizes: number[]; // m, as RecordingHeader::Shape has them
  faces: number[];
}

export interface ShapeData {
  body: number; // −1: the world
  name: string;
  geometry: number;
  pose: number[]; // w x y z of the rotation, x y z of the position, in the body's frame
}

export interface ReplayHeader {
  format: string;
  scene: string;
  law: string;
  solver: string;
  step: number;
  position_unit: number;
  rotation_unit: number;
  most_contacts: number;
  body_names: string[];
  body_releases: number[]; // empty: all are there from the start
  body_inertias: number[][]; // mass, centre x y z, inertia about it xx yy zz xy xz yz; empty: not known
  geometries: GeometryData[];
  shapes: ShapeData[];
}

export interface BlockRange {
  first: number; // frame
  count: number;
}

export interface ReplayFacts {
  stride: number; // every so-manieth sample of the run is a frame
  hasContacts: boolean; // in some frame
  lacksContacts: boolean; // bodies touched, but contacts were not recorded
}

export interface ReplaySource {
  readonly header: ReplayHeader;
  readonly times: ArrayLike<number>; // of all frames so far [s]
  readonly blocks: readonly BlockRange[];
  readonly facts: ReplayFacts;
  readonly first?: number; // frame: those before it are kept no longer
  load(block: number): Promise<ReplayBlock>;
}

// Packed, in base64.
export async function headerOf(text: string): Promise<ReplayHeader> {
  const header = JSON.parse(new TextDecoder().decode(await inflate(fromBase64(text)))) as ReplayHeader;
  if (header.format !== "slipstick-replay 2") throw new Error(`this page cannot show the format ${header.format}`);
  return header;
}

// zlib's format.
export async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; ++index) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

export function rangesOf(counts: readonly number[]): BlockRange[] {
  let first = 0;
  return counts.map((count) => {
    const range = { first, count };
    first += count;
    return range;
  });
}

// A replay inside the page: one line of base64 for the header, one for each block.
export class EmbeddedSource implements ReplaySource {
  private constructor(
    readonly header: ReplayHeader,
    readonly times: ArrayLike<number>,
    readonly blocks: readonly BlockRange[],
    readonly facts: ReplayFacts,
    private readonly lines: readonly string[],
  ) {}

  static async open(text: string, times: ArrayLike<number>, frames: readonly number[], facts: ReplayFacts): Promise<EmbeddedSource> {
    const [header = "", ...lines] = text.split("\n");
    return new EmbeddedSource(await headerOf(header), times, rangesOf(frames), facts, lines);
  }

  async load(block: number): Promise<ReplayBlock> {
    return decodeBlock(await inflate(fromBase64(this.lines[block] ?? "")), this.header, this.blocks[block]?.first ?? 0);
  }
}
