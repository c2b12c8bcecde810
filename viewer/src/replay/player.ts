import type { ReplayBlock } from "./decode";
import type { ReplaySource } from "./source";

// One frame of a block that is unpacked.
export interface FrameView {
  frame: number;
  time: number;
  block: ReplayBlock;
  index: number; // of the frame in its block
}

// Numbers of all unpacked blocks together; a block of a large replay has some two million.
const mostNumbers = 16_000_000;

// Keeps the time of a replay: which frame is shown, and whether it runs. Blocks are unpacked when they are needed.
export class Player {
  frame = 0;
  playing = false;
  speed = 1;
  private readonly blocks = new Map<number, ReplayBlock>(); // the one used last comes last
  private readonly loading = new Map<number, Promise<ReplayBlock>>();
  private anchor = { clock: 0, time: 0 };
  private waiting = false; // for a block

  constructor(
    readonly source: ReplaySource,
    private readonly onFrame: (view: FrameView) => void,
    private readonly onState: () => void,
    private readonly onFailure: (reason: string) => void,
  ) {}

  get count(): number {
    return this.source.times.length;
  }

  timeOf(frame: number): number {
    return this.source.times[frame] ?? 0;
  }

  get time(): number {
    return this.timeOf(this.frame);
  }

  // The last frame that is not after the time.
  frameAt(time: number): number {
    let low = 0;
    let high = this.count - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      // so that a time that was rounded on its way finds its own frame
      if (this.timeOf(middle) <= time + 1e-6 * Math.abs(time) + 1e-12) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  get first(): number {
    return this.source.first ?? 0;
  }

  seek(frame: number): void {
    this.frame = Math.min(this.count - 1, Math.max(this.first, Math.round(frame)));
    this.anchor = { clock: performance.now(), time: this.time };
    this.show();
  }

  seekTime(time: number): void {
    const before = this.frameAt(time);
    const after = Math.min(before + 1, this.count - 1);
    this.seek(this.timeOf(after) - time < time - this.timeOf(before) ? after : before);
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.anchor = { clock: performance.now(), time: this.time };
  }

  play(): void {
    if (this.playing || this.count < 2) return;
    if (this.frame >= this.count - 1) this.seek(this.first);
    this.playing = true;
    this.anchor = { clock: performance.now(), time: this.time };
    this.onState();
    requestAnimationFrame(() => this.tick());
  }

  pause(): void {
    if (!this.playing) return;
    this.playing = false;
    this.onState();
  }

  // The frame if its block is unpacked; asked for frames beyond the ends it has none.
  view(frame: number): FrameView | undefined {
    const number = this.blockOf(frame);
    const block = number < 0 ? undefined : this.blocks.get(number);
    return block && { frame, time: this.timeOf(frame), block, index: frame - block.first };
  }

  async load(number: number): Promise<ReplayBlock> {
    const known = this.blocks.get(number);
    if (known) {
      this.blocks.delete(number);
      this.blocks.set(number, known);
      return known;
    }
    let promise = this.loading.get(number);
    if (!promise) {
      promise = this.source.load(number).finally(() => this.loading.delete(number));
      this.loading.set(number, promise);
    }
    const block = await promise;
    this.blocks.set(number, block);
    this.forget();
    return block;
  }

  // So that the frame can be shown at once.
  async loadAt(frame: number): Promise<void> {
    for (const near of [frame, Math.min(frame + 1, this.count - 1)]) await this.load(this.blockOf(near));
  }

  private blockOf(frame: number): number {
    const { blocks } = this.source;
    if (frame < 0 || frame >= this.count) return -1;
    let low = 0;
    let high = blocks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((blocks[middle]?.first ?? 0) <= frame) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  private forget(): void {
    let numbers = 0;
    for (const block of this.blocks.values()) numbers += block.poses.length;
    for (const [number, block] of this.blocks) {
      if (numbers <= mostNumbers || this.blocks.size <= 2) break;
      if (number === this.blockOf(this.frame)) continue;
      numbers -= block.poses.length;
      this.blocks.delete(number);
    }
  }

  private show(): void {
    const frame = this.frame;
    const number = this.blockOf(frame);
    const view = this.view(frame);
    if (view) {
      this.onFrame(view);
    } else if (number >= 0) {
      this.waiting = true;
      this.load(number).then(
        () => {
          this.waiting = false;
          this.anchor = { clock: performance.now(), time: this.time };
          // another frame may have been asked for meanwhile
          const late = this.view(this.frame);
          if (late) this.onFrame(late);
        },
        (error: unknown) => this.onFailure(String(error)),
      );
    }
    // the next one is ready when it is needed
    if (this.playing && number + 1 < this.source.blocks.length) this.load(number + 1).catch(() => undefined);
  }

  private tick(): void {
    if (!this.playing) return;
    if (!this.waiting) {
      const now = this.anchor.time + ((performance.now() - this.anchor.clock) / 1000) * this.speed;
      const frame = this.frameAt(now);
      if (frame !== this.frame) {
        this.frame = frame;
        this.show();
      }
      if (frame >= this.count - 1) {
        this.pause();
        return;
      }
    }
    requestAnimationFrame(() => this.tick());
  }
}
