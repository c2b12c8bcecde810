// A short stroke in a series' colour and dash, for legends and read-outs.
export function swatch(colour: string, dash: readonly number[]): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 26 8");
  svg.setAttribute("class", "swatch");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
  for (const [name, value] of Object.entries({ x1: 1, y1: 4, x2: 25, y2: 4 })) line.setAttribute(name, String(value));
  line.setAttribute("stroke", colour);
  line.setAttribute("stroke-width", "2.2");
  line.setAttribute("stroke-dasharray", dash.join(" "));
  svg.append(line);
  return svg;
}
