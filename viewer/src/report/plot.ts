import uPlot from "uplot";
import { decodeArray, gapsAsNull, PlotData, ReportData } from "./data";
import { element, paragraphs } from "./element";
import { formatDecade, formatTicks } from "./number";
import { assignLooks, seriesColour, seriesDash, Theme } from "./palette";
import { rangeOfLogY, rangeOfX, rangeOfY } from "./range";
import { Readout, SeriesLook } from "./readout";
import { swatch } from "./swatch";

const font = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

// One numbered figure: heading, legend, canvas, caption.
export class PlotFigure {
  readonly root: HTMLElement;
  private readonly holder = element("div", "plot-holder");
  private readonly legend = element("div", "legend");
  private readonly reset = element("button", "reset", "Reset zoom");
  private readonly readout: Readout;
  private columns: uPlot.AlignedData = [[]];
  private logarithmic = false;
  private readonly shown: boolean[];
  private readonly looks: number[]; // colour and dash of each series
  private plot: uPlot | undefined;
  private resizing: ResizeObserver | undefined;
  onTime: ((time: number) => void) | undefined; // set: a click in the plot, or its marker dragged, asks for a time
  private readonly marker = element("div", "time-marker", element("div", "time-handle"));
  private markedTime: number | undefined;
  private full: { min: number; max: number } | undefined; // of x, before any zooming

  constructor(
    private readonly data: PlotData,
    report: ReportData,
    number: number,
    private theme: Theme,
  ) {
    const x = Array.from(decodeArray(report.arrays[data.x] ?? "f8:"));
    const raw = data.series.map((series) => decodeArray(report.arrays[series.y] ?? "f8:"));
    this.take(x, raw);
    this.shown = data.series.map(() => true);
    this.looks = assignLooks(data.series.map((series) => series.name));
    this.readout = new Readout(data.x_label, (series) => this.lookOf(series));

    const heading = element("h3", "", element("span", "number", `Figure ${number}`), " ", data.title);
    this.reset.type = "button";
    this.reset.hidden = true;
    this.reset.addEventListener("click", () => this.resetZoom());
    this.holder.setAttribute("role", "img");
    this.holder.setAttribute("aria-label", `Figure ${number}: ${data.title}. ${data.caption}`);
    this.root = element(
      "figure",
      "plot",
      element("div", "figure-head", heading, this.reset),
      this.legend,
      element("div", "y-label", data.y_label),
      this.holder,
      element("figcaption", "", ...paragraphs(data.caption, ""), ...this.thinningNote(x.length)),
    );
  }

  // Draws for the first time; the figure must be in the page, because its width counts.
  draw(): void {
    this.drawLegend();
    if (this.columns[0].length === 0 || this.data.series.length === 0) {
      this.holder.append(element("p", "no-data", "No data."));
      return;
    }
    this.plot = new uPlot(this.options(), this.columns, this.holder);
    this.resizing ??= new ResizeObserver(() => this.plot?.setSize(this.size()));
    this.resizing.observe(this.holder);
  }

  // Other data, of a run that goes on. What was zoomed into stays.
  setData(x: number[], raw: readonly ArrayLike<number>[]): void {
    const wasLogarithmic = this.logarithmic;
    this.take(x, raw);
    this.readout.forget();
    if (x.length === 0) return;
    if (this.plot && wasLogarithmic !== this.logarithmic) {
      this.plot.destroy();
      this.plot = undefined;
    }
    if (!this.plot) {
      this.holder.replaceChildren();
      this.full = undefined;
      this.draw();
      if (this.markedTime !== undefined) this.setTime(this.markedTime);
      return;
    }
    const isZoomed = !this.reset.hidden;
    this.full = isZoomed ? { min: x[0] ?? 0, max: x[x.length - 1] ?? 1 } : undefined;
    this.plot.setData(this.columns, !isZoomed);
    if (isZoomed) this.plot.redraw();
  }

  get seriesCount(): number {
    return this.data.series.length;
  }

  get isLogarithmic(): boolean {
    return this.data.log_y;
  }

  get xLabel(): string {
    return this.data.x_label;
  }

  // Marks a time of the replay.
  setTime(time: number): void {
    this.markedTime = time;
    if (!this.marker.isConnected) this.plot?.over.append(this.marker);
    this.placeMarker();
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.drawLegend();
    this.plot?.redraw(true, true);
  }

  private take(x: number[], raw: readonly ArrayLike<number>[]): void {
    // a logarithmic axis without a positive value would show nothing at all
    this.logarithmic = this.data.log_y && raw.some((values) => Array.prototype.some.call(values, (value: number) => value > 0));
    const drawable = this.logarithmic ? (value: number) => value > 0 && isFinite(value) : isFinite;
    this.columns = [x, ...raw.map((values) => gapsAsNull(values, drawable))];
  }

  private look(series: number): number {
    return this.looks[series] ?? series;
  }

  private lookOf(series: number): SeriesLook {
    return {
      name: this.data.series[series]?.name ?? "",
      colour: seriesColour(this.theme, this.look(series)),
      dash: seriesDash(this.look(series)),
    };
  }

  private thinningNote(drawn: number): HTMLElement[] {
    if (drawn === this.data.samples) return [];
    const count = (value: number) => value.toLocaleString("en");
    return [element("p", "note", `Drawn from ${count(drawn)} of ${count(this.data.samples)} samples; every extreme is kept.`)];
  }

  private drawLegend(): void {
    const items = this.data.series.map((_, series) => {
      const look = this.lookOf(series);
      const item = element("button", "legend-item", swatch(look.colour, look.dash), element("span", "", look.name));
      item.type = "button";
      item.title = "Show or hide this curve";
      item.setAttribute("aria-pressed", String(this.shown[series]));
      item.addEventListener("click", () => {
        this.shown[series] = !this.shown[series];
        item.setAttribute("aria-pressed", String(this.shown[series]));
        this.plot?.setSeries(series + 1, { show: this.shown[series] ?? true });
      });
      return item;
    });
    this.legend.replaceChildren(...items);
  }

  private size(): { width: number; height: number } {
    const width = Math.max(200, this.holder.clientWidth);
    const [least, most] = this.data.small ? [150, 220] : [230, 360];
    return { width, height: Math.round(Math.min(most, Math.max(least, width * 0.5))) };
  }

  private resetZoom(): void {
    if (this.full) this.plot?.setScale("x", this.full);
  }

  private options(): uPlot.Options {
    const { data } = this;
    const stepped = data.steps ? uPlot.paths.stepped?.({ align: 1 }) : undefined;
    const axis: uPlot.Axis = {
      font,
      labelFont: font,
      stroke: () => this.theme.faint,
      grid: { stroke: () => this.theme.grid, width: 1 },
      ticks: { stroke: () => this.theme.grid, width: 1, size: 5 },
    };
    return {
      ...this.size(),
      legend: { show: false },
      padding: [12, 14, 0, 0],
      scales: {
        x: { time: false, distr: data.log_x ? 3 : 1, range: (_plot, least, most) => rangeOfX(least, most) },
        y: {
          distr: this.logarithmic ? 3 : 1,
          range: (_plot, least, most) =>
            this.logarithmic
              ? rangeOfLogY(least, most, data.y_min, data.y_max)
              : rangeOfY(least, most, data.y_min, data.y_max),
        },
      },
      axes: [
        {
          ...axis,
          ...(data.log_x ? { filter: decadesOnly, grid: { ...axis.grid, filter: decadesOnly }, ticks: { ...axis.ticks, filter: decadesOnly } } : {}),
          label: data.x_label,
          labelSize: data.x_label ? 22 : 0,
          size: 34,
          space: 70,
          values: (_plot, ticks, _axis, _space, increment) => (data.log_x ? ticks.map(formatDecade) : formatTicks(ticks, increment)),
        },
        {
          ...axis,
          ...(this.logarithmic ? { filter: decadesOnly, grid: { ...axis.grid, filter: decadesOnly }, ticks: { ...axis.ticks, filter: decadesOnly } } : {}),
          size: (plot, labels) => this.widthOfLabels(plot, labels),
          values: (_plot, ticks, _axis, _space, increment) =>
            this.logarithmic ? ticks.map(formatDecade) : formatTicks(ticks, increment),
        },
      ],
      series: [
        {},
        ...data.series.map((series, index) => ({
          label: series.name,
          scale: "y",
          width: 1.8,
          ...(stepped ? { paths: stepped } : {}),
          dash: seriesDash(this.look(index)),
          stroke: () => seriesColour(this.theme, this.look(index)),
          points: {
            size: 6,
            space: 18,
            fill: () => seriesColour(this.theme, this.look(index)),
            filter: (plot: uPlot, column: number, show: boolean) => (show ? null : isolatedPoints(plot, column)),
          },
        })),
      ],
      cursor: {
        y: false,
        points: { size: 8, fill: (_plot, column) => seriesColour(this.theme, this.look(column - 1)) },
        drag: { x: true, y: true, uni: 40, dist: 4 },
        // hovering is shared by all plots over the same quantity; zooming stays with the plot it was done in
        sync: {
          key: data.x_label,
          setSeries: false,
          scales: ["x", null],
          filters: { pub: (type) => type === "mousemove" || type === "mouseleave" },
        },
      },
      hooks: {
        init: [(plot) => this.readout.attach(plot), (plot) => this.listenForTime(plot)],
        draw: [() => this.placeMarker()],
        setCursor: [
          (plot) => {
            this.readout.update(plot);
            this.root.dataset.cursor = String(plot.cursor.idx ?? "");
          },
        ],
        setScale: [(plot, scale) => scale === "x" && this.noteZoom(plot)],
      },
    };
  }

  private placeMarker(): void {
    const { plot, markedTime } = this;
    const { min, max } = plot?.scales.x ?? {};
    // times may be rounded on their way into the page
    const slack = 1e-6 * ((max ?? 0) - (min ?? 0));
    const isSeen =
      plot && markedTime !== undefined && min !== undefined && max !== undefined && markedTime >= min - slack && markedTime <= max + slack;
    this.marker.hidden = !isSeen;
    this.root.dataset.time = isSeen ? String(markedTime) : "";
    if (isSeen) this.marker.style.transform = `translateX(${plot.valToPos(markedTime, "x")}px)`;
  }

  private listenForTime(plot: uPlot): void {
    const { over } = plot;
    const ask = (clientX: number) => this.onTime?.(plot.posToVal(clientX - over.getBoundingClientRect().left, "x"));
    let start: number | undefined;
    over.addEventListener("mousedown", (event) => (start = event.button === 0 ? event.clientX : undefined));
    over.addEventListener("mouseup", (event) => {
      // what moved is a zoom
      if (start !== undefined && Math.abs(event.clientX - start) < 4) ask(event.clientX);
      start = undefined;
    });
    const handle = this.marker.firstElementChild as HTMLElement;
    handle.addEventListener("mousedown", (event) => event.stopPropagation());
    handle.addEventListener("pointerdown", (event) => handle.setPointerCapture(event.pointerId));
    handle.addEventListener("pointermove", (event) => handle.hasPointerCapture(event.pointerId) && ask(event.clientX));
  }

  private noteZoom(plot: uPlot): void {
    const { min, max } = plot.scales.x ?? {};
    if (min === undefined || max === undefined) return;
    this.full ??= { min, max };
    this.reset.hidden = min === this.full.min && max === this.full.max;
    this.root.dataset.xMin = String(min);
    this.root.dataset.xMax = String(max);
  }

  private widthOfLabels(plot: uPlot, labels: string[] | null): number {
    plot.ctx.save();
    plot.ctx.font = font;
    const widest = (labels ?? []).reduce((most, label) => Math.max(most, plot.ctx.measureText(label).width), 0);
    plot.ctx.restore();
    return Math.ceil(widest) + 16;
  }
}

const mostDecades = 9; // labels that stand one above the other without touching

// Lines at the powers of ten only, and of many decades at every second, third, …: more would be louder than the curves.
function decadesOnly(_plot: uPlot, splits: number[]): (number | null)[] {
  const exponents = splits.map((value) => Math.log10(value));
  const every = Math.ceil((Math.max(...exponents) - Math.min(...exponents) + 1) / mostDecades);
  return exponents.map((exponent, index) => {
    const whole = Math.round(exponent);
    return Math.abs(exponent - whole) < 1e-6 && whole % every === 0 ? splits[index]! : null;
  });
}

// A value between two gaps has no line to either side; without a dot it would be invisible.
function isolatedPoints(plot: uPlot, column: number): number[] | null {
  const values = plot.data[column] ?? [];
  const isolated: number[] = [];
  for (let index = 0; index < values.length; ++index) {
    const absent = (neighbour: number) => values[neighbour] === null || values[neighbour] === undefined;
    if (!absent(index) && absent(index - 1) && absent(index + 1)) isolated.push(index);
  }
  return isolated.length > 0 ? isolated : null;
}
