import "uplot/dist/uPlot.min.css";
import "./report.css";
import { ReportData, SectionData } from "./data";
import { element, paragraphs } from "./element";
import { themeFor } from "./palette";
import { PlotFigure } from "./plot";
import { tableFigure } from "./table";

// What stands before the sections of plots, with a link of its own.
export interface LeadingSection {
  title: string;
  root: HTMLElement;
}

const mostColumnsBeside = 5; // a table with more needs the whole width

export class ReportPage {
  readonly report = JSON.parse(document.getElementById("report-data")?.textContent ?? "{}") as ReportData;
  readonly figures: PlotFigure[] = [];
  private readonly darkMode = window.matchMedia("(prefers-color-scheme: dark)");
  private readonly themed: ((dark: boolean, printing: boolean) => void)[] = [];
  private tableCount = 0;

  get isDark(): boolean {
    return this.darkMode.matches;
  }

  // Called when the page turns dark or light, and for paper, which is white whatever the screen was.
  onTheme(action: (dark: boolean, printing: boolean) => void): void {
    this.themed.push(action);
  }

  build(leading: readonly LeadingSection[]): void {
    const sections = this.report.sections.map((data, index) => this.section(data, index));
    const titles = [...leading.map((section) => section.title), ...this.report.sections.map((section) => section.title)];
    const roots = [...leading.map((section) => section.root), ...sections];
    const main = element("main", "", this.header(), ...roots);
    main.append(
      element("footer", "", "Drag in a figure to zoom, double-click to see all of it, click a name in a legend to hide its curve."),
    );
    document.body.append(...(roots.length > 1 ? [navigation(titles, roots)] : []), main);
    document.body.classList.toggle("with-nav", roots.length > 1);
    this.figures.forEach((figure) => figure.draw());

    this.onTheme((dark) => this.figures.forEach((figure) => figure.setTheme(themeFor(dark))));
    const apply = (dark: boolean, printing: boolean) => this.themed.forEach((action) => action(dark, printing));
    this.darkMode.addEventListener("change", () => apply(this.isDark, false));
    window.addEventListener("beforeprint", () => apply(false, true));
    window.addEventListener("afterprint", () => apply(this.isDark, false));
  }

  private header(): HTMLElement {
    const { report } = this;
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

  private section(data: SectionData, index: number): HTMLElement {
    const plots = data.plots.map((plot) => {
      const figure = new PlotFigure(plot, this.report, this.figures.length + 1, themeFor(this.isDark));
      this.figures.push(figure);
      return figure.root;
    });
    const tables = data.tables.map((table) => tableFigure(table, ++this.tableCount));
    const body = element("div", "body");
    const areSmall = data.plots.some((plot) => plot.small);
    if (plots.length > 0) body.append(element("div", areSmall ? "plots multiples" : "plots", ...plots));
    if (tables.length > 0) body.append(element("div", "tables", ...tables));
    const areNarrow = data.tables.every((table) => table.columns.length <= mostColumnsBeside);
    body.classList.toggle("beside", plots.length > 0 && tables.length > 0 && areNarrow);
    const section = element("section", "", element("h2", "", data.title), ...paragraphs(data.text, "lead"), body);
    section.id = `section-${index + 1}`;
    return section;
  }
}

function navigation(titles: readonly string[], sections: HTMLElement[]): HTMLElement {
  const links = titles.map((title, index) => {
    const link = element("a", "", title);
    link.href = `#${sections[index]?.id ?? ""}`;
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
