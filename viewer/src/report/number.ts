// Numbers as a reader of figures wants them: a proper minus, powers of ten as superscripts, no noise digits.

const superscripts: Record<string, string> = {
  "-": "⁻",
  "0": "⁰",
  "1": "¹",
  "2": "²",
  "3": "³",
  "4": "⁴",
  "5": "⁵",
  "6": "⁶",
  "7": "⁷",
  "8": "⁸",
  "9": "⁹",
};

function power(exponent: number): string {
  return "10" + Array.from(String(exponent), (character) => superscripts[character] ?? character).join("");
}

function withMinus(text: string): string {
  return text.replace("-", "−");
}

function scientific(value: number, decimals: number, trim: boolean): string {
  const [mantissa = "", exponent = "0"] = value.toExponential(decimals).split("e");
  const digits = trim && mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  const scale = power(Number(exponent));
  if (digits === "1") return scale;
  if (digits === "-1") return "−" + scale;
  return withMinus(digits) + "·" + scale;
}

// A value read off a curve: six digits, or as many more as it takes to see a change of the given spread.
export function formatValue(value: number, spread: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  const offset = spread > 0 ? Math.ceil(Math.log10(size / spread)) : 0;
  const digits = Math.min(15, Math.max(6, 4 + offset));
  if (size < 1e-4 || (size >= 1e6 && digits === 6)) return scientific(value, 4, true);
  return withMinus(String(Number(value.toPrecision(digits))));
}

// The labels of one axis, with just the decimals that its increment needs. On a logarithmic axis the library leaves
// null where no label shall stand.
export function formatTicks(ticks: readonly (number | null)[], increment: number): string[] {
  const largest = ticks.reduce<number>((most, tick) => Math.max(most, Math.abs(tick ?? 0)), 0);
  // a ripple on a large offset has so many digits that a power of ten would only lengthen them
  const useScientific = (largest >= 1e6 && increment > largest * 1e-4) || (largest > 0 && largest < 1e-3);
  return ticks.map((tick) => {
    if (tick === null) return "";
    // 0.1 + 0.2 − 0.3 is a zero on an axis
    if (Math.abs(tick) < increment * 1e-6) return "0";
    if (useScientific) {
      const decimals = Math.floor(Math.log10(Math.abs(tick))) - Math.floor(Math.log10(increment) + 1e-9);
      return scientific(tick, Math.min(12, Math.max(0, decimals) + 1), true);
    }
    const decimals = Math.min(12, Math.max(0, -Math.floor(Math.log10(increment) + 1e-9)));
    // increments such as 0.25 need one more decimal than their power of ten
    const exact = Math.abs(increment * 10 ** decimals - Math.round(increment * 10 ** decimals)) < 1e-6;
    return withMinus(tick.toFixed(exact ? decimals : decimals + 1));
  });
}

export function formatDecade(tick: number | null): string {
  if (tick === null) return "";
  if (tick >= 0.01 && tick <= 1000) return String(Number(tick.toPrecision(3)));
  return scientific(tick, 2, true);
}
