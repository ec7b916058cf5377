/** A made-up run for the specs of `report/`: every verdict occurs, and the target is hostile. */
import type { CallEvent, HistoryEvent } from '../../src/history/events.js';
import type { Findings, RequirementFinding } from '../../src/oracle/ledger/findings.js';
import { transitions } from '../../src/oracle/index.js';
import { buildReport, failureFiles, type Report } from '../../src/report/index.js';
import type { RenderContext } from '../../src/report/formats/context.js';
import type { OpenQuestion, Requirement } from '../../src/spec/types.js';
import { runHeader } from '../support/run-header.js';

/** What a target may send to break an output. */
export const HOSTILE = '<script>alert(1)</script>"\'&]]>\u001b[31m\u0007\u202eabc\n::error::x';

export const DOCUMENT = `# The API

## 2. Resources

### 2.2 \`policy\` object

| Field | Meaning |
|---|---|
| \`ttl\` | Total lifespan of the job. The timer starts at **submission**. |

Rules:
1. When \`ttl\` expires, the job is deleted whatever its state.
2. It is <never> revived.

## 4. Endpoints

### 4.6 POST /retry
- Only valid for jobs whose status is \`FAILED\` or \`TIMED_OUT\`.
- Response: \`{id: string}\`
`;

const requirement = (id: string, level: Requirement['level'], text: string, quote: string): Requirement => ({
  id,
  section: id.slice(0, id.indexOf('/')),
  level,
  text,
  quote,
  needs: [],
  waitMs: 0,
});

export const REQUIREMENTS: readonly Requirement[] = [
  requirement(
    '2.2/ttl-removes',
    'must',
    'A job is gone once its `ttl` is over.',
    'the job is deleted whatever its state',
  ),
  requirement(
    '2.2/ttl-from-submission',
    'must',
    'The ttl starts at submission.',
    'The timer starts at **submission**',
  ),
  requirement('2.2/never-revived', 'should', 'A deleted job stays deleted.', 'It is <never> revived'),
  requirement('4.6/retry-failed', 'must', 'A failed job can be retried.', 'jobs whose status is `FAILED`'),
  requirement('4.6/retry-timed-out', 'must', 'A timed-out job can be retried.', '`FAILED` or `TIMED_OUT`'),
  requirement('4.6/retry-body', 'may', 'The reply holds more.', 'Response: `{id: string}`'),
  requirement('4.6/retry-late', 'must', 'A retry comes in time.', 'Only valid for jobs'),
];

const QUESTIONS: readonly OpenQuestion[] = [
  {
    id: '4.6/retry-twice',
    section: '4.6',
    question: 'What does a second retry answer?',
    quote: null,
    readings: [
      { id: 'refused', text: 'It is refused.' },
      { id: 'accepted', text: 'It is accepted.' },
    ],
    sticky: true,
  },
];

const run = runHeader({
  runproof: '0.0.0',
  seed: 42,
  target: { kind: 'http', name: 'http://127.0.0.1:8080/v2/test' },
  capabilities: ['scripted-worker', 'test-control'],
  graceMs: 250,
});

function call(number: number, op: 'run' | 'status', atMs: number, status: number, word: string): CallEvent {
  return {
    kind: 'call',
    call: number,
    script: 0,
    lane: 'main',
    endpoint: 'test',
    op,
    label: 'job',
    request: {
      method: op === 'run' ? 'POST' : 'GET',
      path: op === 'run' ? '/v2/test/run' : '/v2/test/status/abc',
      query: {},
      auth: 'bare',
      contentType: op === 'run' ? 'application/json' : null,
      body:
        op === 'run'
          ? { as: 'json', value: { input: { plan: [{ return: "it's" }] } }, bytes: 40 }
          : { as: 'none' },
      illegal: null,
    },
    sentMs: atMs,
    arrivedByMs: null,
    receivedMs: atMs + 8,
    sentTick: 2 * number,
    endedTick: 2 * number + 1,
    reply: {
      status,
      contentType: 'application/json',
      headers: { 'content-type': 'application/json' },
      body: { as: 'json', value: { id: 'abc', status: word }, bytes: 30 },
    },
    lost: null,
  };
}

export const HISTORY: readonly HistoryEvent[] = [
  run,
  {
    kind: 'script',
    script: 0,
    scenario: 'policy/ttl',
    title: 'ttl',
    endpoint: 'test',
    fresh: false,
    workers: 1,
    atMs: 0,
  },
  call(0, 'run', 0, 200, 'IN_QUEUE'),
  call(1, 'status', 9_000, 200, 'IN_PROGRESS'),
  call(2, 'status', 12_500, 200, HOSTILE),
  { kind: 'script-end', script: 0, atMs: 12_510, outcome: 'played', reason: null },
];

function finding(index: number, more: Partial<RequirementFinding>): RequirementFinding {
  const { id, section, level, text } = REQUIREMENTS[index] as Requirement;
  return {
    id,
    section,
    level,
    text,
    verdict: 'pass',
    decided: 3,
    failed: 0,
    reason: null,
    failures: [],
    ...more,
  };
}

export const FINDINGS: Findings = {
  schema: 'runproof-findings/1',
  edition: 'document',
  requirements: [
    finding(0, {
      verdict: 'fail',
      failed: 1,
      failures: [
        {
          requirement: '2.2/ttl-removes',
          script: 0,
          scenario: 'policy/ttl',
          expected: '404 from 10.008 s on',
          actual: `200 ${HOSTILE}`,
          proof: [
            '#0 submitted at ≤ 0.008 s, ttl 10 s, allowed lateness 0.250 s → must be deleted by 10.258 s',
            `#2 ${HOSTILE}`,
          ],
          calls: [0, 2],
          originMs: 0,
        },
      ],
    }),
    finding(1, { sharpest: { bound: 'too late', ms: 2_300 } }),
    finding(2, {
      verdict: 'fail',
      failed: 1,
      failures: [
        {
          requirement: '2.2/never-revived',
          script: 0,
          scenario: 'policy/ttl',
          expected: '404',
          actual: '200',
          proof: [],
          calls: [2],
          originMs: 0,
        },
      ],
    }),
    finding(3, { verdict: 'inconclusive', decided: 0, reason: 'every answer fell into the grey zone' }),
    finding(4, { verdict: 'not-exercised', decided: 0, reason: 'no situation arose' }),
    finding(5, { verdict: 'not-applicable', decided: 0, reason: 'nothing to decide' }),
    finding(6, { verdict: 'untestable', decided: 0, reason: 'needs load-allowed' }),
  ],
  openQuestions: [
    {
      id: '4.6/retry-twice',
      section: '4.6',
      question: 'What does a second retry answer?',
      readings: ['refused', 'accepted'],
      counts: { refused: 2, accepted: 1 },
      stable: false,
    },
  ],
  lateness: {
    ttl: {
      maxMs: 12,
      samples: 4,
      strikes: 2,
      usualMs: 40,
      spread: [
        [50, 1],
        [null, 1],
      ],
    },
    wait: { maxMs: 0, samples: 0, strikes: 0, usualMs: null },
  },
  transitions: [
    { from: 'IN_QUEUE', to: 'IN_PROGRESS', times: 3, shortestMs: 0, longestMs: 9_000 },
    { from: 'IN_PROGRESS', to: 'COMPLETED', times: 2, shortestMs: 1_000, longestMs: 1_000 },
  ],
  graceMs: 2_000,
  warnings: [`a doubt ${HOSTILE}`],
};

const SCRIPT = { schema: 'runproof-script/1', scenario: 'policy/ttl' };

/** As where test control makes an endpoint for the script, and removes it. */
export const HISTORY_OF_FRESH: readonly HistoryEvent[] = HISTORY.map((event) =>
  event.kind === 'script' ? { ...event, fresh: true } : event,
);

export function madeUpReport(findings: Findings = FINDINGS, history = HISTORY): Report {
  const files = failureFiles(findings, new Map([[0, SCRIPT]]), { runproof: '0.0.0', target: 'test' });
  return buildReport({
    findings,
    history,
    url: 'http://127.0.0.1:8080',
    replayArguments: ['http://127.0.0.1:8080/v2/test'],
    runproof: '0.0.0',
    program: 'npx runproof',
    at: '2001-02-03T04:05:06.000Z',
    wallMs: 1_234,
    ending: 'finished',
    scriptFiles: new Map([...files].map(([number, { name }]) => [number, name])),
    replayTokens: new Map([[0, 'rp1-abc']]),
  });
}

export const CONTEXT: RenderContext = {
  program: 'npx runproof',
  directory: 'reports/x',
  documentText: DOCUMENT,
  requirements: REQUIREMENTS,
  questions: QUESTIONS,
  lifecycle: transitions(),
  followed: () => [],
  decided: () => new Map(),
  history: HISTORY,
};
