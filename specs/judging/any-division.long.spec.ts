/**
 * Where traffic is divided changes no conclusion: neither of `judge`, nor of the proxy, nor between the two. The commit draws one
 * in three of the services; `WHOLE=1` takes all.
 */
import { expect, test } from 'vitest';
import { runOf } from '../../proof/trials/passive-trial.js';
import { trafficWith } from '../../proof/trials/traffic-trial.js';
import { judgeHistory } from '../../src/features/judge/judge-history.js';
import { LiveJudge } from '../../src/judging/live/live-judge.js';
import type { HistoryEvent, RunEvent } from '../../src/history/events.js';
import { answerOf, LOST } from '../../src/history/exchange.js';
import { toldMs } from '../../src/judging/live/live-calls.js';
import type { Report } from '../../src/report/index.js';
import type { Dialect } from '../../src/spec/index.js';
import { GRACE_MS, REAL_EARLY_MS } from '../../src/target/http/limits.js';
import { createRandom, type RandomStream } from '../../src/time/random.js';
import { Traffic } from '../../src/traffic/reading/read-traffic.js';
import { Parts } from '../../src/traffic/index.js';
import {
  isBegin,
  passing,
  read,
  run,
  seen,
  settings,
  type Seen,
  type Told,
} from '../features/proxy/support.js';
import { drawnByCommit } from '../support/whole.js';

/** All in one part, as many calls as a part has, which is what the proxy divides by, and fewer. */
const [ALL, USUAL, SMALL] = [100_000, 5_000, 50] as const;
/** What is shown by several jobs of one part: in small parts, fewer meet. */
const ACROSS_JOBS =
  /this-job-only|id-unique|wait-per-call|later-jobs-unaffected|reading-changes-nothing|queue-order/;
const CAPTURE = { others: false, complete: true, crashes: false } as const;
const UPSTREAM = 'https://api.example.com';

interface Passed {
  readonly calls: readonly Seen[];
  readonly run: RunEvent;
  readonly dialect?: Dialect;
}

/** The calls as a recorder lists them: `order` says in which order, of those that end within 30 s of each other. */
function linesOf(calls: readonly Seen[], order: RandomStream | null): string {
  const lines: { readonly atMs: number; readonly line: string }[] = [];
  const text = (body: Uint8Array | null | undefined): string => new TextDecoder().decode(body!);
  for (const one of calls.filter((each) => !isBegin(each))) {
    const { request, fromMs, byMs } = one;
    const answer = answerOf(one);
    lines.push({
      atMs: byMs! + (order === null ? 0 : order.intBetween(0, 30_000)),
      line: JSON.stringify({
        ...{ method: request.method, url: UPSTREAM + request.target, start: fromMs, ms: byMs! - fromMs },
        requestHeaders: request.headers,
        ...(text(request.body) !== '' && { requestBody: text(request.body) }),
        ...(answer !== null && { status: answer.status, headers: answer.headers, body: text(answer.body) }),
      }),
    });
  }
  return lines
    .toSorted((left, right) => left.atMs - right.atMs)
    .map(({ line }) => line)
    .join('\n');
}

async function judged(
  { calls, run, dialect }: Passed,
  callsMax: number,
  order: RandomStream | null = null,
): Promise<Conclusion> {
  const file = { name: 'calls.ndjson', pieces: () => [Buffer.from(linesOf(calls, order))] };
  const traffic = new Traffic([file]);
  const parts = (): ReturnType<Parts['of']> => new Parts(run, callsMax, traffic.gaps).of(traffic.events(run));
  const { report } = await judgeHistory({ run, parts, notes: [], isWhole: true }, { dialect });
  return concluded(report);
}

/** @param callsMax absent: as many as a part has */
function passedBy({ calls, run, dialect }: Passed, callsMax?: number) {
  const { others, crashes } = { crashes: true, ...run.capture! };
  const how = { others, crashes, dialect, edition: run.edition, minDecided: undefined };
  const live = new LiveJudge(settings(how), undefined, callsMax);
  for (const [nth, one] of calls.entries()) {
    live.take(one);
    if (nth % 100 === 99) live.look(toldMs(one));
  }
  for (const _ of live.finish(toldMs(calls.at(-1)!))) continue;
  const drifts = live.state.drifts.map(({ question, observed }) => `${question}=${observed}`);
  return { report: concluded(live.finished!.report), drifts: dialect === undefined ? [] : drifts };
}

const concluded = ({ exitCode, requirements, openQuestions, dialect }: Report) => ({
  exitCode,
  drifts: (dialect?.drift ?? []).flatMap(({ question, expected, observed }) =>
    observed.filter((reading) => reading !== expected).map((reading) => `${question}=${reading}`),
  ),
  requirements: Object.fromEntries(
    requirements
      .filter(({ decided }) => decided > 0)
      .map(({ id, verdict, decided, failed }) => [id, { verdict, decided, failed }]),
  ),
  readings: Object.fromEntries(openQuestions.map(({ id, counts }) => [id, counts])),
});
type Conclusion = ReturnType<typeof concluded>;

/** What parts of any size show as well. */
function ofJobs({ requirements, readings, ...rest }: Conclusion): Conclusion {
  const apart = <T>(all: { readonly [id: string]: T }): { readonly [id: string]: T } =>
    Object.fromEntries(Object.entries(all).filter(([id]) => !ACROSS_JOBS.test(id)));
  return { ...rest, requirements: apart(requirements), readings: apart(readings) };
}

/** 700 jobs, and two submissions with a ttl below the least: one is refused, and the other has the default instead. */
function answeredInTwoWays(): Passed {
  const low = (atMs: number): Told => ({ ...run(atMs, 'low'), policy: { ttl: 5_000 } });
  const asked: { readonly [nth: number]: (atMs: number) => readonly Told[] } = {
    299: (atMs) => [{ ...low(atMs), reply: { error: 'ttl' }, status: 400 }],
    599: (atMs) => [
      low(atMs),
      read(atMs + 1_000, 'low', 'COMPLETED'),
      read(atMs + 60_000, 'low', 'COMPLETED'),
    ],
  };
  const told = Array.from({ length: 700 }, (_, nth): readonly Told[] => {
    const [id, atMs] = [`job-${nth}`, nth * 100_000];
    const reads = [read(atMs + 1_000, id, 'IN_PROGRESS'), read(atMs + 2_000, id, 'COMPLETED')];
    return [run(atMs, id), ...reads, ...(asked[nth]?.(atMs + 3_000) ?? [])];
  });
  const calls = told.flat().flatMap(seen);
  return { calls, run: asRecorded(trafficWith(null, 1, 0)), dialect: { '2.2/ttl-below-min': 'refused' } };
}

const asRecorded = (events: readonly HistoryEvent[]): RunEvent => ({
  ...runOf(events, CAPTURE),
  ...{ graceMs: GRACE_MS, earlyMs: REAL_EARLY_MS },
});

function application(fault: string | null, seed: number, sessions: number): Passed {
  const events = trafficWith(fault, seed, sessions);
  return { calls: passing(events), run: asRecorded(events) };
}

/** A legal service that answers nothing for some seconds, and then knows none of its jobs any more if it `forgets` them. */
function lostFor(seed: number, forgets: boolean): Passed {
  const { calls, run } = application(null, seed, 20);
  const fromMs = toldMs(calls[Math.floor(calls.length * 0.4)]!);
  const byMs = fromMs + 5_000;
  const jobs = new Set<string>();
  const changed = calls.map((one): Seen => {
    const answer = answerOf(one);
    if (answer === null) return one;
    const { target } = one.request;
    const atMs = one.fromMs;
    if (atMs >= fromMs && atMs <= byMs) return { ...one, outcome: LOST };
    const id = /\/run/.test(target) ? idOf(answer.body!) : target.split('/').at(-1)!.split('?')[0]!;
    if (atMs < fromMs) jobs.add(id);
    if (!forgets || atMs < fromMs || !jobs.has(id) || /\/run|health|purge/.test(target)) return one;
    return { ...one, outcome: { ...answer, status: 404, body: GONE } };
  });
  return { calls: changed, run };
}
const GONE = new TextEncoder().encode('{"error":"job not found"}');
const idOf = (body: Uint8Array): string => /"id":"([^"]+)"/.exec(new TextDecoder().decode(body))?.[1] ?? '';

const PASSED: readonly (readonly [string, () => Passed])[] = [
  ['a service that answers a question in two ways', answeredInTwoWays],
  ['a legal service', () => application(null, 1, 40)],
  ['another legal service', () => application(null, 2, 25)],
  ['a service that is lost for a while', () => lostFor(4, false)],
  ['a service that is lost and forgets its jobs', () => lostFor(3, true)],
  ...['wait-halved', 'execution-time-of-earlier-runs', 'cancel-only-queued'].map(
    (fault) => [`the fault ${fault}`, () => application(fault, 1, 25)] as const,
  ),
];

/** The proxy judges no calls at an address before it has answered as an endpoint does: some fewer are counted. */
const uncounted = ({ requirements, readings, ...rest }: Conclusion): object => ({
  ...rest,
  verdicts: Object.fromEntries(Object.entries(requirements).map(([id, { verdict }]) => [id, verdict])),
  readings: Object.fromEntries(Object.entries(readings).map(([id, counts]) => [id, Object.keys(counts)])),
});

test.each(drawnByCommit(PASSED, 3))(
  'of %s the same is said, wherever its traffic is divided',
  async (_, make) => {
    const passed = make();
    const whole = await judged(passed, ALL);
    // However late a recorder lists some calls.
    expect(await judged(passed, USUAL, createRandom(1))).toEqual(whole);
    const seen = passedBy(passed);
    expect(uncounted(seen.report), 'proxy').toEqual(uncounted(whole));
    expect(seen.drifts, 'alerts').toEqual(whole.drifts);
    const calls = passed.calls.filter((one) => !isBegin(one)).length;
    // What has fewer calls is one part for both.
    for (const size of [USUAL, SMALL].filter((each) => each < calls))
      expect(ofJobs(await judged(passed, size)), `judge, parts of ${size}`).toEqual(ofJobs(whole));
    const { report, drifts } = passedBy(passed, SMALL);
    expect(ofJobs(report), `proxy, parts of ${SMALL}`).toEqual(ofJobs(seen.report));
    expect(drifts, `alerts, parts of ${SMALL}`).toEqual(whole.drifts);
  },
);
