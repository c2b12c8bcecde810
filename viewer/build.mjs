// Bundles the report page and writes it as a C++ source file: node build.mjs <output .cpp>
// Runs inside the build folder, next to node_modules (see CMakeLists.txt).
import { readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const output = process.argv[2];
if (!output) {
  console.error("usage: node build.mjs <output .cpp>");
  process.exit(2);
}

// Two programs for the one page, because most of the size is the 3D library, which a page without replay does not need.
const entries = { report: "src/report/main.ts", replay: "src/replay/main.ts" };
const result = await build({
  entryPoints: entries,
  bundle: true,
  minify: true,
  format: "iife",
  target: ["es2020"],
  charset: "ascii",
  legalComments: "none",
  outdir: "out",
  write: false,
  logLevel: "warning",
});

const textOf = (name) => {
  const file = result.outputFiles.find((candidate) => candidate.path.endsWith(`/${name}`));
  if (!file) throw new Error(`the bundle has no ${name}`);
  return file.text;
};

// The licence of what is bundled must travel with the page.
const withLicences = (script, packages) =>
  packages
    .map((name) => `/*! contains ${name}\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8").replaceAll("*/", "* /")}*/\n`)
    .join("") + script;
const scripts = {
  kReportScript: withLicences(textOf("report.js"), ["uplot"]),
  kReplayScript: withLicences(textOf("replay.js"), ["uplot", "three"]),
};
for (const [name, script] of Object.entries(scripts)) {
  if (/<\/script|<!--/i.test(script)) throw new Error(`${name} contains what would end its element`);
}

// The replay's style holds the report's. A replacement is a function because "$" in a string would be read as a pattern.
const page = readFileSync("src/report/page.html", "utf8").replace("%%STYLE%%", () => textOf("replay.css"));
for (const mark of ["%%CONNECT%%", "%%TITLE%%", "%%DATA%%", "%%REPLAYS%%", "%%SCRIPT%%"]) {
  if (page.split(mark).length !== 2) throw new Error(`${mark} must stand exactly once in the page`);
}

// Compilers limit the length of one literal, and neighbouring literals are joined.
const literal = (text) => {
  const delimiter = "SLIPSTICK_PAGE";
  if (text.includes(`)${delimiter}"`)) throw new Error("the page contains the delimiter of its own string literal");
  const pieces = text.match(/[^]{1,16000}/g) ?? [""];
  return pieces.map((piece) => `R"${delimiter}(${piece})${delimiter}"`).join("\n");
};
const constants = Object.entries({ kReportPage: page, ...scripts }).map(
  ([name, text]) => `extern const std::string_view ${name};\nconst std::string_view ${name} = ${literal(text)};\n`,
);
writeFileSync(
  output,
  `// Made by viewer/build.mjs from viewer/src.
#include <string_view>

namespace slipstick::internal {

${constants.join("\n")}
}  // namespace slipstick::internal
`,
);
