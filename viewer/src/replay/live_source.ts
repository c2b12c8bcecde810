// A replay that grows while a run goes on: frames and rows for the plots come from the page's own server, as
// docs/file-formats.md, "Live", has it. The server keeps the newest frames alone, so a slow page misses some.
import { decodeBlock, ReplayBlock } from "./decode";
import { BlockRange, headerOf, inflate, ReplayFacts, ReplayHeader, ReplaySource } from "./source";

export interface LiveChange {
  time: number;
  name: string;
  unit: string;
  from: number;
  to: number;
}

export interface LiveStatus {
  phase: "ready" | "running" | "paused" | "ended" | "gone"; // gone: the program cannot be reached any more
  note: string;
  verdict: string;
  passed: boolean;
  changes: LiveChange[]; // the last ones
  change_count: number;
  values: Record<string, number>;
}

interface News {
  version: number;
  first_row: number;
  rows: number[][];
  frames: number;
  next: number;
  status: LiveStatus;
}

const mostBytes = 200_000_000; // of packed frames; the oldest are forgotten
const mostFailures = 4;

// Or a while, in a page behind others, where none is drawn: the run goes on alone if nobody asks.
function nextPicture(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => resolve());
    setTimeout(resolve, 200);
  });
}

export class LiveSource implements ReplaySource {
  readonly times: number[] = [];
  readonly blocks: BlockRange[] = [];
  readonly facts: ReplayFacts = { stride: 1, hasContacts: true, lacksContacts: false };
  readonly rows: number[][] = []; // that were not taken yet
  first = 0; // frame that is still here
  status: LiveStatus = { phase: "ready", note: "", verdict: "", passed: false, changes: [], change_count: 0, values: {} };
  private readonly packed: (Uint8Array<ArrayBuffer> | undefined)[] = [];
  private bytes = 0;
  private oldest = 0; // block
  private next = 0;
  private version = -1;

  private constructor(readonly header: ReplayHeader) {}

  // With the first frame.
  static async open(text: string): Promise<LiveSource> {
    const source = new LiveSource(await headerOf(text.split("\n")[0] ?? ""));
    while (source.times.length === 0) await source.fetchNews();
    return source;
  }

  // Asks for news for ever, as often as pictures are drawn; calls after each answer.
  async follow(onNews: () => void): Promise<void> {
    let failures = 0;
    while (failures < mostFailures) {
      try {
        await this.fetchNews();
        failures = 0;
      } catch {
        ++failures;
        await new Promise((resolve) => setTimeout(resolve, 300));
        continue;
      }
      onNews();
      await nextPicture();
    }
    if (this.status.phase !== "ended") this.status = { ...this.status, phase: "gone" };
    onNews();
  }

  async send(wish: Record<string, string | number>): Promise<void> {
    await fetch("live/control", { method: "POST", body: JSON.stringify(wish) }).catch(() => undefined);
  }

  async load(block: number): Promise<ReplayBlock> {
    const packed = this.packed[block];
    if (!packed) throw new Error("these frames are kept no longer");
    return decodeBlock(await inflate(packed), this.header, this.blocks[block]?.first ?? 0);
  }

  private async fetchNews(): Promise<void> {
    const response = await fetch(`live/news?from=${this.next}&version=${this.version}`);
    if (!response.ok) throw new Error(String(response.status));
    const bytes = new Uint8Array(await response.arrayBuffer());
    const length = new DataView(bytes.buffer).getUint32(0, true);
    const news = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))) as News;
    this.next = news.next;
    this.version = news.version;
    this.status = news.status;
    // one by one: a page that comes late gets more than a call can take
    for (const row of news.rows) this.rows.push(row);
    if (news.frames > 0) this.keep(bytes.slice(4 + length), news);
  }

  private keep(packed: Uint8Array<ArrayBuffer>, news: News): void {
    this.blocks.push({ first: this.times.length, count: news.frames });
    this.times.push(...news.rows.slice(news.rows.length - news.frames).map((row) => row[0] ?? 0));
    this.packed.push(packed);
    this.bytes += packed.length;
    while (this.bytes > mostBytes && this.oldest + 1 < this.packed.length) {
      this.bytes -= this.packed[this.oldest]?.length ?? 0;
      this.packed[this.oldest] = undefined;
      this.first = this.blocks[++this.oldest]?.first ?? 0;
    }
  }
}
