import { TableData } from "./data";
import { element, paragraphs } from "./element";

const numeric = /^[<>≤≥≈~±]?\s*[+\-−]?(\d|\.\d|∞|nan)/i;
const mark = /^[✓✗]/;

// Columns of numbers are set flush right; a column counts as one when every filled cell starts like a number.
function isNumeric(table: TableData, column: number): boolean {
  const filled = table.rows.map((row) => row[column] ?? "").filter((cell) => cell !== "" && cell !== "–");
  return filled.length > 0 && filled.every((cell) => numeric.test(cell));
}

export function tableFigure(table: TableData, number: number): HTMLElement {
  const flushRight = table.columns.map((_, column) => isNumeric(table, column));
  const classOf = (column: number, cell: string) =>
    [flushRight[column] ? "right" : "", cell.startsWith("✓") ? "good" : "", cell.startsWith("✗") ? "bad" : ""]
      .filter((name) => name !== "")
      .join(" ");

  const head = element("tr");
  table.columns.forEach((title, column) => {
    const cell = element("th", flushRight[column] ? "right" : "", title);
    cell.scope = "col";
    head.append(cell);
  });
  const body = element("tbody");
  for (const row of table.rows) {
    const line = element("tr");
    row.forEach((text, column) => {
      const cell = element("td", classOf(column, text), text);
      // a mark with its words stays on one line
      if (mark.test(text) && text.length < 24) cell.classList.add("whole");
      line.append(cell);
    });
    body.append(line);
  }
  const scroller = element("div", "table-scroller", element("table", "", element("thead", "", head), body));
  // so that a keyboard can scroll a wide table
  scroller.tabIndex = 0;
  return element(
    "figure",
    "table",
    element("div", "figure-head", element("h3", "", element("span", "number", `Table ${number}`), " ", table.title)),
    scroller,
    element("figcaption", "", ...paragraphs(table.caption, "")),
  );
}
