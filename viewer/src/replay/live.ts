// A page whose run still goes on.
import type { LiveData } from "../report/data";
import type { PlotFigure } from "../report/plot";
import type { ReportPage } from "../report/page";
import { ReplayFigure } from "./figure";
import { LivePanel } from "./live_panel";
import { LiveSource } from "./live_source";

const mostRows = 6000; // drawn; older ones are joined in pairs
const betweenPlots = 250; // ms

// What the plots over time show, column by column: first the time, then their curves in the order of the page.
class LiveRows {
  private readonly columns: number[][];
  private readonly widths: number[]; // curves of each plot
  private drawn = 0;
  private isNew = false;

  constructor(private readonly figures: readonly PlotFigure[]) {
    this.widths = figures.map((figure) => figure.seriesCount);
    this.columns = Array.from({ length: 1 + this.widths.reduce((sum, width) => sum + width, 0) }, () => []);
  }

  take(rows: number[][]): void {
    for (const row of rows.splice(0)) {
      this.columns.forEach((column, index) => column.push(row[index] ?? NaN));
      this.isNew = true;
    }
    if ((this.columns[0]?.length ?? 0) > mostRows) this.join();
  }

  draw(now: number, isLast: boolean): void {
    if (!this.isNew || (!isLast && now - this.drawn < betweenPlots)) return;
    this.drawn = now;
    this.isNew = false;
    let at = 1;
    this.figures.forEach((figure, index) => {
      const width = this.widths[index] ?? 0;
      figure.setData(this.columns[0] ?? [], this.columns.slice(at, at + width));
      at += width;
    });
  }

  // Every two neighbours become one: the later, of residuals the larger.
  private join(): void {
    const logarithmic: boolean[] = [false];
    this.figures.forEach((figure, index) => {
      for (let curve = 0; curve < (this.widths[index] ?? 0); ++curve) logarithmic.push(figure.isLogarithmic);
    });
    this.columns.forEach((column, index) => {
      const half = column.length >> 1;
      for (let pair = 0; pair < half; ++pair) {
        const [a, b] = [column[2 * pair] ?? NaN, column[2 * pair + 1] ?? NaN];
        column[pair] = logarithmic[index] ? Math.max(a, b) : b;
      }
      if (column.length % 2 === 1) column[half] = column[column.length - 1] ?? NaN;
      column.length = half + (column.length % 2);
    });
  }
}

export async function showLive(page: ReportPage, live: LiveData, text: string, section: HTMLElement, linked: readonly PlotFigure[]): Promise<ReplayFigure> {
  const source = await LiveSource.open(text);
  const figure = await ReplayFigure.open(source, page.isDark, {
    isOver: () => source.status.phase === "ended" || source.status.phase === "gone",
    isRunning: () => source.status.phase === "running",
    pause: () => void source.send({ action: "pause" }),
    go: () => void source.send({ action: "continue" }),
    step: (count) => void source.send({ action: "step", count }),
    speed: (value) => void source.send({ action: "speed", value }),
  });
  const panel = new LivePanel(source, live.parameters);
  const rows = new LiveRows(linked);
  figure.onTime = (moment) => linked.forEach((plot) => plot.setTime(moment));
  // the sliders stand above the picture, so that both can be seen at once
  section.append(panel.root, figure.root, panel.changes);
  figure.start(undefined);
  // whoever moves a slider wants to go on without leaving it
  panel.root.addEventListener("keydown", (event) => {
    if (event.key !== " " || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    figure.toggle();
  });
  const update = () => {
    panel.update();
    rows.take(source.rows);
    const isLast = source.status.phase !== "running";
    rows.draw(performance.now(), isLast);
    figure.grow();
    document.title = source.status.phase === "running" ? `▶ ${page.report.title}` : page.report.title;
  };
  update();
  void source.follow(update);
  return figure;
}
