// Okabe and Ito's colours, which stay apart for every common kind of colour vision; the yellow is left out on white and
// the black on dark. Dashes differ too, so that curves can be told apart in grey print and where they cover each other.

export interface Theme {
  series: string[];
  text: string;
  faint: string;
  grid: string;
  background: string;
}

const light: Theme = {
  series: ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"],
  text: "#3d4650",
  faint: "#66717d",
  grid: "#e7eaee",
  background: "#ffffff",
};

const dark: Theme = {
  series: ["#56B4E9", "#E69F00", "#00B886", "#CC79A7", "#F0E442", "#E8722A", "#FFFFFF"],
  text: "#c9d1d9",
  faint: "#98a2ad",
  grid: "#2a323b",
  background: "#181d23",
};

export const dashes: readonly number[][] = [[], [9, 4], [2, 3], [10, 3, 2, 3], [5, 3], [14, 4], [10, 3, 2, 3, 2, 3], [1, 4]];

export function themeFor(isDark: boolean): Theme {
  return isDark ? dark : light;
}

export function seriesColour(theme: Theme, index: number): string {
  return theme.series[index % theme.series.length] ?? theme.text;
}

export function seriesDash(index: number): number[] {
  return dashes[index % dashes.length] ?? [];
}

// Which look (index of colour and dash) each series of a plot takes. A name that stood in an earlier plot keeps its look,
// so that one curve can be followed through the whole page; others take the first that is free in their plot.
const lookOfName = new Map<string, number>();
export function assignLooks(names: readonly string[]): number[] {
  const taken = new Set<number>();
  const looks = names.map((name) => {
    const known = lookOfName.get(name);
    if (known === undefined || taken.has(known)) return undefined;
    taken.add(known);
    return known;
  });
  return looks.map((look, series) => {
    if (look !== undefined) return look;
    let free = 0;
    while (taken.has(free)) ++free;
    taken.add(free);
    const name = names[series] ?? "";
    if (!lookOfName.has(name)) lookOfName.set(name, free);
    return free;
  });
}

// The look of a name that stood in a plot.
export function looksKnown(name: string): number | undefined {
  return lookOfName.get(name);
}
