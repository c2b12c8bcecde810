// What an axis shows, given the extremes of the data.

type Range = [number, number];

// A flat line stands in the middle of a range that says how large it is.
function around(value: number): Range {
  const half = value === 0 ? 1 : Math.abs(value) * 0.1;
  return [value - half, value + half];
}

export function rangeOfX(least: number | null, most: number | null): Range {
  if (least === null || most === null) return [0, 1];
  return least === most ? around(least) : [least, most];
}

export function rangeOfY(least: number | null, most: number | null, fixedLeast: number | null, fixedMost: number | null): Range {
  if (least === null || most === null) return [fixedLeast ?? 0, fixedMost ?? Math.max(1, (fixedLeast ?? 0) + 1)];
  const [low, high] = least === most ? around(least) : [least, most];
  const margin = 0.06 * (high - low);
  const range: Range = [fixedLeast ?? low - margin, fixedMost ?? high + margin];
  // the data lie wholly beyond the one bound that is given
  if (!(range[0] < range[1])) return fixedLeast !== null ? [range[0], range[0] + 1] : [range[1] - 1, range[1]];
  return range;
}

// Whole decades, at least one.
export function rangeOfLogY(least: number | null, most: number | null, fixedLeast: number | null, fixedMost: number | null): Range {
  const low = fixedLeast !== null && fixedLeast > 0 ? fixedLeast : 10 ** Math.floor(Math.log10(least ?? 1) + 1e-9);
  const high = fixedMost !== null && fixedMost > 0 ? fixedMost : 10 ** Math.ceil(Math.log10(most ?? 10) - 1e-9);
  return low < high ? [low, high] : [low, low * 10];
}
