import * as THREE from "three";
import { looksKnown, seriesColour, themeFor } from "../report/palette";

export interface StageColours {
  background: string;
  ground: string;
  grid: string;
  edge: string;
  outline: string; // edges of boxes and hulls
  still: string; // shapes of the world
  chosen: string;
  states: readonly [string, string, string]; // stick, slip, roll
}

// Okabe and Ito's, as in the plots.
const light: StageColours = {
  background: "#eef1f4",
  ground: "#dcdfe2",
  grid: "#b9c1c9",
  edge: "#8c97a3",
  outline: "#20262c",
  still: "#b7bec6",
  chosen: "#F0C000",
  states: ["#0072B2", "#D55E00", "#009E73"],
};
const dark: StageColours = {
  background: "#12171c",
  ground: "#2b333c",
  grid: "#434d58",
  edge: "#77838f",
  outline: "#05070a",
  still: "#6b7681",
  chosen: "#F0E442",
  states: ["#56B4E9", "#E8722A", "#00B886"],
};

export function stageColours(isDark: boolean): StageColours {
  return isDark ? dark : light;
}

// A body has the colour of its curve where it has one; of many, stones.
export function bodyColours(names: readonly string[], isDark: boolean, still: string): THREE.Color[] {
  const theme = themeFor(isDark);
  const fewEnough = names.length <= 40;
  return names.map((name, index) => {
    const look = looksKnown(name);
    if (fewEnough) {
      const hex = seriesColour(theme, look ?? index % theme.series.length);
      // the black and the white of curves would hide light and shade on a body
      const colour = new THREE.Color(/^#(000000|ffffff)$/i.test(hex) ? "#8a7355" : hex);
      return colour.lerp(new THREE.Color(still), 0.12);
    }
    // a hash, so that neighbours differ and a stone keeps its tone
    const noise = ((Math.imul(index + 1, 2654435761) >>> 8) % 1000) / 1000;
    return new THREE.Color().setHSL(0.08 + 0.035 * noise, 0.2 + 0.12 * noise, (isDark ? 0.5 : 0.58) + 0.16 * (noise - 0.5));
  });
}

// Viridis (van der Walt and Smith), which rises evenly in lightness for every kind of colour vision.
const viridis = ["#440154", "#472c7a", "#3b518b", "#2c718e", "#21908d", "#27ad81", "#5cc863", "#aadc32", "#fde725"].map(
  (hex) => new THREE.Color(hex),
);

export function onScale(part: number, into: THREE.Color): THREE.Color {
  const place = Math.min(1, Math.max(0, part)) * (viridis.length - 1);
  const index = Math.min(viridis.length - 2, Math.floor(place));
  const low = viridis[index];
  const high = viridis[index + 1];
  return low && high ? into.lerpColors(low, high, place - index) : into;
}

export const scaleGradient = `linear-gradient(to right, ${viridis.map((colour) => `#${colour.getHexString()}`).join(", ")})`;
