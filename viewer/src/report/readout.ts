import uPlot from "uplot";
import { element } from "./element";
import { formatValue } from "./number";
import { swatch } from "./swatch";

export interface SeriesLook {
  name: string;
  colour: string;
  dash: readonly number[];
}

// Largest minus smallest value of a column.
function spreadOf(column: ArrayLike<number | null | undefined>): number {
  let least = Infinity;
  let most = -Infinity;
  for (let index = 0; index < column.length; ++index) {
    const value = column[index];
    if (value === null || value === undefined) continue;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return most > least ? most - least : 0;
}

// The box beside the cursor that tells x and every visible series' value there.
export class Readout {
  private readonly box = element("div", "readout");
  private spreads: number[] | undefined; // of x and each series

  constructor(
    private readonly xLabel: string,
    private readonly lookOf: (series: number) => SeriesLook,
  ) {
    this.box.hidden = true;
  }

  attach(plot: uPlot): void {
    plot.over.append(this.box);
  }

  // The data are others now.
  forget(): void {
    this.spreads = undefined;
  }

  update(plot: uPlot): void {
    const { left, idx } = plot.cursor;
    const x = idx === null || idx === undefined ? undefined : plot.data[0][idx];
    if (left === undefined || left < 0 || x === undefined || x === null) {
      this.box.hidden = true;
      return;
    }
    const spreads = (this.spreads ??= plot.data.map(spreadOf));
    const rows: HTMLElement[] = [element("div", "readout-x", `${this.xLabel || "x"} = ${formatValue(x, spreads[0] ?? 0)}`)];
    for (let series = 1; series < plot.series.length; ++series) {
      if (plot.series[series]?.show === false) continue;
      const index = plot.cursor.idxs?.[series] ?? idx;
      const value = index === null || index === undefined ? null : plot.data[series]?.[index];
      const look = this.lookOf(series - 1);
      const text = value === null || value === undefined ? "–" : formatValue(value, spreads[series] ?? 0);
      rows.push(
        element(
          "div",
          "readout-row",
          swatch(look.colour, look.dash),
          element("span", "readout-name", look.name),
          element("span", "readout-value", text),
        ),
      );
    }
    this.box.replaceChildren(...rows);
    this.box.hidden = false;
    // on the side of the cursor that has room
    const width = plot.over.clientWidth;
    const onLeft = left > width / 2;
    this.box.style.left = onLeft ? "" : `${left + 12}px`;
    this.box.style.right = onLeft ? `${width - left + 12}px` : "";
  }
}
