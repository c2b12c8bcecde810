// What src/output/report.cpp embeds into the page, and how its number arrays are packed.

export interface SeriesData {
  name: string;
  y: number; // index into ReportData.arrays
}

export interface PlotData {
  title: string;
  caption: string;
  x_label: string;
  y_label: string;
  x: number; // index into ReportData.arrays
  series: SeriesData[];
  log_y: boolean;
  log_x: boolean;
  small: boolean; // one of many of a kind, which are compared
  steps: boolean; // a value holds until the next x
  y_min: number | null;
  y_max: number | null;
  samples: number; // before thinning
}

export interface TableData {
  title: string;
  caption: string;
  columns: string[];
  rows: string[][];
}

export interface SectionData {
  title: string;
  text: string;
  plots: PlotData[];
  tables: TableData[];
}

// The frames themselves stand in an element of class replay-data, in the same order.
export interface ReplayData {
  label: string;
  times: number; // index into ReportData.arrays
  frames: number[]; // of each block
  stride: number;
  has_contacts: boolean;
  lacks_contacts: boolean; // bodies touched, but contacts were not recorded
}

// A parameter of the scene that can be changed while the run goes on.
export interface LiveParameterData {
  name: string;
  unit: string;
  least: number;
  most: number;
  value: number;
}

// The run goes on while the page is open.
export interface LiveData {
  step: number; // s
  duration: number;
  parameters: LiveParameterData[];
}

export interface ReportData {
  title: string;
  subtitle: string;
  verdict: string;
  passed: boolean;
  facts: [string, string][];
  arrays: string[];
  sections: SectionData[];
  replays: ReplayData[];
  live: LiveData | null;
  time_label: string; // x_label of the plots that move with the replays
}

// "f4:" or "f8:" followed by little-endian floats in base64.
export function decodeArray(text: string): Float32Array | Float64Array {
  const bytes = Uint8Array.from(atob(text.slice(3)), (character) => character.charCodeAt(0));
  switch (text.slice(0, 3)) {
    case "f4:":
      return new Float32Array(bytes.buffer);
    case "f8:":
      return new Float64Array(bytes.buffer);
    default:
      throw new Error("unknown packing of an array");
  }
}

// The plot library draws a gap where the value is null.
export function gapsAsNull(values: ArrayLike<number>, drawable: (value: number) => boolean): (number | null)[] {
  return Array.from(values, (value) => (drawable(value) ? value : null));
}
