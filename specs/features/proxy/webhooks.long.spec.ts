/** Webhooks that pass are judged as those of a check are, and nothing is held against a service that was not seen. */
import { describe, expect, test } from 'vitest';
import { LiveJudge } from '../../../src/judging/live/live-judge.js';
import { parseScript } from '../../../src/scenario/index.js';
import { LOST } from '../../../src/history/exchange.js';
import { toldMs } from '../../../src/judging/live/live-calls.js';
import {
  AT,
  called,
  END_MS,
  HOOK,
  job,
  judgedOfWebhooks as judged,
  LIFE,
  read,
  record,
  run,
  isBegin,
  seen,
  type Seen,
  settings,
} from './support.js';

const NOTHING = { live: [], end: [] };
const failing = (id: string) => ({ live: [id], end: [id] });
const at = (...times: readonly (readonly [atMs: number, answered?: number | null, tookMs?: number])[]) =>
  times.map(([atMs, answered = 200, tookMs = 20]) => called({ atMs, id: 'a', answered, tookMs }));

describe('a correct service fails nothing', () => {
  test.each([
    [
      'called once',
      at([2_500]),
      ['6/called-on-completion-run', '6/no-call-before-completion', '6/stops-after-200'],
    ],
    ['called as soon as the job ends', at([2_001]), ['6/called-on-completion-run']],
    [
      'called three times',
      at([2_500, 503], [12_530, 500], [22_560, 404]),
      [
        '6/retries-after-error-status',
        '6/pause-not-shorter',
        '6/at-most-three-attempts',
        '6/pause-not-longer',
      ],
    ],
    [
      'called again from the start of the first',
      at([2_500, 503, 4_000], [12_500, 200]),
      ['6/stops-after-200', '6/second-success-ends-retries'],
    ],
    ['given up', at([2_500, null, 30_000], [42_520, 200]), ['6/called-on-completion-run']],
    [
      'answered late',
      at([2_500, 200, 8_000], [12_500, 200, 8_000], [22_500, 200, 8_000]),
      ['6/at-most-three-attempts'],
    ],
  ])('%s', (_, webhooks, decided) => {
    const found = judged([...job(0, 'a'), ...LIFE], webhooks);
    expect(found).toMatchObject(NOTHING);
    expect(found.decided).toEqual(expect.arrayContaining(decided));
  });

  test('many jobs share an address, and some calls come before the submission is answered', () => {
    const ids = Array.from({ length: 20 }, (_, nth) => `job-${nth}`);
    const told = ids.flatMap((id, nth) => [
      {
        ...run(nth * 500, id),
        path: 'runsync',
        reply: record(id, 'COMPLETED'),
        tookMs: 2_100,
        webhook: HOOK,
      },
      read(nth * 500 + 5_000, id, 'COMPLETED'),
    ]);
    const webhooks = ids.map((id, nth) => called({ atMs: nth * 500 + 2_050, id }));
    const found = judged([...told, ...LIFE], webhooks);
    expect(found).toMatchObject(NOTHING);
    expect(found.decided).toEqual(
      expect.arrayContaining(['6/called-on-completion-runsync', '6/stops-after-200']),
    );
  });
});

const FAULTS: readonly (readonly [what: string, webhooks: readonly (readonly Seen[])[], id: string])[] = [
  [
    'a fourth call',
    at([2_500, 503], [12_530, 503], [22_560, 503], [32_590, 503]),
    '6/at-most-three-attempts',
  ],
  ['a call after 200', at([2_500], [12_530]), '6/stops-after-200'],
  ['calls 2 s apart', at([2_500, 503], [4_500, 503], [6_500, 503]), '6/pause-not-shorter'],
  ['a call 40 s after the first', at([2_500, 503], [42_500]), '6/pause-not-longer'],
  ['no second call', at([2_500, 503]), '6/retries-after-error-status'],
  [
    'no second call after a broken connection',
    [
      called({ atMs: 2_500, id: 'a', answered: null }).map((one) =>
        isBegin(one) ? one : { ...one, outcome: LOST },
      ),
    ],
    '6/retries-after-dropped-connection',
  ],
  ['a call while the job runs', at([500]), '6/no-call-before-completion'],
  ['no call', [], '6/called-on-completion-run'],
];

describe('a faulty service fails what it violates, while calls pass and at the end', () => {
  test.each(FAULTS)('%s', (_, webhooks, id) => {
    expect(judged([...job(0, 'a'), ...LIFE], webhooks)).toMatchObject(failing(id));
  });

  test.each(FAULTS)('%s, beside other jobs with the same address', (_, webhooks, id) => {
    const beginsMs = [500, 45_000, 121_000];
    const others = beginsMs.flatMap((atMs) => job(atMs, `at-${atMs}`));
    const theirs = beginsMs.map((atMs) => called({ atMs: atMs + 2_500, id: `at-${atMs}` }));
    expect(judged([...job(0, 'a'), ...others, ...LIFE], [...webhooks, ...theirs])).toMatchObject(failing(id));
  });
});

test('a record that is a member of the body is known by its id, also where payloads are digests', () => {
  const body = { id: 'evt-1', job: { ...record('a', 'COMPLETED'), output: { text: 'x' } } };
  const twice = [2_500, 12_530].map((atMs) => called({ atMs, id: 'a', body }));
  expect(judged([...job(0, 'a'), ...LIFE], twice)).toMatchObject(failing('6/stops-after-200'));
});

test('of a submission of 2 MB as of any other', () => {
  const [submitted, ...reads] = job(0, 'a');
  const told = [{ ...submitted!, input: { image: 'x'.repeat(2_000_000) } }, ...reads, ...LIFE];
  expect(judged(told, at([2_500]))).toMatchObject(NOTHING);
  expect(judged(told, [])).toMatchObject(failing('6/called-on-completion-run'));
});

describe('nothing fails', () => {
  const told = [...job(0, 'a'), ...LIFE];

  test.each(FAULTS)('of %s where others may use the service', (_, webhooks) => {
    expect(judged(told, webhooks, { others: true })).toMatchObject(NOTHING);
  });

  test('of many calls where others may retry the job', () => {
    const calls = Array.from({ length: 12 }, (_, nth) => [2_500 + nth * 3_000, 503] as const);
    expect(judged(told, at(...calls), { others: true })).toMatchObject(NOTHING);
  });

  test('of an address of which a large body keeps only the beginning', () => {
    const address = `${HOOK}?token=${Array.from({ length: 2_000 }, (_, nth) => nth).join('-')}`;
    const [submitted, ...reads] = job(0, 'a', address);
    const large = [{ ...submitted!, input: { image: 'x'.repeat(100_000) } }, ...reads, ...LIFE];
    expect(judged(large, [called({ atMs: 2_500, id: 'a', address })])).toMatchObject(NOTHING);
  });

  test('of a call that was held up on its way', () => {
    expect(judged(told, at([3_800, 503], [12_600, 503], [22_700, 503]))).toMatchObject(NOTHING);
  });

  test('of a pause in which a call came that names no job', () => {
    const unknown = called({ atMs: 12_550, id: '', answered: 503, body: {} });
    expect(judged(told, [...at([2_500, 503], [22_600, 503]), unknown])).toMatchObject(NOTHING);
  });

  test('of a webhook that goes past the proxy', () => {
    const past = (all: readonly Seen[]): readonly Seen[] =>
      all.map((one) => {
        const { isWebhookSeen, ...rest } = one;
        return isWebhookSeen === undefined ? one : rest;
      });
    expect(judged(told, [], {}, past)).toMatchObject(NOTHING);
  });

  test('of a job from before the proxy', () => {
    const late = [read(1_000, 'a', 'IN_PROGRESS'), read(3_000, 'a', 'COMPLETED'), ...LIFE];
    expect(judged(late, at([2_500], [4_500], [5_500], [6_500]))).toMatchObject(NOTHING);
  });

  test.each([
    ['that names no job', {}],
    ['that names another', { id: 'evt-1', status: 'COMPLETED' }],
    ['that two jobs may mean', { one: { id: 'a' }, two: { id: 'b' } }],
  ])('for want of a call, where one came %s', (_, body) => {
    const two = [...job(0, 'a'), ...job(10, 'b'), ...LIFE];
    expect(judged(two, [called({ atMs: 2_500, id: '', body })])).toMatchObject(NOTHING);
  });

  test('where the record is a member of the body', () => {
    const body = { id: 'evt-1', event: 'job.done', job: record('a', 'COMPLETED') };
    expect(judged(told, [called({ atMs: 2_500, id: '', body })])).toMatchObject(NOTHING);
  });

  test('for want of a call that is under way', () => {
    const [begin] = called({ atMs: 100_000, id: 'a', tookMs: 90_000 });
    expect(judged(told, [[begin!]]).end).toEqual([]);
  });

  test('for want of a call, where the service was lost meanwhile', () => {
    const lost = { ...read(5_000, 'other', ''), reply: null };
    expect(judged([...told, lost], [])).toMatchObject(NOTHING);
  });

  test('for want of a call, where the service answers nothing any more', () => {
    const until = (all: readonly Seen[]): readonly Seen[] => all.filter((one) => toldMs(one) < AT + 20_000);
    expect(judged(told, [], {}, until)).toMatchObject(NOTHING);
  });

  test('for want of a call, where the service calls others all the time', () => {
    const ids = Array.from({ length: 30 }, (_, nth) => `job-${nth}`);
    const others = ids.flatMap((id) => job(20, id, 'http://slow.example/'));
    const busy = ids.map((id, nth) =>
      called({ atMs: 3_000 + nth * 5_000, id, tookMs: 4_900, address: 'http://slow.example/' }),
    );
    expect(judged([...told, ...others], busy)).toMatchObject(NOTHING);
  });

  test('for want of a call, where the service repeats those of others all the time, and one after the other', () => {
    const ids = Array.from({ length: 5 }, (_, nth) => `job-${nth}`);
    const others = ids.flatMap((id) => job(20, id));
    const busy = ids.flatMap((id, nth) =>
      [0, 1, 2].map((attempt) => called({ atMs: 3_000 + (nth * 3 + attempt) * 10_000, id, answered: 503 })),
    );
    expect(judged([...told, ...others], busy)).toMatchObject(NOTHING);
  });

  test('for want of a call, where calls were missed', () => {
    const judge = new LiveJudge(settings({ others: false, webhooks: true }));
    const all = told.flatMap(seen).toSorted((one, other) => toldMs(one) - toldMs(other));
    for (const one of all) {
      judge.take(one);
      if (toldMs(one) === AT + 100) judge.miss(1, { fromMs: AT + 100, byMs: AT + 110 });
      judge.look(toldMs(one));
    }
    for (const _ of judge.finish(AT + END_MS)) continue;
    expect(judge.finished!.report.requirements.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  });
});

test.each([
  ['no call', [], ['run', 'status', 'status', 'status'], [{ status: 200 }], '6/called-on-completion-run'],
  [
    'a fourth call',
    at([2_500, 503], [12_530, null], [22_560, 503], [32_590, 503]),
    ['run', 'status', 'status', 'status'],
    [{ status: 503 }, { close: true }, { status: 503 }, { status: 503 }],
    '6/at-most-three-attempts',
  ],
])(
  'the script of %s answers webhooks as they were answered, and waits for them',
  (_, webhooks, steps, answers, id) => {
    const judge = new LiveJudge(settings({ others: false, webhooks: true }));
    const all = [...[...job(0, 'a'), ...LIFE].flatMap(seen), ...webhooks.flat()];
    for (const one of all.toSorted((left, right) => toldMs(left) - toldMs(right))) {
      judge.look(toldMs(one));
      judge.take(one);
    }
    const { file, ...made } = new Map(judge.takeFailing()).get(id)!;
    expect(file).not.toBeNull();
    const script = parseScript(JSON.parse((made as { text: string }).text).script);
    expect(script.steps.map((step) => step.do)).toEqual(steps);
    expect(script.steps[0]).toMatchObject({ webhook: answers });
    expect(script.expectedMs).toBeGreaterThan(60_000);
  },
);
