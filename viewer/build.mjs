// Bundles the report page and writes it as a C++ source file: node build.mjs <output .cpp>
// Runs inside the build folder, next to node_modules (see CMakeLists.txt).
import { readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const output = process.argv[2];
if (!output) {
  console.error("usage: node build.mjs <output .cpp>");
  process.exit(2);
}

const result = await build({
  entryPoints: ["src/report/main.ts"],
  bundle: true,
  minify: true,
  format: "iife",
  target: ["es2020"],
  charset: "ascii",
  outdir: "out",
  write: false,
  logLevel: "warning",
});

const textOf = (suffix) => {
  const file = result.outputFiles.find((candidate) => candidate.path.endsWith(suffix));
  if (!file) throw new Error(`the bundle has no ${suffix} file`);
  return file.text;
};

// The licence of what is bundled must travel with the page.
const licence = readFileSync("node_modules/uplot/LICENSE", "utf8").replaceAll("*/", "* /");
const script = `/*! contains uPlot\n${licence}*/\n${textOf(".js")}`;

// Replacements are functions because "$" in a replacement string would be read as a pattern.
const page = readFileSync("src/report/page.html", "utf8")
  .replace("%%STYLE%%", () => textOf(".css"))
  .replace("%%SCRIPT%%", () => script);
for (const mark of ["%%TITLE%%", "%%DATA%%"]) {
  if (page.split(mark).length !== 2) throw new Error(`${mark} must stand exactly once in the page`);
}

const delimiter = "SLIPSTICK_PAGE";
if (page.includes(`)${delimiter}"`)) throw new Error("the page contains the delimiter of its own string literal");
writeFileSync(
  output,
  `// Made by viewer/build.mjs from viewer/src/report.
#include <string_view>

namespace slipstick {

extern const std::string_view kReportPage;
const std::string_view kReportPage = R"${delimiter}(${page})${delimiter}";

}  // namespace slipstick
`,
);
