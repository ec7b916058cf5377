/** `runproof show`: failures, scripts, jobs and calls of a report. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BeliefStep, Moment } from '../../../src/oracle/index.js';
import { fromHere } from '../../../src/program-name.js';
import { rulesFor } from '../../../src/core/rules.js';
import type { HistoryEvent, RunEvent } from '../../../src/history/events.js';
import { checkTarget, simulatorTarget } from '../../../src/index.js';
import { MUTANTS } from '../../../src/mutants/index.js';
import type { Report } from '../../../src/report/index.js';
import { runCli } from '../../../src/shell/program.js';
import { HISTORY, HISTORY_OF_FRESH, madeUpReport } from '../../report/sample-report.js';
import { TraceBuilder } from '../../oracle/support/trace-builder.js';
import { createFakeIo, type FakeIo } from '../../cli/fake-io.js';

/** A check of an endpoint whose ttl spares running jobs. */
const ttlIgnored = checkTarget(
  simulatorTarget({
    ...{ seed: 1, graceMs: 2_000 },
    rules: MUTANTS.find(({ id }) => id === 'ttl-spares-running')!.rules(rulesFor({}, 'document')),
  }),
  { seed: 1, runs: 1, only: ['2.2/ttl-removes-running'] },
);

function ioWithReport(history: readonly HistoryEvent[] = HISTORY, report: Report = madeUpReport()): FakeIo {
  const io = createFakeIo();
  mkdirSync(join(io.cwd, 'r'));
  writeFileSync(join(io.cwd, 'r/report.json'), JSON.stringify(report));
  writeFileSync(join(io.cwd, 'r/history.ndjson'), history.map((event) => JSON.stringify(event)).join('\n'));
  return io;
}

async function shown(...what: readonly string[]): Promise<string> {
  const io = ioWithReport();
  expect(await runCli(['show', 'r', ...what], io)).toBe(0);
  return io.printed();
}

/** Of a job whose ttl does not delete it. */
async function believed(...what: readonly string[]): Promise<string> {
  const trace = new TraceBuilder(1)
    .submitted(0, 'a', [{ hang: true }], { ttl: 10_000 })
    .seen(1_000, 'a', 'IN_PROGRESS')
    .seen(11_000, 'a', 'IN_PROGRESS')
    .lost(13_000, 'run', null, 'timeout')
    .lost(13_500, 'cancel', 'a', 'timeout');
  const io = ioWithReport(trace.history(20_000));
  expect(await runCli(['show', 'r', ...what], io)).toBe(0);
  return io.printed();
}

async function refused(...what: readonly string[]): Promise<string> {
  const io = ioWithReport();
  expect(await runCli(['show', 'r', ...what], io)).toBe(2);
  return io.complained();
}

describe('show', () => {
  it('lists what failed, with the calls that show it, in words, and what else it can show', async () => {
    const text = await shown();
    expect(text).toMatch(
      /^2\.2\/ttl-removes {2}#0, .*#2\n {4}Rule: A job is gone once its `ttl` is over\. Violated /m,
    );
    expect(text).toMatch(/script:0\); with --at 12s, .*\n.*--as vitest/);
  });

  it('prints what failed as JSON, a line for each requirement, in either spelling', async () => {
    const lines = await shown('--format', 'json');
    const [line = '', ...others] = lines.trimEnd().split('\n');
    const first = JSON.parse(line) as object;
    expect(first).toMatchObject({
      id: '2.2/ttl-removes',
      level: 'must',
      calls: expect.arrayContaining([0, 2]),
    });
    expect(Object.keys(first)).toEqual(expect.arrayContaining(['expected', 'actual', 'proof', 'replay']));
    expect(others.map((other) => (JSON.parse(other) as { id: string }).id)).toEqual(['2.2/never-revived']);
    expect(await shown('--json')).toBe(lines);
    expect(await shown('2.2/ttl-removes', '--json')).toBe(`${line}\n`);
    expect(JSON.parse(await shown('#0', '--format', 'json'))).toMatchObject({ kind: 'call', call: 0 });
    expect(await shown('--format', 'text')).toBe(await shown());
  });

  it('says of a merged report which of its parts has the calls', async () => {
    const io = ioWithReport();
    mkdirSync(join(io.cwd, 'all'));
    const parts = { ...madeUpReport(), parts: ['../r', '../gone'] };
    writeFileSync(join(io.cwd, 'all/report.json'), JSON.stringify(parts));
    expect(await runCli(['show', 'all', '2.2/ttl-removes'], io)).toBe(2);
    const where = fromHere(join(io.cwd, 'all/../r'), io.cwd);
    expect(io.complained()).toContain(`show ${where} 2.2/ttl-removes"`);
    expect(io.complained()).not.toContain('gone');
    expect(await runCli(['show', where, '2.2/ttl-removes'], io)).toBe(0);
  });

  it('says of what failed that it is intermittent', async () => {
    const report = madeUpReport();
    const confirmed = { script: null, steps: 1, of: 1, fault: null, failed: 1, plays: 2 };
    const requirements = report.requirements.map((one) => ({
      ...one,
      failures: one.failures.map((failure) => ({ ...failure, confirmed })),
    }));
    const io = ioWithReport();
    writeFileSync(join(io.cwd, 'r/report.json'), JSON.stringify({ ...report, requirements }));
    expect(await runCli(['show', 'r'], io)).toBe(0);
    expect(io.printed()).toMatch(
      /2\.2\/ttl-removes {2}#0, .*#2 {2}intermittent: the same script failed in 1 of 2 more runs\n/,
    );
  });

  it('opens a call: request, reply, what rests on it, the other calls of its job, curl', async () => {
    const text = await shown('#0');
    expect(text).toContain('#0 POST run job → 200 IN_QUEUE');
    expect(text).toContain('script 0, policy/ttl; sent at 0 s, answered 8 ms later');
    expect(text).toContain(
      '> POST /v2/test/run\n> authorization: <the API key>\n> content-type: application/json',
    );
    expect(text).toContain('{"input":{"plan":[{"return":"it\'s"}]}}');
    expect(text).toContain('< 200\n< content-type: application/json');
    expect(text).toContain('Failures that rest on this call\n  2.2/ttl-removes');
    expect(text).toMatch(/Other calls of job abc\n +9 s {2}#1 GET status job → 200 IN_PROGRESS/);
    expect(text).toContain(
      '\n\nFirst set RUNPROOF_API_KEY to the API key (that of the emulator: runproof-local)\ncurl -sS -i -X POST http://127.0.0.1:8080/v2/test/run',
    );
    expect(await shown('0')).toBe(text);
  });

  it('takes no call for one of the same job that was made to the endpoint of another script', async () => {
    const [run, script, ...others] = HISTORY_OF_FRESH;
    const another = HISTORY_OF_FRESH.filter((event) => event.kind === 'call').map((call) => ({
      ...call,
      call: call.call + 100,
      script: 100,
    }));
    const io = ioWithReport([run!, script!, ...another, ...others]);
    expect(await runCli(['show', 'r', '#0'], io)).toBe(0);
    expect(io.printed()).toMatch(/Other calls of job abc\n +9 s {2}#1 GET/);
    expect(io.printed()).not.toMatch(/#10\d/);
  });

  it('names no curl line for a call of an endpoint that the run made and removed', async () => {
    const io = ioWithReport(HISTORY_OF_FRESH);
    expect(await runCli(['show', 'r', '#0'], io)).toBe(0);
    expect(io.printed()).toMatch(
      /\nNo curl line: the run made endpoint test for this script, .*\nTo make all calls of this script again, .*:\n.* replay r\/failures\/\S+\.json http/,
    );
    expect(io.printed()).not.toContain('curl -sS');
  });

  it('names the script of such a call, if no failure of it was saved', async () => {
    const requirements = madeUpReport().requirements.map((one) => ({ ...one, failures: [] }));
    const io = ioWithReport(HISTORY_OF_FRESH, { ...madeUpReport(), requirements });
    expect(await runCli(['show', 'r', '#0'], io)).toBe(0);
    expect(io.printed()).toMatch(/\nAll calls of this script:\n.* show r script:0\n$/);
  });

  it('opens a requirement: the steps of the script in words, the evidence marked', async () => {
    const text = await shown('2.2/ttl-removes');
    expect(text).toContain('Script 0: policy/ttl');
    expect(text).toMatch(/^> +#0 +0 s {2}submit by \/run job \(input .*\) → 200 IN_QUEUE$/m);
    expect(text).toMatch(/^> +#2 +12\.5 s {2}read the status of job → 200/m);
    expect(text).toContain('> GET /v2/test/status/abc');
    expect(text).toMatch(
      /\n\nThe curl line may get .* gone\nFirst set RUNPROOF_API_KEY to .*\n.*curl -sS -i .*\/v2\/test\/status\/abc.*\n\nAs a test .*\n.* show r 2\.2\/ttl-removes --as vitest\n$/,
    );
  });

  it('names the script that makes all calls of a requirement, if the report has it', async () => {
    const report = madeUpReport();
    const requirements = report.requirements.map(({ failures, ...one }) => ({
      ...one,
      failures: failures.map((failure) => ({ ...failure, shell: "failures/it's.sh" })),
    }));
    const io = ioWithReport(HISTORY_OF_FRESH);
    writeFileSync(join(io.cwd, 'r/report.json'), JSON.stringify({ ...report, requirements }));
    expect(await runCli(['show', 'r', '2.2/ttl-removes'], io)).toBe(0);
    expect(io.printed()).toMatch(
      /\nNo curl line: .*\nFirst set RUNPROOF_API_KEY to .*\nbash 'r\/failures\/it'\\''s\.sh'\n\nAs a test /,
    );
  });

  it('offers no test of a requirement that passed', async () => {
    const passed = madeUpReport().requirements.find(({ verdict }) => verdict === 'pass')!.id;
    const text = await shown(passed);
    expect(text).toContain(passed);
    expect(text).not.toContain('--as');
  });

  it('says where a curl line names a job of the run, and which file makes all calls', async () => {
    const report = madeUpReport();
    const requirements = report.requirements.map(({ failures, ...one }) => ({
      ...one,
      failures: failures.map((failure) => ({ ...failure, shell: 'failures/a.sh' })),
    }));
    const controlled = HISTORY.map((event) =>
      event.kind === 'run' ? { ...event, clock: 'controlled' as const } : event,
    );
    const io = ioWithReport(controlled, { ...report, requirements });
    expect(await runCli(['show', 'r', '#2'], io)).toBe(0);
    expect(io.printed()).toMatch(
      /\nThe curl line may get another answer: the job that it names may be gone\. The \.sh file .*\n.*\ncurl .*\nbash r\/failures\/a\.sh\n$/,
    );
    const made = await shown('#0');
    expect(made).not.toContain('may be gone');
  });

  it('opens a script and a job', async () => {
    expect(await shown('script:0')).toMatch(/^ +#1 +9 s {2}read the status of job → 200 IN_PROGRESS$/m);
    expect(await shown('policy/ttl')).toBe(await shown('script:0'));
    expect((await shown('abc')).match(/^< 200$/gm)).toHaveLength(3);
  });

  it('prints calls as JSON', async () => {
    const lines = (await shown('abc', '--json')).trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { call: number }).call)).toEqual([0, 1, 2]);
  });

  it('says what a job may have been at an instant, and why nothing else', async () => {
    expect(await believed('script:0', '--at', '5s')).toBe(
      [
        'Script 0: told, at 5 s',
        'told by hand',
        '',
        'Job a  submitted by #0',
        '  It is',
        '    IN_PROGRESS  entered between 0 s and 100 ms',
        '  It cannot be',
        '    IN_QUEUE     by earlier answers, the job was IN_PROGRESS',
        '                 3/no-return-to-queue  A running job does not go back to IN_QUEUE unless its worker died or it was retried.',
        '    COMPLETED, FAILED',
        "                 the worker's plan ends with: never",
        '                 3/not-completed-before-handler-ends  A job is not COMPLETED, FAILED or TIMED_OUT before its handler has ended or its `executionTimeout` has passed.',
        '    TIMED_OUT    started between 0 s and 100 ms, executionTimeout 10 min',
        "                 2.2/execution-timeout-default-not-early  A job without `executionTimeout` is not stopped before it has run for the endpoint's default: as stated, 10 minutes on an endpoint made for the test, else at least 5 s.",
        '    CANCELLED, PURGED',
        '                 no call and no timer has brought it there',
        '    GONE         ttl set at 0 s or later, ttl 10 s → not deleted before 10 s',
        '                 2.2/ttl-not-early-running  A running job is not deleted before its `ttl` has passed.',
        '',
      ].join('\n'),
    );
  });

  it('says of a failing call that nothing explains it, and goes on without it', async () => {
    const text = await believed('--at', 'call:2');
    expect(text).toContain(
      [
        '  Before #2 it was',
        '    GONE         entered between 10 s and 10.1 s, by its ttl',
        '  Nothing explains #2 GET status a → 200 IN_PROGRESS',
        '    2.2/ttl-removes-running  A running job is deleted when its `ttl` expires.',
      ].join('\n'),
    );
    expect(text).toContain('      but it was still there at 11 s');
    expect(await believed('a', '--at', '#2')).toBe(text);
    expect(await believed('a', '--at', '12s')).toContain(
      '  Without that answer and these requirements it may be',
    );
  });

  it('names calls that may have taken effect, and submissions of which no job is known', async () => {
    const text = await believed('0', '--at', '14s');
    expect(text).toContain('#3 POST run → timeout: there may be a job of it, whose id was lost');
    expect(text).toContain('  Not answered by then, in effect or not: #4');
  });

  it('allows what others may have done, where a recording may lack it', async () => {
    const capture = { readable: 1, clocks: 1, complete: true, others: true };
    const trace = new TraceBuilder(null, { capture, clock: 'real' }, false)
      .submitted(0, 'a', [{ hang: true }])
      .seen(1_000, 'a', 'IN_PROGRESS')
      .alive(4_000)
      .lost(5_000, 'status', 'a', 'refused')
      .alive(9_000);
    const io = ioWithReport(trace.history(20_000));
    expect(await runCli(['show', 'r', 'a', '--at', '2s'], io)).toBe(0);
    expect(io.printed()).not.toContain('Not answered by then');
    expect(io.printed()).toContain('IN_QUEUE     entered between 1 s and 2 s\n');
    expect(io.printed()).toContain('CANCELLED    entered between 1 s and 2 s\n');
  });

  it('says of an answer that tells nothing that it rules nothing out', async () => {
    expect(await shown('--at', 'call:2')).toMatch(
      /which fails 2\.2\/ttl-removes .*[^]*Before #2 it was\n +COMPLETED .*\n +#2 rules nothing of that out\n/,
    );
  });

  it('prints the beliefs as JSON', async () => {
    const job = JSON.parse(await believed('script:0', '--at', '5s', '--json')) as {
      readonly at: Moment;
      readonly steps: readonly BeliefStep[];
    };
    expect(job.at.beliefs).toEqual([{ state: 'IN_PROGRESS', fromMs: 0, byMs: 100, by: null, call: null }]);
    expect(job.steps.map(({ call }) => call)).toEqual([1, 2]);
  });

  it.each([
    ['vitest', /await at\(12001\);\n.*\n {2}expect\(call3\.answer\)\.toEqual\('404'\);\n}\);\n$/],
    ['pytest', /at\(12001\)\n.*\n {4}assert call3\.answer == '404'\n$/],
    ['go', /at\(12001\)\n.*\n\tif call3\.answer != "404" {.*}\n}\) }\n$/],
    [
      'dispute',
      /> When `ttl` expires, the job is deleted whatever its state\.[^]*answer of call 3 of the test: "404"/,
    ],
  ])('prints a failure as %s', async (as, what) => {
    const { report, history } = await ttlIgnored;
    const io = ioWithReport(history, report);
    expect(await runCli(['show', 'r', '2.2/ttl-removes-running', '--as', as], io)).toBe(0);
    expect(io.printed()).toMatch(what);
    expect(io.printed()).not.toMatch(as === 'dispute' ? /simulator-key/ : /runproof(?!-local)/);
  });

  it.each([
    ['real', 'vitest', true],
    ['real', 'go', true],
    ['real', 'dispute', false],
    ['virtual', 'pytest', false],
  ] as const)('of a run with a %s clock as %s, it warns: %s', async (clock, as, warns) => {
    const { report, history } = await ttlIgnored;
    const [run, ...events] = history as readonly [RunEvent, ...HistoryEvent[]];
    const isReal = { ...report, target: { ...report.target, clock } };
    const io = ioWithReport([{ ...run, clock }, ...events], isReal);
    expect(await runCli(['show', 'r', '2.2/ttl-removes-running', '--as', as], io)).toBe(0);
    expect(io.printed().includes('Caution: from a run in real time')).toBe(warns);
    expect(io.complained().includes('A test from a check with --control is reliable')).toBe(warns);
  });

  it.each(['vitest', 'pytest', 'go'])(
    'as %s, waits for an answer before the call that uses its id, though its time, rounded up, is the later one',
    async (as) => {
      const { report, history } = await ttlIgnored;
      const rounded = history.map((event): HistoryEvent => {
        if (event.kind === 'run') return { ...event, clock: 'real' };
        if (event.kind !== 'call' || event.receivedMs === null) return event;
        return { ...event, sentMs: event.sentMs - 1, receivedMs: event.receivedMs + 1 };
      });
      const inRealTime = { ...report, target: { ...report.target, clock: 'real' as const } };
      const io = ioWithReport(rounded, inRealTime);
      expect(await runCli(['show', 'r', '2.2/ttl-removes-running', '--as', as], io)).toBe(0);
      expect(io.printed()).toMatch(/call2 :?= .*\n[^]*call2\.id/);
      expect(io.printed()).not.toContain('later');
    },
  );

  it('says why there is nothing to print as a test', async () => {
    expect(await refused('4.8/counts-completed', '--as', 'vitest')).toContain(
      '--as needs a requirement that failed, and 4.8/counts-completed is none',
    );
    expect(await refused('2.2/ttl-removes', '--as', 'vitest')).toContain(
      'is no test for vitest: the run as a whole shows it, and no few calls do. "',
    );
  });

  it('asks for a script where the instant is none of a call', async () => {
    expect(await refused('--at', '9s')).toContain('--at needs a script');
    expect(await refused('--at', 'call:77')).toContain('no call #77');
    expect(await refused('0', '--at', 'soon')).toContain('a call such as call:7');
  });

  it('lets nothing of the target reach the terminal unescaped', async () => {
    const texts = [await shown('2'), await shown('2.2/ttl-removes'), await shown('script:0')];
    for (const text of [...texts, await shown('2', '--at', '20s'), await shown('--at', 'call:2')])
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });

  it('says what the report has where it does not have what is asked for', async () => {
    expect(await refused('77')).toContain('no call #77: its calls are numbered from #0 to #2');
    expect(await refused('2.2/ttl-remove')).toContain('2.2/ttl-removes');
    expect(await refused('script:9')).toContain(
      'no script:9: its scripts are numbered from script:0 to script:0',
    );
  });

  it('refuses a report without its history', async () => {
    const io = createFakeIo();
    writeFileSync(join(io.cwd, 'report.json'), JSON.stringify(madeUpReport()));
    expect(await runCli(['show', '.'], io)).toBe(2);
    expect(io.complained()).toContain('there is no history.ndjson beside .');
  });
});

describe('a job by how its id begins', () => {
  const io = (): FakeIo => {
    const trace = new TraceBuilder(2)
      .submitted(0, '123-a', [{ hang: true }])
      .submitted(0, '124-b', [{ hang: true }])
      .seen(1_000, '123-a', 'IN_PROGRESS');
    return ioWithReport(trace.history(2_000));
  };
  it.each(['123', 'job:123', '123-a'])('%s', async (what) => {
    const asked = io();
    expect(await runCli(['show', 'r', what], asked)).toBe(0);
    expect(asked.printed()).toContain('/v2/e/status/123-a');
    expect(asked.printed()).not.toContain('124-b');
  });

  it('that several have', async () => {
    const asked = io();
    expect(await runCli(['show', 'r', 'job:12'], asked)).toBe(2);
    expect(asked.complained()).toContain(
      '2 jobs have an id that begins with 12: job:123 (script:0), job:124 (script:0)\n',
    );
  });

  it('that none has: the nearest are named', async () => {
    const asked = io();
    expect(await runCli(['show', 'r', 'job:129'], asked)).toBe(2);
    expect(asked.complained()).toContain(
      'no job whose id begins with 129. These begin with 12: job:123 (script:0), job:124 (script:0)\n',
    );
    const other = io();
    expect(await runCli(['show', 'r', 'job:z'], other)).toBe(2);
    expect(other.complained()).toMatch(/no job whose id begins with z$/m);
  });
});

it('says that an instant lies after the last call of the script', async () => {
  const note = 'The last call of the script was over at';
  expect(await believed('script:0', '--at', '9s')).not.toContain(note);
  expect(await believed('script:0', '--at', '1h')).toContain(note);
});
