/** The data of a failure's page: what it says of jobs is what the judge believed, and its counts hold on a correct endpoint. */
import { describe, expect, it } from 'vitest';
import { named as shippedScenarios } from '../../../scenarios/index.js';
import { Reading } from '../../../src/browser/beliefs/reading.js';
import { scaleOf } from '../../../src/browser/beliefs/scale.js';
import type { CallEvent, HistoryEvent, RunEvent } from '../../../src/history/events.js';
import { followJobs, judge } from '../../../src/oracle/index.js';
import { gather } from '../../../src/report/html/beliefs/gather.js';
import { htmlPages } from '../../../src/report/html/index.js';
import type { ReportFailure } from '../../../src/report/index.js';
import { drawPlan } from '../../../src/schedule/draw-plan.js';
import { runScripts } from '../../../src/target/run-scripts.js';
import { simulatorTarget, type SimulatorOptions } from '../../../src/target/simulator/simulator-target.js';
import { TraceBuilder } from '../../oracle/support/trace-builder.js';
import { CONTEXT, HOSTILE, madeUpReport } from '../sample-report.js';

const SHOWN = '4.3/shows-current-state  The record shows the state of the job at the time of the call';
const FIVE_SECONDS = [{ sleepMs: 5_000 }, { return: 1 }];

/** A job that goes back to the queue, after a read, a lost cancellation, and a refusal. */
const reverted = (): readonly HistoryEvent[] =>
  new TraceBuilder(1)
    .submitted(0, 'a', FIVE_SECONDS)
    .seen(0, 'a', 'IN_QUEUE')
    .seen(60, 'a', 'IN_PROGRESS')
    .call(100, 'health', null, 429, {})
    .seen(4_000, 'a', 'IN_QUEUE')
    .history(60_000);

const reportOf = (history: readonly HistoryEvent[]) => madeUpReport(judge(history), history);

function pagesOf(history: readonly HistoryEvent[]) {
  const followed = (scripts: ReadonlySet<number>) => followJobs(history, scripts);
  return htmlPages(reportOf(history), { ...CONTEXT, history, followed });
}

function readingOf(history: readonly HistoryEvent[], script = 0, followedMax = 100_000): Reading {
  const calls = history.flatMap((event) => (event.kind === 'call' ? [event.call] : []));
  const data = gather({
    failure: { calls, contradiction: null, shrunk: null } as unknown as ReportFailure,
    ...{ script, history, run: history[0] as RunEvent, command: 'show --at call:1', followedMax },
    jobs: followJobs(history, new Set([script])).filter((job) => job.script === script),
  });
  // As the page has it.
  return new Reading(JSON.parse(JSON.stringify(data)) as Reading['data']);
}

/** The place of the nth call. */
const at = (reading: Reading, call: number): number => reading.ofCall(call)!;

describe('the page of a failure', () => {
  it('says what a call has ruled out, by which sentence', () => {
    const reading = readingOf(reverted());
    expect(reading.lines(0, at(reading, 1))).toEqual([
      'may be IN_QUEUE, since 0 s',
      'may be IN_PROGRESS, since 0 s',
    ]);
    expect(reading.lines(0, at(reading, 2))).toEqual([
      'is IN_PROGRESS, entered between 0 s and 60 ms',
      `cannot be IN_QUEUE any more: ${SHOWN}. by this answer`,
    ]);
    const [line] = reading.lines(0, at(reading, 4));
    expect(line).toMatch(
      /^cannot be IN_PROGRESS any more: nothing explains #4 read the status of a → 200 IN_QUEUE\. 3\/no-return-to-queue {2}A running job/,
    );
  });

  it('tells the times of an ended job, and what /health counts', () => {
    const history = new TraceBuilder(1)
      .submitted(0, 'a', [{ return: 1 }])
      .call(50, 'health', null, 200, { jobs: { inQueue: 0, completed: 1 }, workers: { idle: 1, running: 0 } })
      .seen(60, 'a', 'COMPLETED', { output: 1, delayTime: 3, executionTime: 4 })
      .history(60_000);
    const reading = readingOf(history);
    expect(reading.title(at(reading, 1))).toMatch(/→ 200 \(inQueue 0, completed 1, idle 1, running 0\)$/);
    expect(reading.title(at(reading, 2))).toMatch(/→ 200 COMPLETED \(delayTime 3, executionTime 4\)$/);
  });

  it('answers why a job cannot be in a state, by the sentence and the call', () => {
    const reading = readingOf(reverted());
    const why = (call: number, state: string): string =>
      reading.whyNot(0, at(reading, call), state).join('. ');
    expect(why(2, 'IN_PROGRESS')).toBe('At 60 ms it is IN_PROGRESS: entered between 0 s and 60 ms');
    expect(why(2, 'IN_QUEUE')).toBe(`At 60 ms it cannot be IN_QUEUE. ${SHOWN}.. by this answer`);
    expect(why(2, 'PURGED')).toBe('At 60 ms it cannot be PURGED. no call and no timer has brought it there');
    expect(why(3, 'COMPLETED')).toMatch(/the worker needs 5 s\. 3\/not-completed-before-handler-ends {2}/);
    expect(why(3, 'IN_QUEUE')).toMatch(
      /3\/no-return-to-queue.*by #2 read the status of a → 200 IN_PROGRESS$/,
    );
    expect(why(4, 'GONE')).toMatch(/^At 4 s: no state is left\. nothing explains #4/);
  });

  it('has the reasons near the failure, of a long script, and names the command for the others', () => {
    const reading = readingOf(reverted(), 0, 5);
    expect(reading.whyNot(0, at(reading, 4), 'GONE')[0]).toBe('At 4 s: no state is left');
    expect(reading.lines(0, at(reading, 3))).toEqual([
      'is IN_PROGRESS, entered between 0 s and 60 ms',
      'As it was after #2 read the status of a → 200 IN_PROGRESS',
    ]);
    expect(reading.whyNot(0, at(reading, 3), 'GONE')).toEqual([
      'The page does not have it: show --at call:3',
    ]);
  });

  it('marks what must not be overlooked: a moved clock, refusals, lost replies', () => {
    const { data } = readingOf(
      new TraceBuilder(1)
        .submitted(0, 'a', FIVE_SECONDS)
        .call(1_000, 'health', null, 429, {})
        .lost(2_000, 'cancel', 'a', 'timeout', 3_000)
        .history(60_000),
    );
    const calls = data.instants.filter(([, call]) => call !== null);
    const marks = calls.map(([, , , all]) => all.map((mark) => data.texts[mark]));
    expect(marks).toEqual([[], ['clock moved by 1 s', '429'], ['clock moved by 1 s', 'reply lost: timeout']]);
  });

  it('shows what time alone does between two calls', () => {
    const reading = readingOf(
      new TraceBuilder(1).submitted(0, 'a', FIVE_SECONDS).seen(9_000, 'a', 'COMPLETED').history(60_000),
    );
    const lines = reading.data.instants.map((_, instant) => [
      reading.title(instant),
      ...reading.lines(0, instant),
    ]);
    expect(lines).toContainEqual([
      'time passes',
      'may be IN_PROGRESS, entered between 0 s and 100 ms',
      expect.stringMatching(/^may be COMPLETED/),
    ]);
  });

  it('draws the bounds that contradict each other', () => {
    const history = new TraceBuilder(1)
      .submitted(0, 'a', [{ hang: true }], { ttl: 10_000 })
      .seen(9_000, 'a', 'IN_PROGRESS')
      .seen(12_000, 'a', 'IN_PROGRESS')
      .history(60_000);
    const [, page] = pagesOf(history);
    expect(page!.content).toMatch(/<svg[^>]*>.*1\.9 s too late.*<\/svg>/su);
  });

  it('is reached from the report, and holds no markup of a target', () => {
    const history = new TraceBuilder(1)
      .submitted(0, HOSTILE, FIVE_SECONDS)
      .seen(60, HOSTILE, 'IN_PROGRESS')
      .seen(100, HOSTILE, 'IN_QUEUE')
      .history(60_000);
    const [report, page] = pagesOf(history);
    expect(page!.file).toBe('failures/7-unknown-job-status.html');
    expect(report!.content).toContain(`<a href="${page!.file}">`);
    expect(page!.content).not.toContain('<script>alert(1)');
    expect(page!.content).not.toContain('\u001b');
    expect(page!.content.match(/<script\b/g)).toHaveLength(2);
    expect(page!.content).toContain('<a href="../report.html#7/unknown-job-status">');
    expect(page!.content).not.toMatch(/\bsrc=|<link\b|@import|url\(/);
  });

  it('is not made where no job is followed', () => {
    expect(htmlPages(reportOf(reverted()), { ...CONTEXT, history: reverted() })).toHaveLength(1);
  });

  it('places times in order, whatever lies between them', () => {
    const place = scaleOf([0, 1_000, 86_400_000, Infinity]);
    const places = [-Infinity, 0, 500, 1_000, 90_000, 86_400_000, 1e12].map(place);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect([places[0], places.at(-1)]).toEqual([0, 100]);
    expect(scaleOf([5])(5)).toBe(0);
  });
});

/** Every n-th scenario is played. */
const STRIDE = 15;

const LATE = { fromMs: 0, toMs: 120 };
const WORLDS: readonly (readonly [string, Omit<SimulatorOptions, 'seed'>])[] = [
  ['in time', {}],
  [
    'late, over a network that loses replies',
    {
      ...{ timersLateMs: LATE, dispatchMs: LATE, workers: { lateMs: LATE } },
      faults: [{ perMille: 60, action: { do: 'drop-reply', seen: 'reset' } }],
    },
  ],
];

describe.each(WORLDS)('on a correct endpoint %s', async (_, options) => {
  const target = simulatorTarget({ seed: 3, graceMs: 2_000, ...options });
  const about = /health|purge|cancel|retry|ttl/;
  const some = shippedScenarios.filter(
    ({ name }, index) => (about.test(name) || index % STRIDE === 0) && !/^8\/|many/.test(name),
  );
  const { scripts } = drawPlan(some, target, 3, 1);
  const { events } = await runScripts(target, scripts, { seed: 3, edition: 'document', runproof: '0' });
  const readings = scripts.flatMap((__, script) => {
    const own = events.filter(
      (event) => event.kind === 'run' || ('script' in event && event.script === script),
    );
    const jobs = followJobs(own, new Set([script]));
    return jobs.length === 0 || own.length > 60 ? [] : [{ reading: readingOf(own, script), own, jobs }];
  });

  it('every answer of /health is within what the page says that it must be', () => {
    let [sharp, compared] = [0, 0];
    for (const { reading, own } of readings)
      for (const call of own)
        if (call.kind === 'call' && call.op === 'health' && call.reply?.status === 200)
          for (const [name, value] of countsOf(reading, at(reading, call.call))) {
            const told = toldBy(call, name);
            if (told === null || value === 'unknown') continue;
            const [, least, most = least] = /^(?:at least )?(\d+)(?: to (\d+))?$/.exec(value)!;
            compared += 1;
            if (least === most) sharp += 1;
            expect(told).toBeGreaterThanOrEqual(Number(least));
            if (!value.startsWith('at least')) expect(told).toBeLessThanOrEqual(Number(most));
          }
    expect(compared).toBeGreaterThan(60);
    expect(sharp).toBeGreaterThan(20);
  });

  it('what the page says that a job may be is what is believed', () => {
    let compared = 0;
    for (const { reading, jobs, own } of readings)
      for (const [index, job] of jobs.entries())
        for (const call of own) {
          if (call.kind !== 'call') continue;
          const instant = at(reading, call.call);
          const name = reading.data.jobs.findIndex(({ about: words }) =>
            words.includes(`submitted by #${job.submitted.call}`),
          );
          // A page shows so many jobs of a script.
          if (name === -1) expect(reading.data.jobs).toHaveLength(24);
          if (name === -1) continue;
          const believed = job.at(reading.data.instants[instant]![0], call.endedTick ?? undefined);
          if (believed.unknown !== null) continue;
          const states = new Set<string>(believed.beliefs.map(({ state }) => state));
          for (const state of reading.data.states) {
            const [first] = reading.whyNot(name, instant, state);
            if (states.has('NOT_YET') && states.size === 1) continue;
            expect(/ it (is|may be) /.test(first!), `${index} ${state}: ${first}`).toBe(states.has(state));
            compared += 1;
          }
        }
    expect(compared).toBeGreaterThan(1_000);
  });
});

const countsOf = ({ data }: Reading, instant: number): readonly (readonly [string, string])[] =>
  data.counts[data.instants[instant]![4]]!.map(
    ([name, value]) => [data.texts[name]!, data.texts[value]!] as const,
  );

/** What the answer says of a row of the page; null: it is another row. */
function toldBy({ reply }: CallEvent, row: string): number | null {
  const path = /^\/health jobs\.(\w+)$/.exec(row)?.[1];
  const value =
    reply?.body.as === 'json'
      ? (reply.body.value as { readonly jobs?: { readonly [name: string]: number } })
      : null;
  return path === undefined ? null : (value?.jobs?.[path] ?? null);
}
