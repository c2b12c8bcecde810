// The Khronos Group's validator over a glTF file: prints what it finds, exits 1 for errors and warnings.
import { readFileSync } from "node:fs";
import validator from "gltf-validator";

const report = await validator.validateBytes(new Uint8Array(readFileSync(process.argv[2])), { maxIssues: 20 });
const { numErrors, numWarnings, messages } = report.issues;
if (numErrors + numWarnings > 0) {
  console.log(JSON.stringify(messages, null, 2));
  process.exit(1);
}
console.log(`valid, ${report.info.animationCount} animations, ${report.info.totalVertexCount} vertices`);
