import "uplot/dist/uPlot.min.css";
import "./report.css";
import { ReportData, SectionData } from "./data";
import { element, paragraphs } from "./element";
import { themeFor } from "./palette";
import { PlotFigure } from "./plot";
import { tableFigure } from "./table";

const report = JSON.parse(document.getElementById("report-data")?.textContent ?? "{}") as ReportData;
const darkMode = window.matchMedia("(prefers-color-scheme: dark)");
const figures: PlotFigure[] = [];
let tableCount = 0;

function header(): HTMLElement {
  const verdict = element(
    "p",
    report.passed ? "verdict good" : "verdict bad",
    element("span", "verdict-mark", report.passed ? "✓" : "✗"),
    element("span", "", report.verdict),
  );
  const facts = element("dl", "facts");
  for (const [name, value] of report.facts) {
    facts.append(element("div", "fact", element("dt", "", name), element("dd", "", value)));
  }
  return element(
    "header",
    "",
    element("h1", "", report.title),
    element("p", "subtitle", report.subtitle),
    ...(report.verdict ? [verdict] : []),
    ...(report.facts.length > 0 ? [facts] : []),
  );
}

function sectionElement(data: SectionData, index: number): HTMLElement {
  const plots = data.plots.map((plot) => {
    const figure = new PlotFigure(plot, report, figures.length + 1, themeFor(darkMode.matches));
    figures.push(figure);
    return figure.root;
  });
  const tables = data.tables.map((table) => tableFigure(table, ++tableCount));
  const body = element("div", "body");
  if (plots.length > 0) body.append(element("div", "plots", ...plots));
  if (tables.length > 0) body.append(element("div", "tables", ...tables));
  body.classList.toggle("beside", plots.length > 0 && tables.length > 0);
  const section = element("section", "", element("h2", "", data.title), ...paragraphs(data.text, "lead"), body);
  section.id = `section-${index + 1}`;
  return section;
}

function navigation(sections: HTMLElement[]): HTMLElement {
  const links = report.sections.map((section, index) => {
    const link = element("a", "", section.title);
    link.href = `#section-${index + 1}`;
    return link;
  });
  const nav = element("nav", "", ...links);
  nav.setAttribute("aria-label", "Sections");
  // marks the section that stands in the upper part of the window
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        const current = sections.indexOf(entry.target as HTMLElement);
        links.forEach((link, index) => {
          if (index === current) link.setAttribute("aria-current", "true");
          else link.removeAttribute("aria-current");
        });
      }
    },
    { rootMargin: "-15% 0px -70% 0px" },
  );
  sections.forEach((section) => observer.observe(section));
  return nav;
}

const sections = report.sections.map(sectionElement);
const main = element("main", "", header(), ...sections);
const footer = element("footer", "", "Drag in a figure to zoom, double-click to see all of it, click a name in a legend to hide its curve.");
main.append(footer);
document.body.append(...(sections.length > 1 ? [navigation(sections)] : []), main);
document.body.classList.toggle("with-nav", sections.length > 1);
figures.forEach((figure) => figure.draw());

const applyTheme = (dark: boolean) => figures.forEach((figure) => figure.setTheme(themeFor(dark)));
darkMode.addEventListener("change", () => applyTheme(darkMode.matches));
// paper is white whatever the screen was
window.addEventListener("beforeprint", () => applyTheme(false));
window.addEventListener("afterprint", () => applyTheme(darkMode.matches));
