/** Reports on clients, made by hand: a few weathers, with verdicts that no rule has given. */
import type { RuleVerdict, Violation } from '../../../src/client/judge.js';
import type { ClientRun, Ending, WeatherResult } from '../../../src/client/report.js';
import type { ClientRule } from '../../../src/client/rule.js';
import type { WholeCall, ClientEnd, Session } from '../../../src/client/session.js';
import { callOf, READ, type Reply, type Said } from '../../client/call-of.js';
import { renderContext } from '../../../src/judging/render-context.js';
import { type ClientReportOptions, clientReport } from '../../../src/report/client/build.js';
import type { RenderContext } from '../../../src/report/formats/context.js';
import type { Report } from '../../../src/report/index.js';
import type { Weather } from '../../../src/client/weather/weather.js';

/** Markup, a terminal escape, the end of a code fence, and a line that would begin a row. */
const HOSTILE = '<script>alert(1)</script>\u001b[31m ``` | x';

const RULES = {
  key: rule('client/key-in-header', 'must', ['clear'], {
    kind: 'document',
    section: '5',
    quote: 'carries an API key in the `authorization` header',
  }),
  stops: rule('client/stops-at-failed', 'should', ['job-fails'], {
    kind: 'consequence',
    section: '3',
    why: 'No move leads from FAILED to another state.',
  }),
  pause: rule('client/poll-pause', 'should', ['clear'], { kind: 'http', reference: 'RFC 9110 §9.2.2' }),
  chunks: rule('client/reads-all-chunks', 'should', ['chunks-in-parts'], {
    kind: 'consequence',
    section: '4.4',
    why: 'It delivers what was produced.',
  }),
} as const;

type RuleName = keyof typeof RULES;

function rule(
  id: string,
  level: ClientRule['level'],
  weather: readonly string[],
  source: ClientRule['source'],
): ClientRule {
  const text = `The client keeps \`${id}\`.`;
  return {
    ...{ id, level, text, source, decidedBy: 'what it did', weather },
    ...{ traffic: 'each call', occasions: () => [] },
  };
}

/** Violated, kept, or open. */
type State = Violation | 'kept' | 'open';

function verdictsOf(states: { readonly [name in RuleName]?: State }): readonly RuleVerdict[] {
  return Object.entries(RULES).map(([name, one]) => {
    const state = states[name as RuleName] ?? 'open';
    if (typeof state === 'string') return { rule: one, state };
    return { rule: one, state: 'violated', violations: [state] };
  });
}

export const answered = (status: number, body?: Extract<Reply, { kind: 'answer' }>['body']): Reply => ({
  ...{ kind: 'answer', status, retryAfterMs: null, body },
});

export function call(number: number, atMs: number, more: Partial<Said> = {}): WholeCall {
  const reply = answered(200, { id: 'abc', status: 'FAILED' });
  const said = { ...READ, path: '/v2/client/status/abc', job: 'abc', reply, ...more };
  return callOf(said, number, atMs, atMs + 5);
}

export const submission = call(1, 100, {
  ...{ operation: 'run', method: 'POST', path: '/v2/client/run', job: null },
  contentType: 'application/json',
  body: { bytes: 20, isJson: true, value: { input: { x: 1 } } },
  reply: answered(200, { id: 'abc', status: 'IN_QUEUE' }),
});

/** Polls, ten a second. */
export const polls = (count: number, status = 'FAILED'): readonly WholeCall[] =>
  Array.from({ length: count }, (_, index) =>
    call(index + 2, 200 + index * 100, { reply: answered(200, { id: 'abc', status }) }),
  );

export const exits = (code: number, atMs = 5_000): ClientEnd => ({
  ...{ kind: 'ended', success: code === 0, how: `exit code ${code}`, exitCode: code, atMs },
});

interface Made {
  readonly calls?: readonly WholeCall[];
  readonly end?: ClientEnd;
  readonly states?: { readonly [name in RuleName]?: State };
  readonly ending?: Ending;
  readonly weather?: Partial<Weather>;
  readonly more?: Partial<WeatherResult>;
  readonly session?: Partial<Session>;
}

export function result(id: string, made: Made = {}): WeatherResult {
  const { calls = [submission, ...polls(2, 'COMPLETED')], end = exits(0), states = {}, more } = made;
  return {
    session: {
      weather: { id, text: `It is ${id}.`, basis: { kind: 'network' }, leads: 'success', ...made.weather },
      ...{
        edition: 'document',
        calls,
        webhooks: [],
        jobs: [],
        end,
        limitMs: 30_000,
        jobsWhenClear: null,
        patienceMs: null,
        printed: null,
        idleConnectionsMax: 1,
        machineLags: [],
      },
      ...made.session,
    },
    verdicts: verdictsOf({ key: 'kept', pause: 'kept', ...states }),
    ending: made.ending ?? { kind: 'as-expected' },
    output: { stdout: '', stderr: '', leftOutBytes: 0 },
    selfCheck: [],
    ...more,
  };
}

/** It asks on after it was told FAILED. */
export const asksOn = (id: string, count = 18): WeatherResult =>
  result(id, {
    calls: [submission, ...polls(count)],
    end: { kind: 'stopped', atMs: 30_000 },
    states: {
      stops: {
        calls: polls(count).map(({ id }) => id),
        text: `it asked ${count - 1} times more after it had been told FAILED`,
      },
    },
    ending: { kind: 'not-judged', why: 'it was stopped' },
  });

export function reportOf(results: readonly WeatherResult[], more: Partial<ClientRun> = {}): ClientRun {
  return {
    ...{ runproof: '1.2.3', client: 'node my-client.js' },
    ...{ startedAt: '2001-02-03T04:05:06.000Z', wallMs: 31_000, seed: 7, speed: 60, edition: 'document' },
    ...{ results, untried: [] },
    ...more,
  };
}

/** Several kinds of violations, a self-check that failed, and hostile text wherever a client can put it. */
export const MIXED: ClientRun = reportOf(
  [
    result('clear'),
    asksOn('worker-crashes', 3),
    asksOn('job-fails'),
    result('rate-limited-for-ever', {
      calls: [
        call(1, 10, {
          ...{ path: `/v2/client/status/${HOSTILE}`, job: HOSTILE, method: 'GET' },
          ...{ query: { [HOSTILE]: HOSTILE }, fault: HOSTILE, reply: answered(429, { status: HOSTILE }) },
        }),
      ],
      end: { kind: 'ended', success: false, how: `rejected: ${HOSTILE}`, atMs: 7_000 },
      states: { key: { calls: [1], text: `it sent ${HOSTILE}` }, pause: 'open' },
      more: { output: { stdout: HOSTILE, stderr: '', leftOutBytes: 12 } },
      session: {
        webhooks: [
          {
            ...{ number: 1, job: 'abc', address: HOSTILE, startedMs: 20, endedMs: 30, status: 200 },
            ...{ fate: 'delivered', state: 'COMPLETED' },
          },
        ],
      },
    }),
    result('key-revoked', {
      ending: { kind: 'unexpected', text: 'it ended with exit code 0, although its job did not complete' },
    }),
    result('read-half', { more: { selfCheck: [`4.3/x failed: ${HOSTILE}`] } }),
  ],
  { client: `node ${HOSTILE}` },
);

const repeat = (weathers: readonly string[]): string =>
  `runproof client --only ${weathers.join()} --seed 7 -- node my-client.js`;

/** The report that is printed and written. */
export const written = (run: ClientRun, options: ClientReportOptions = {}): Report =>
  clientReport(run, repeat, options);

export const CONTEXT: RenderContext = renderContext([], { program: 'runproof', directory: 'out' });
