// Prints `PASSED FAILED SKIPPED` for a report of vitest's JSON reporter. A spec file that could not even be
// loaded holds no tests: it counts as one failure.
import { readFileSync } from 'node:fs';

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const unloaded = report.testResults.filter(
  (file) =>
    file.status === 'failed' && !file.assertionResults.some((assertion) => assertion.status === 'failed'),
);
console.log(
  report.numPassedTests,
  report.numFailedTests + unloaded.length,
  report.numPendingTests + report.numTodoTests,
);
