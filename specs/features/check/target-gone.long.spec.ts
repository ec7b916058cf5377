/** A target that stops answering in the middle of a run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../../../src/shell/program.js';
import { startServer } from '../../../src/server/index.js';
import { createFakeIo } from '../../cli/fake-io.js';

const KEY = 'key-of-the-spec';

it('is no target that conforms, and is told once', { timeout: 90_000 }, async () => {
  const server = await startServer({ apiKeys: [KEY], endpoints: ['test'], workers: 4 });
  const io = createFakeIo({
    env: { RUNPROOF_API_KEY: KEY },
    // It is asked for when the first script is about to begin.
    timestamp: () => (setTimeout(() => void server.close(), 2_000), '2001-02-03T04:05:06.000Z'),
  });
  const scope = ['--profile', 'quick', '--only', '2.2', '5', '--worker', 'scripted', '--seed', '1'];
  const out = ['--out', 'out', '--timeout', '3s'];
  const exit = await runCli(['check', `${server.url}/v2/test`, ...scope, ...out], io);
  expect(exit, io.complained()).toBe(3);
  expect(io.printed()).toContain('TARGET STOPPED ANSWERING');
  expect(io.printed().match(/! the target stopped answering/g)).toHaveLength(1);
  const report = JSON.parse(readFileSync(join(io.cwd, 'out/report.json'), 'utf8')) as {
    requirements: { id: string; verdict: string; reason: string | null }[];
  };
  const ttl = report.requirements.find(({ id }) => id === '2.2/ttl-removes-running');
  expect(ttl).toMatchObject({ verdict: 'inconclusive', reason: 'the target stopped answering' });
  expect(report.requirements.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  // The history alone tells it as well.
  expect(await runCli(['judge', 'out/history.ndjson', '--only', '2.2', '5'], io)).toBe(3);
});
