/** The sample of the document is what the command prints, with ids shortened. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { runCli } from '../../src/shell/program.js';
import { createFakeIo } from '../cli/fake-io.js';
import { startNaive } from '../naive/server.js';

const DOCUMENT = 'docs/checking-a-deployment.md';
/** Columns that a reader of it sees. */
const WIDTH = 130;

it('shows the end of the report', { timeout: 120_000 }, async () => {
  const naive = await startNaive({
    ...{ clock: 'controlled', fault: 'ttl-ignored-while-running' },
    ...{ endpointId: 'test', apiKey: 'secret' },
  });
  const io = createFakeIo({ env: { RUNPROOF_API_KEY: 'secret' } });
  try {
    const where = [`${naive.url}/v2/test`, '--control', naive.controlUrl];
    await runCli(['check', ...where, '--only', '2.2', '--seed', '1', '--out', 'reports/broken'], io);
  } finally {
    await naive.close();
  }
  const printed = io.printed();
  const sample = printed
    .slice(printed.indexOf('The cause'))
    .replaceAll(new URL(naive.url).origin, 'http://127.0.0.1:8094')
    .replace(/\b([0-9a-f]{8})-[0-9a-f-]{27}\b/g, '7f1a84ff-…')
    .replace(/^(\d+ scripts, .*? in ).*(; longest wait)/m, '$1a few seconds$2')
    .replace(/^estimated: .*\n/m, '')
    .trim()
    .split('\n')
    .map((line) => (line.length > WIDTH ? `${line.slice(0, WIDTH)}…` : line))
    .join('\n');
  const shown = /The report ends with:[^]*?```text\n([^]*?)\n```/.exec(readFileSync(DOCUMENT, 'utf8'))?.[1];
  expect(shown, `put this into ${DOCUMENT} below "The report ends with:":\n${sample}`).toBe(sample);
});
