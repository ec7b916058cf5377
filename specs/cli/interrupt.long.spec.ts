/**
 * A run interrupted at any moment is over soon. It leaves no job behind on the target that it knows of, and a
 * report that can be read.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { unfinishedJobsIn } from '../../src/files/created-jobs.js';
import { runCli } from '../../src/shell/program.js';
import type { HistoryEvent } from '../../src/history/events.js';
import { startServer } from '../../src/server/index.js';
import { createRandom } from '../../src/time/random.js';
import { createFakeIo, filesBelow } from './fake-io.js';

const KEY = 'k';
const random = createRandom(20).fork('moments');
/** From the probes, over the start of everything at once, to the middle of the run. */
const MOMENTS_MS = Array.from({ length: 10 }, (_, index) => random.intBetween(1, 600 * (index + 1)));

interface Health {
  readonly jobs: { readonly inQueue: number; readonly inProgress: number };
}

async function healthOf(url: string): Promise<Health> {
  const response = await fetch(`${url}/v2/test/health`, { headers: { authorization: KEY } });
  return (await response.json()) as Health;
}

/** How many submissions it says were not answered: what they created nothing names. */
const unnamedIn = (told: string): number =>
  [...told.matchAll(/(\d+) calls? of \S+ still waited/g)].reduce((sum, [, count]) => sum + Number(count), 0);

describe('a run on an endpoint that others may use', () => {
  it.concurrent.each(MOMENTS_MS)('interrupted after %i ms', { timeout: 180_000 }, async (momentMs) => {
    const server = await startServer({ apiKeys: [KEY], endpoints: ['test'], workers: 2 });
    // Counted from the first moment at which there is something to be ended.
    const onInterrupt = (callback: () => void): (() => void) => {
      const timer = setTimeout(callback, momentMs);
      return () => clearTimeout(timer);
    };
    const cwd = mkdtempSync(join(tmpdir(), 'runproof-interrupt-'));
    const io = createFakeIo({ cwd, env: { RUNPROOF_API_KEY: KEY }, onInterrupt });
    try {
      const scope = ['--profile', 'quick', '--seed', String(momentMs), '--out', 'out'];
      expect(await runCli(['check', `${server.url}/v2/test`, ...scope], io)).toBe(130);
      const { inQueue, inProgress } = (await healthOf(server.url)).jobs;
      // On a busy machine, the run has not begun yet.
      if (!filesBelow(io.cwd).has('out/history.ndjson')) {
        expect(inQueue + inProgress).toBeLessThanOrEqual(unnamedIn(io.printed()));
        return;
      }
      // Which job is its own a submission tells with its answer, which nobody waits for: those end by themselves.
      const history = readFileSync(join(io.cwd, 'out/history.ndjson'), 'utf8').trim().split('\n');
      const unanswered = history
        .map((line) => JSON.parse(line) as HistoryEvent)
        .filter((event) => event.kind === 'call')
        .filter(({ lost }) => lost === 'aborted')
        .filter(({ op }) => op === 'run' || op === 'runsync' || op === 'openai');
      const left = filesBelow(io.cwd).has('out/jobs.ndjson')
        ? unfinishedJobsIn('out/jobs.ndjson', io.cwd)
        : [];
      const report = JSON.parse(readFileSync(join(io.cwd, 'out/report.json'), 'utf8')) as {
        exitCode: number;
        warnings: readonly string[];
      };
      expect(inQueue + inProgress).toBeLessThanOrEqual(unnamedIn(report.warnings.join()) + left.length);
      const schema = JSON.parse(readFileSync('schemas/report.schema.json', 'utf8')) as object;
      const validate = new Ajv2020({ allowUnionTypes: true }).compile(schema);
      validate(report);
      expect(validate.errors).toBeNull();
      expect(report.exitCode).toBe(130);
      for (const { op } of unanswered)
        expect(report.warnings.join()).toContain(`of /${op} still waited when the run stopped`);
      if (left.length > 0) expect(report.warnings.join()).toContain('runproof clean');
      expect(filesBelow(io.cwd).has('out/report.html')).toBe(true);
    } finally {
      await server.close();
      rmSync(cwd, { recursive: true });
    }
  });
});
