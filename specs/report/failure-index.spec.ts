/** The list of what the files of `failures/` show. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { removeOldFailures } from '../../src/files/report-folder.js';
import { FAILURE_PAGE_MARK } from '../../src/report/failure-file.js';
import { failureIndex } from '../../src/report/failure-index.js';
import { createFakeIo } from '../cli/fake-io.js';
import { madeUpReport } from './sample-report.js';

const READER = { program: 'npx runproof', directory: 'reports/r' };

it('names each file of a failure, the rule, and the command that repeats it', () => {
  const report = madeUpReport();
  const { file, content } = failureIndex(report, READER)!;
  expect(file).toBe('failures/README.md');
  const [{ id, text, failures }] = report.requirements.filter((one) => one.failures.length > 0) as [
    (typeof report.requirements)[number],
  ];
  expect(content).toContain(`- \`${id}\`: ${text}\n  - [policy-ttl-0.json](policy-ttl-0.json)`);
  expect(content).toContain(
    '    `npx runproof replay reports/r/failures/policy-ttl-0.json http://127.0.0.1:8080/v2/test`',
  );
  expect(failures.length).toBeGreaterThan(0);
  // Each rule once, and under it each script once.
  const rules = report.requirements.filter((one) => one.failures.some(({ script }) => script !== null));
  expect(content.match(/^- /gm)).toHaveLength(rules.length);
  const scripts = rules.flatMap((one) => [...new Set(one.failures.map(({ script }) => script))]);
  expect(content.match(/^  - /gm)).toHaveLength(scripts.length);
  const twice = report.requirements.map((one) => ({ ...one, failures: [...one.failures, ...one.failures] }));
  expect(failureIndex({ ...report, requirements: twice }, READER)!.content).toBe(content);
});

it('names the part to judge, where there is no script to replay', () => {
  const report = madeUpReport();
  const requirements = report.requirements.map((one) => ({
    ...one,
    failures: one.failures.map((failure) => ({
      ...{ ...failure, script: null, replay: null, shell: null, confirmed: null },
      shrunk: { calls: [1], of: 9, history: 'failures/part.ndjson' },
    })),
  }));
  const { content } = failureIndex({ ...report, requirements }, READER)!;
  expect(content).toContain(
    '  - [part.ndjson](part.ndjson)\n    `npx runproof judge reports/r/failures/part.ndjson`',
  );
});

it('is not there without files, and goes with the failures of an earlier run', () => {
  const report = madeUpReport();
  const none = report.requirements.map((one) => ({ ...one, failures: [] }));
  expect(failureIndex({ ...report, requirements: none }, READER)).toBeNull();
  const folder = join(createFakeIo().cwd, 'failures');
  mkdirSync(folder);
  writeFileSync(join(folder, 'README.md'), failureIndex(report, READER)!.content);
  writeFileSync(join(folder, '2.2-ttl.html'), `<html>${FAILURE_PAGE_MARK}</html>`);
  writeFileSync(join(folder, 'own.html'), '<html><main>Notes</main></html>');
  writeFileSync(join(folder, 'notes.md'), 'A note on "runproof-failure/1" and runproof-history/1.\n');
  removeOldFailures(folder);
  expect(readdirSync(folder)).toEqual(['notes.md', 'own.html']);
  writeFileSync(join(folder, 'README.md'), "# The user's own\n");
  removeOldFailures(folder);
  expect(readdirSync(folder)).toEqual(['README.md', 'notes.md', 'own.html']);
});
