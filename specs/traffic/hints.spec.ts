/** Hints of recorded traffic: what a team would act on is told with its numbers, and chance is not. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runOf, trafficOf } from '../../proof/trials/passive-trial.js';
import { trafficWith } from '../../proof/trials/traffic-trial.js';
import { readRecorded } from '../../src/features/judge/recorded-traffic.js';
import { judgeHistory } from '../../src/features/judge/judge-history.js';
import { hintLines } from '../../src/report/hints.js';
import { renderFormat } from '../../src/report/formats/index.js';
import { renderTerminal } from '../../src/report/terminal/terminal.js';
import { sectionTitles, type Report } from '../../src/report/index.js';
import { createRandom } from '../../src/time/random.js';
import { Traffic } from '../../src/traffic/reading/read-traffic.js';
import { Hints } from '../../src/traffic/index.js';
import { createFakeIo } from '../cli/fake-io.js';
import { CONTEXT, DOCUMENT } from '../report/sample-report.js';
import { line, ndjson } from './recordings.js';

const idOf = (nth: number): string => `6f1c2a9e-47d3-4c0b-9b56-${String(nth).padStart(12, '0')}`;

interface Made {
  readonly body?: object;
  /** Of the submission. */
  readonly status?: number;
  readonly ends?: string;
  /** How long /cancel takes, ms; absent: it is not called. */
  readonly cancelMs?: number;
  readonly isUnread?: boolean;
}

/** A job each ten seconds, which is asked about twice. */
function jobs(made: readonly Made[], round = (ms: number): number => ms): readonly object[] {
  return made.flatMap(({ body, status = 200, ends = 'COMPLETED', cancelMs, isUnread = false }, nth) => {
    const id = idOf(nth);
    const atMs = nth * 10_000 + ((nth * 37) % 500);
    const timed = (one: object, fromMs: number, tookMs: number): object => ({
      ...one,
      start: Date.UTC(2026, 10, 27) + round(fromMs),
      end: Date.UTC(2026, 10, 27) + round(fromMs + tookMs),
    });
    const accepted = status < 300;
    const submitted = line(
      {
        atMs,
        op: 'run',
        body: { input: { prompt: 'x' }, ...body },
        reply: accepted ? { id, status: 'IN_QUEUE' } : { error: 'no' },
      },
      { status },
    );
    if (!accepted || isUnread) return [timed(submitted, atMs, 20 + (nth % 7))];
    const cancel = line({ atMs, op: `cancel/${id}`, reply: { id, status: 'CANCELLED' } });
    const read = line({
      atMs,
      op: `status/${id}`,
      reply: { id, status: cancelMs === undefined ? ends : 'CANCELLED' },
    });
    const running = line({ atMs, op: `status/${id}`, reply: { id, status: 'IN_PROGRESS' } });
    return [
      timed(submitted, atMs, 20 + (nth % 7)),
      timed(running, atMs + 500, 30),
      ...(cancelMs === undefined ? [] : [timed(cancel, atMs + 1_000, cancelMs + (nth % 5))]),
      timed(read, atMs + 9_000, 30),
    ];
  });
}

const times = (count: number, made: Made): readonly Made[] => Array.from({ length: count }, () => made);

async function reportOn(lines: readonly object[]): Promise<Report> {
  const { cwd } = createFakeIo();
  writeFileSync(join(cwd, 'a.ndjson'), ndjson(lines));
  return (await judgeHistory(readRecorded(['a.ndjson'], {}, cwd))).report;
}

function hintsOf(lines: readonly object[]): readonly string[] {
  const { cwd } = createFakeIo();
  writeFileSync(join(cwd, 'a.ndjson'), ndjson(lines));
  const { parts, widenedMs } = readRecorded(['a.ndjson'], {}, cwd);
  const hints = new Hints(widenedMs);
  for (const _ of parts((event) => hints.see(event)));
  return hintLines({ hints: hints.found });
}

const S3 = { s3Config: { bucketName: 'b' } };

describe('submissions that are refused', () => {
  test('by what they have in common', () => {
    expect(hintsOf(jobs([...times(155, {}), ...times(7, { body: S3, status: 500 })]))).toEqual([
      'with `s3Config`, 7 of 7 submissions are refused; without it, 0 of 155 (call 465). Look at its answer, and how the service handles such submissions',
      expect.stringContaining('7 of 162 calls of /run are answered with 5xx'),
    ]);
  });

  test('by what they lack', () => {
    const [first] = hintsOf(
      jobs([...times(6, { status: 400 }), ...times(30, { body: { policy: { ttl: 60_000 } } })]),
    );
    expect(first).toBe(
      'without `policy`, `policy.ttl`, 6 of 6 submissions are refused; with them, 0 of 30 (call 0). Look at its answer, and how the service handles such submissions',
    );
  });

  test.each([
    ['too few', [...times(155, {}), ...times(4, { body: S3, status: 400 })]],
    [
      'some others are, too',
      [...times(100, {}), ...times(10, { status: 400 }), ...times(7, { body: S3, status: 400 })],
    ],
    [
      'most with it are not',
      [...times(100, {}), ...times(7, { body: S3, status: 400 }), ...times(5, { body: S3 })],
    ],
    ['too few others', [...times(10, {}), ...times(7, { body: S3, status: 400 })]],
    ['the key or the pace may be why', [...times(100, {}), ...times(4, { body: S3, status: 429 })]],
  ])('not where %s', (_, made) => {
    expect(hintsOf(jobs(made))).toEqual([]);
  });
});

describe('operations that are slow', () => {
  const cancelled = (cancelMs: number, round?: (ms: number) => number): readonly string[] =>
    hintsOf(jobs(times(8, { cancelMs }), round));

  test('as a habit', () => {
    expect(cancelled(5_000)).toEqual([
      '/cancel takes 5 s or more in half of 8 calls, up to 5.006 s (call 18). Look at what the service waits for before it answers /cancel',
    ]);
    expect(cancelled(400)).toEqual([]);
  });

  test('not where times are told in whole seconds', () => {
    const inSeconds = (ms: number): number => Math.floor(ms / 1_000) * 1_000;
    expect(cancelled(900, inSeconds)).toEqual([]);
    expect(cancelled(5_000, inSeconds)[0]).toContain('/cancel takes');
  });
});

test('jobs that fail, and jobs that are never asked about', () => {
  const [failed, unread] = hintsOf(
    jobs([
      ...times(60, {}),
      ...times(9, { body: { policy: { lowPriority: true } }, ends: 'FAILED' }),
      ...times(20, { isUnread: true }),
    ]),
  );
  expect(failed).toContain(
    'with `policy`, `policy.lowPriority`, 9 of 9 jobs that were seen to end are FAILED; without them, 0 of 60 (call 180)',
  );
  expect(unread).toContain('20 of 89 jobs of /run without a webhook are never asked about (call 207)');
});

test('jobs that wait while workers are idle', () => {
  const health = (nth: number, idle: number): object =>
    line({ atMs: nth * 5_000, op: 'health', reply: { jobs: { inQueue: 3 }, workers: { idle, running: 0 } } });
  const shown = (idle: readonly number[]): readonly string[] =>
    hintsOf([...jobs([{}]), ...idle.map((one, nth) => health(nth, one))]);
  expect(shown([2, 2, 2, 2, 2, 0])[0]).toContain(
    'in 5 of 6 answers of /health that show waiting jobs, workers are idle',
  );
  expect(shown([2, 2, 2, 2, 0, 0])).toEqual([]);
});

test('are apart from verdicts in each format that people read, and change none', async () => {
  const lines = jobs([...times(40, {}), ...times(7, { body: S3, status: 400 })]);
  const report = await reportOn(lines);
  const { hints = [] } = report;
  expect(hints.length).toBe(1);
  const { hints: _, ...without } = report;
  const options = {
    colour: false,
    verbose: false,
    titles: sectionTitles(DOCUMENT),
    quotes: new Map(),
    directory: null,
    program: 'npx runproof',
  };
  const terminal = renderTerminal(report, options);
  expect(terminal).toContain(
    '\n\nHints: statistics, which prove nothing and change no verdict\n  with `s3Config`, 7 of 7 submissions',
  );
  expect(terminal.replace(/Hints: .*\n.*\n\n/u, '')).toBe(renderTerminal(without, options));
  for (const format of ['html', 'markdown', 'github', 'json'] as const)
    expect(renderFormat(format, report, CONTEXT).content).toContain('7 of 7 submissions');
});

test('there are none of a correct service and its ordinary clients', () => {
  const events = trafficWith(null, 4, 6);
  const traffic = new Traffic([trafficOf(events, { keeps: () => true }, createRandom(4))!]);
  const hints = new Hints();
  for (const event of traffic.events(runOf(events, { others: true, complete: true }))) hints.see(event);
  expect(hints.found).toEqual([]);
});
