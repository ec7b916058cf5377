/**
 * One fixed sequence of calls that covers every part of the core. The answers and effects of a service, as a
 * list of lines, are its behaviour. A mutant with the same lines as the default service has no effect.
 */
import type { CoreInput, Effect, WorkerReport } from '../../src/core/api.js';
import type { Rules } from '../../src/core/rules.js';
import type { Scaling } from '../../src/core/workers/scaling-settings.js';
import { createService } from '../../src/core/service.js';
import type { Json } from '../../src/history/events.js';

const KEY = 'rp_Test_Key';
const SECOND_KEY = 'rp_Other_Key';
const UNPERMITTED_KEY = 'no_Permission_Key';

type Step = { readonly [step: string]: Json };

interface Asked {
  readonly query?: { readonly [name: string]: string };
  readonly auth?: string | null;
  readonly endpoint?: string;
  readonly bytes?: number;
  readonly text?: string;
  /** The content type; null for none. */
  readonly type?: string | null;
  readonly method?: string;
  /** Only its header fields are sent; its body never arrives. */
  readonly held?: true;
}

/** Thrown at the first line that differs, to skip the rest. */
class Different extends Error {}

/** `quick` leaves out the last part: thousands of calls, and results of several megabytes. */
export type Length = 'quick' | 'whole';

/** The first line that differs from `expected`; null when none does. */
export function difference(
  rules: Rules,
  expected: readonly string[],
  length: Length = 'whole',
): string | null {
  const lines: string[] = [];
  try {
    exercise(
      rules,
      (line) => {
        if (line !== expected[lines.length]) {
          lines.push(line);
          throw new Different();
        }
        lines.push(line);
      },
      length,
    );
  } catch (thrown) {
    if (!(thrown instanceof Different)) throw thrown;
    return lines.at(-1)!;
  }
  return length === 'quick' || lines.length === expected.length ? null : 'the story is shorter';
}

/** The behaviour of a service with these rules, in order of time. */
export function behaviour(rules: Rules): readonly string[] {
  const lines: string[] = [];
  exercise(rules, (line) => lines.push(line), 'whole');
  return lines;
}

function exercise(rules: Rules, write: (line: string) => void, length: Length): void {
  const service = createService({
    keys: [KEY, SECOND_KEY],
    unpermittedKeys: [UNPERMITTED_KEY],
    rules,
    endpoints: [
      { id: 'ep', workers: 1 },
      { id: 'other', workers: 1 },
    ],
  });
  /** What handlers and webhook receivers do next, each at its instant. */
  const agenda: { atMs: number; attempt: number; act: () => void }[] = [];
  const stopped = new Set<number>();
  let nowMs = 0;
  let calls = 0;
  let started = 'none';
  let answerWebhooks: (number | null)[] = [];
  let isBrief = false;

  function note(what: string, value: unknown): void {
    const text = JSON.stringify(value, isBrief ? inBrief : undefined);
    write(`${nowMs} ${what} ${text.length > 400 ? `${text.length}:${text.slice(0, 200)}` : text}`);
  }

  function apply(input: CoreInput) {
    const output = service.apply(nowMs, input);
    for (const effect of output.effects) {
      note(effect.kind, effect);
      react(effect);
    }
    return output.reply;
  }

  function react(effect: Effect): void {
    if (effect.kind === 'stop') stopped.add(effect.attempt);
    if (effect.kind === 'webhook') {
      const status = answerWebhooks.length > 1 ? answerWebhooks.shift()! : (answerWebhooks[0] ?? 200);
      const act = (): void => void apply({ kind: 'webhook-ended', delivery: effect.delivery, status });
      agenda.push({ atMs: nowMs + 300, attempt: 0, act });
    }
    if (effect.kind !== 'start') return;
    started = effect.job;
    const input = (effect.input ?? {}) as {
      readonly plan?: readonly Step[];
      readonly planOnRetry?: readonly Step[];
    };
    const plan = (effect.ranBefore ? input.planOnRetry : undefined) ??
      input.plan ?? [{ return: { echo: effect.input } }];
    follow(effect.attempt, plan, 0, nowMs);
  }

  /** Executes the steps of a handler one by one; at the end of its plan, it succeeds. */
  function follow(attempt: number, plan: readonly Step[], at: number, atMs: number): void {
    const step = plan[at] ?? { return: { ok: true } };
    if ('hang' in step) return;
    if ('sleepMs' in step) return follow(attempt, plan, at + 1, atMs + Number(step['sleepMs']));
    const act = (): void => {
      if (stopped.has(attempt)) return;
      const report = reportOf(step);
      apply({ kind: 'worker', attempt, report });
      if (report.kind === 'stream' || report.kind === 'progress') follow(attempt, plan, at + 1, nowMs);
    };
    agenda.push({ atMs, attempt, act });
  }

  /** Moves time forward, event by event. */
  function pass(ms: number): void {
    const untilMs = nowMs + ms;
    for (;;) {
      const next = agenda.reduce<(typeof agenda)[number] | null>(
        (a, b) => (a === null || b.atMs < a.atMs ? b : a),
        null,
      );
      const nextMs = Math.min(next?.atMs ?? Infinity, service.nextDeadlineMs() ?? Infinity);
      if (nextMs > untilMs) break;
      nowMs = Math.max(nowMs, nextMs);
      if (next === null || next.atMs > nextMs) {
        apply({ kind: 'settle' });
        continue;
      }
      agenda.splice(agenda.indexOf(next), 1);
      next.act();
    }
    nowMs = untilMs;
    apply({ kind: 'settle' });
  }

  function call(method: string, path: string, body?: Json, asked: Asked = {}): string {
    const text = asked.text ?? (body === undefined ? null : JSON.stringify(body));
    const auth = asked.auth === undefined ? KEY : asked.auth;
    const reply = apply({
      kind: asked.held === true ? 'arrival' : 'request',
      callId: ++calls,
      request: {
        method,
        path: path.startsWith('//') ? path.slice(1) : `/v2/${asked.endpoint ?? 'ep'}${path}`,
        query: asked.query ?? {},
        headers: {
          ...(auth === null ? {} : { authorization: auth }),
          ...(asked.type === null ? {} : { 'content-type': asked.type ?? 'application/json' }),
        },
        body: text,
        bodyBytes: asked.bytes ?? (text === null ? 0 : Buffer.byteLength(text)),
      },
    });
    note(`${method} ${path}`, reply);
    pass(0);
    const id = (reply?.body as { id?: string } | null | undefined)?.id;
    return typeof id === 'string' ? id : 'none';
  }

  const run = (
    plan: readonly Step[],
    more: { readonly [key: string]: Json } = {},
    asked: Asked = {},
  ): string =>
    call(
      'POST',
      '/run',
      { input: { plan, ...(more['input'] as object | undefined) }, ...withoutInput(more) },
      asked,
    );
  const look = (job: string): void =>
    void ['/status', '/stream'].map((path) => call('GET', `${path}/${job}`));
  const health = (): void =>
    void ['ep', 'other'].map((endpoint) => call('GET', '/health', undefined, { endpoint }));

  const hands: Hands = {
    run,
    look,
    health,
    call,
    pass,
    webhooks: (statuses) => void (answerWebhooks = [...statuses]),
    fresh(workers) {
      for (const endpoint of ['ep', 'other']) apply({ kind: 'create-endpoint', endpoint, workers });
    },
    scaled: (workers) => apply({ kind: 'create-endpoint', endpoint: 'ep', workers, jobsPerWorker: 2 }),
    workers: (count) => void apply({ kind: 'set-workers', endpoint: 'ep', workers: count }),
    lastStarted: () => started,
    hangUpLast: () => void apply({ kind: 'hang-up', callId: calls }),
    brief: (on) => void (isBrief = on),
  };
  story(hands);
  if (length === 'whole') ending(hands);
}

/**
 * Shortens long texts and lists to their length, beginning and end: writing megabytes takes most of the time.
 */
function inBrief(_: string, value: unknown): unknown {
  if (typeof value === 'string' && value.length > 1_000)
    return `${value.length}: ${value.slice(0, 100)}…${value.slice(-100)}`;
  if (Array.isArray(value) && value.length > 1_000)
    return [value.length, ...(value as unknown[]).slice(0, 10), ...(value as unknown[]).slice(-10)];
  return value;
}

function reportOf(step: Step): WorkerReport {
  if ('stream' in step) return { kind: 'stream', output: step['stream']! };
  if ('streamWithMetrics' in step) {
    const { output, metrics } = step['streamWithMetrics'] as {
      readonly output: Json;
      readonly metrics: Json;
    };
    return { kind: 'stream', output, metrics };
  }
  if ('streamBytes' in step) return { kind: 'stream', output: 'x'.repeat(Number(step['streamBytes'])) };
  if ('progress' in step) return { kind: 'progress', output: step['progress']! };
  if ('fail' in step) return { kind: 'error', message: String(step['fail']) };
  if ('crash' in step) return { kind: 'crash' };
  return { kind: 'success', output: step['return'] ?? null };
}

function withoutInput(more: { readonly [key: string]: Json }): { readonly [key: string]: Json } {
  return Object.fromEntries(Object.entries(more).filter(([key]) => key !== 'input'));
}

interface Hands {
  run(plan: readonly Step[], more?: { readonly [key: string]: Json }, asked?: Asked): string;
  look(job: string): void;
  health(): void;
  call(method: string, path: string, body?: Json, asked?: Asked): string;
  pass(ms: number): void;
  webhooks(statuses: readonly (number | null)[]): void;
  fresh(workers: number): void;
  /** Replaces endpoint `ep` by one with scaled workers of two slots each. */
  scaled(workers: Scaling): void;
  workers(count: number): void;
  /** The job that started last: the ids of /runsync jobs are known only at their end. */
  lastStarted(): string;
  hangUpLast(): void;
  /** Runs a part whose results of several megabytes are shortened. */
  brief(on: boolean): void;
}

const DAY_MS = 86_400_000;
const HANG: Step = { hang: true };
const BUSY: readonly Step[] = [{ sleepMs: 3_000 }, { return: { n: 1 } }];

function story(h: Hands): void {
  submissions(h);
  lives(h);
  deadlines(h);
  waits(h);
  streams(h);
  cancelsAndRetries(h);
  purges(h);
  keysAndPaths(h);
  webhooks(h);
  staffs(h);
}

/** The long part, which is skipped when a fault shows before. */
function ending(h: Hands): void {
  rates(h);
  large(h);
}

function staffs({ run, look, pass, health, fresh, scaled }: Hands): void {
  const low = { policy: { lowPriority: true } };
  fresh(2);
  const first = run([HANG]);
  look(run([{ sleepMs: 1_000 }, { crash: true }], low));
  pass(1_000);
  look(first);
  for (const scaler of [
    { kind: 'queue-delay', delayMs: 4_000 } as const,
    { kind: 'request-count', jobsPerWorker: 1 } as const,
  ]) {
    scaled({ min: 0, max: 3, coldStartMs: 2_000, idleTimeoutMs: 5_000, scaler });
    run(BUSY, low);
    health();
    pass(10_000);
    health();
    for (let count = 0; count < 3; count++) run(BUSY);
    for (let seconds = 0; seconds < 20; seconds++) {
      pass(1_000);
      health();
    }
  }
}

const nested = (depth: number): Json => (depth === 0 ? 'deep' : { in: nested(depth - 1) });

function submissions({ call, run, look, pass, health, fresh }: Hands): void {
  fresh(1);
  for (const op of ['/run', '/runsync']) {
    for (const text of ['', '{', '[]', '7', 'null']) call('POST', op, undefined, { text });
    call('POST', op);
    call('POST', op, undefined, { text: '{"input":{"a":1},"input":{"b":2}}' });
    call('POST', op, undefined, {
      text: `{"webhook":"http://hook.test/${'w'.repeat(40)}","input":{"a":1}}`,
      bytes: op === '/run' ? 10_485_770 : 20_971_530,
    });
    for (const input of [null, [], 'text', 7, true]) call('POST', op, { input });
    call('POST', op, {});
    call('POST', op, { input: {} });
    for (const more of BODIES) call('POST', op, { input: { a: 1 }, ...(more as object) });
    for (const type of ['text/plain', null]) call('POST', op, { input: { a: 1 } }, { type });
    for (const bytes of [6e6, 10e6, 10_000_001, 10_485_760, 10_485_761, 20e6, 20_000_001, 20_971_521]) {
      call('POST', op, { input: { a: 1 } }, { bytes });
    }
    call('POST', op, { input: nested(20) });
  }
  // In edition runpod a job with an empty input occupies its worker for a while.
  pass(240_000);
  const rich = { ключ: 'значение', id: 'mine', deep: [null, { x: null, y: [1.5, true] }] };
  look(run([{ return: { ok: true } }], { input: rich }));
  for (const output of [[1, 2], 'text', 7, null, { é: 'ü' }]) look(run([{ return: output }]));
  const s3Config = {
    accessId: 'Id',
    accessSecret: 'Secret',
    bucketName: 'Bucket',
    endpointUrl: 'http://S3/',
    more: 1,
  };
  run([{ fail: 'no' }], { s3Config });
  look(run([{ fail: 'no' }], {}));
  health();
}

const BODIES: readonly Json[] = [
  { webhook: 7 },
  { webhook: 'nowhere' },
  { webhook: 'ftp://host/x' },
  { webhook: 'http://10.0.0.1/x' },
  { webhook: null, policy: null, s3Config: null },
  { policy: 'text' },
  { policy: [] },
  { policy: { unknown: 1 } },
  { policy: { ttl: null, executionTimeout: null, lowPriority: null } },
  ...[0, -1, 9_999, 10_000, 10_000.5, 7 * DAY_MS, 7 * DAY_MS + 1, '10000', 'x', true, {}].map((ttl) => ({
    policy: { ttl },
  })),
  ...[0, -1, 4_999, 5_000, 5_000.5, 7 * DAY_MS, 7 * DAY_MS + 1, '5000', 'x', true, {}].map(
    (executionTimeout) => ({
      policy: { executionTimeout },
    }),
  ),
  { policy: { ttl: 10_000, executionTimeout: 20_000 } },
  { policy: { lowPriority: 'yes' } },
  { policy: { lowPriority: true } },
  { s3Config: 'text' },
  { s3Config: {} },
  { s3Config: { accessId: 7 } },
  { unknown: 1 },
];

function lives({ run, look, pass, health, fresh, call, workers }: Hands): void {
  fresh(1);
  const jobs = [
    run(BUSY),
    run([{ sleepMs: 700 }, { fail: 'broken' }]),
    run([{ crash: true }]),
    run(BUSY, { policy: { lowPriority: true } }),
  ];
  const elsewhere = run(BUSY, {}, { endpoint: 'other' });
  jobs.push(run(BUSY));
  for (let i = 0; i < 14; i++) {
    pass(1_000);
    for (const job of jobs) look(job);
    health();
  }
  for (const path of ['/status', '/stream', '/cancel', '/retry']) {
    call(path === '/cancel' || path === '/retry' ? 'POST' : 'GET', `${path}/${elsewhere}`);
  }
  const failing = run([{ fail: 'x' }], {}, { endpoint: 'other' });
  call('POST', `/retry/${failing}`);
  call('GET', '/requests');
  call('POST', '/openai/v1/chat', { model: 'm' });
  workers(3);
  jobs.push(run(BUSY), run(BUSY), run(BUSY), run(BUSY));
  workers(1);
  health();
  pass(20_000);
  health();
}

function deadlines({ run, look, pass, health, fresh, call }: Hands): void {
  fresh(1);
  const blocker = run([HANG], { policy: { executionTimeout: 40_000 } });
  const queued = run(BUSY, { policy: { ttl: 15_000, executionTimeout: 6_000 } });
  const waits = run([HANG], { policy: { executionTimeout: 9_000 } });
  for (let i = 0; i < 12; i++) {
    pass(5_000);
    for (const job of [blocker, queued, waits]) look(job);
    health();
  }
  fresh(1);
  const ended = [
    run([{ return: 1 }], { policy: { ttl: 20_000, executionTimeout: 5_000 } }),
    run([{ fail: 'x' }], { policy: { ttl: 20_000 } }),
  ];
  const hanging = run([HANG], { policy: { ttl: 12_000 } });
  const cancelled = run(BUSY, { policy: { ttl: 30_000 } });
  call('POST', `/cancel/${cancelled}`);
  for (let i = 0; i < 9; i++) {
    pass(4_000);
    for (const job of [...ended, hanging, cancelled]) look(job);
  }
  const set = ['', 'x', '1.5', '-1', '0', '6000', '20000', String(8 * DAY_MS)].map((ttl) => {
    const job = run([HANG], { policy: { ttl: 30_000 } });
    pass(3_000);
    call('GET', `/status/${job}`, undefined, { query: { ttl } });
    return job;
  });
  for (let i = 0; i < 12; i++) {
    for (const job of set) look(job);
    pass(4_500);
  }
  // A ttl that counts from the call ends later than one that counts from the submission.
  for (const [givenAtMs, ttl] of [
    [5_000, '20000'],
    [15_000, '10000'],
  ] as const) {
    fresh(1);
    const job = run([HANG], { policy: { ttl: 60_000 } });
    pass(givenAtMs);
    call('GET', `/status/${job}`, undefined, { query: { ttl } });
    for (const waitMs of [1_000, 15_000, 5_000]) {
      pass(waitMs);
      look(job);
    }
  }
  fresh(2);
  const quick = run([{ return: 1 }]);
  call('GET', `/status/${quick}`, undefined, { query: { ttl: String(3 * 3_600_000) } });
  const endless = run([HANG]);
  const brief = run([{ return: 1 }]);
  call('GET', `/status/${brief}`, undefined, { query: { ttl: '10000' } });
  const failed = run([{ fail: 'x' }]);
  const gone = run(BUSY);
  call('POST', `/cancel/${gone}`);
  for (const waitMs of [10_000, 240_000, 60_000, 300_000, 1_190_000, 1_000, 30 * 60_000]) {
    pass(waitMs);
    for (const job of [quick, endless, failed, gone, brief]) look(job);
  }
  fresh(1);
  const long = run([HANG], { policy: { executionTimeout: 7 * DAY_MS, ttl: 7 * DAY_MS } });
  const def = run([HANG]);
  for (let i = 0; i < 8; i++) {
    pass(DAY_MS / 2);
    look(long);
    look(def);
  }
  fresh(2);
  const longer = [
    run([HANG], { policy: { executionTimeout: 20 * DAY_MS, ttl: 9 * DAY_MS } }),
    run([HANG], { policy: { executionTimeout: 8 * DAY_MS, ttl: 20 * DAY_MS } }),
  ];
  for (let i = 0; i < 11; i++) {
    pass(DAY_MS);
    for (const job of longer) look(job);
  }
}

function waits({ call, pass, run, look, health, fresh, hangUpLast, lastStarted }: Hands): void {
  fresh(1);
  for (const wait of ['', '0', '999', '1000', '1000.5', '300000', '300001', '-5', 'soon']) {
    call('POST', '/runsync', { input: { plan: [{ return: wait }] } }, { query: { wait } });
  }
  for (const wait of ['5', '400000']) {
    call('POST', '/runsync', { input: { plan: [HANG] } }, { query: { wait } });
    for (let i = 0; i < 4; i++) pass(100_000);
    fresh(1);
  }
  for (const plan of [BUSY, [{ fail: 'x' }], [{ crash: true }]])
    call('POST', '/runsync', { input: { plan } as Json });
  pass(5_000);
  call('POST', '/runsync', { input: { plan: [HANG] }, policy: { executionTimeout: 5_000 } });
  pass(200_000);
  call(
    'POST',
    '/runsync',
    { input: { plan: [{ sleepMs: 4_000 }, { return: 1 }] } },
    { query: { wait: '1000' } },
  );
  pass(200_000);
  call(
    'POST',
    '/runsync',
    { input: { plan: [HANG] }, policy: { ttl: 10_000 } },
    { query: { wait: '300000' } },
  );
  pass(400_000);
  call('POST', '/runsync', { input: { plan: [{ sleepMs: 200_000 }] } }, { query: { wait: '300000' } });
  pass(60_000);
  call('POST', '/runsync', { input: { plan: BUSY } as Json });
  call('POST', '/purge-queue');
  pass(400_000);
  const block = run([HANG]);
  call('POST', '/runsync', { input: { plan: BUSY } as Json });
  hangUpLast();
  health();
  call('POST', `/cancel/${block}`);
  pass(30_000);
  call('GET', '/requests');
  call('POST', '/runsync', { input: { plan: [HANG] } });
  pass(200_000);
  call('POST', `/cancel/${lastStarted()}`);
  call('POST', '/runsync', { input: { plan: [HANG] } });
  pass(3_000);
  call('POST', `/cancel/${lastStarted()}`);
  pass(400_000);
  fresh(8);
  const kept: string[] = [];
  for (const wait of [undefined, '1000', '30000', '150000', '300000']) {
    call(
      'POST',
      '/runsync',
      { input: { plan: [{ sleepMs: 10 }, { return: 1 }] } },
      { query: wait === undefined ? {} : { wait } },
    );
    kept.push(lastStarted());
  }
  // Both outlive their `wait`; the second has that of 90 s.
  for (const [ms, query] of [
    [10_000, { wait: '1000' }],
    [91_000, {}],
  ] as const) {
    call('POST', '/runsync', { input: { plan: [{ sleepMs: ms }, { return: 1 }] } }, { query });
    kept.push(lastStarted());
  }
  pass(10);
  call('POST', '/runsync', { input: { plan: [{ fail: 'x' }], planOnRetry: [{ return: 1 }] } });
  kept.push(lastStarted());
  call('POST', `/retry/${lastStarted()}`);
  for (let i = 0; i < 13; i++) {
    for (const job of kept) look(job);
    pass(25_000);
  }
}

function streams({ run, look, pass, call, fresh }: Hands): void {
  fresh(1);
  const parts: Step[] = [1, 'two', { three: 3 }].flatMap((stream) => [{ stream }, { sleepMs: 1_000 }]);
  const job = run(parts);
  const waiting = run([{ progress: 'half' }, { sleepMs: 700 }, { stream: 1 }]);
  for (let i = 0; i < 8; i++) {
    look(job);
    look(waiting);
    pass(600);
  }
  look(run([{ stream: 'a' }, { return: 'b' }]));
  look(run([{ streamWithMetrics: { output: 'a', metrics: { tokens: 3, model: 'm' } } }, { return: 'b' }]));
  const failing = run([{ stream: 'a' }, { fail: 'x' }], {
    input: { planOnRetry: [{ sleepMs: 50 }, { stream: 'b' }] },
  });
  look(failing);
  call('POST', `/retry/${failing}`);
  look(failing);
  pass(100);
  look(failing);
  const cancelled = run([{ stream: 'a' }, { sleepMs: 500 }, { stream: 'b' }, { sleepMs: 5_000 }]);
  call('POST', `/cancel/${cancelled}`);
  look(cancelled);
  pass(1_000);
  look(cancelled);
  pass(10_000);
  look(cancelled);
}

function cancelsAndRetries({ run, look, pass, call, health, fresh }: Hands): void {
  fresh(1);
  const done = run([{ return: 1 }]);
  const failed = run([{ fail: 'x' }], {
    input: { planOnRetry: [{ sleepMs: 2_000 }, { fail: 'y' }] },
    policy: { executionTimeout: 7_000, ttl: 900_000 },
  });
  const timed = run([HANG], { policy: { executionTimeout: 5_000 } });
  const running = run([{ sleepMs: 20_000 }]);
  const queued = run(BUSY);
  for (const job of [
    done,
    failed,
    timed,
    running,
    queued,
    'never-was',
    '00000000-0000-4000-8000-000000000000',
  ]) {
    call('POST', `/retry/${job}`);
    look(job);
  }
  pass(5_000);
  const behind = run(BUSY);
  call('POST', `/retry/${timed}`);
  call('POST', `/cancel/${running}`);
  look(running);
  look(timed);
  for (const job of [done, failed, queued, running, timed, 'never-was']) {
    call('POST', `/cancel/${job}`);
    call('POST', `/retry/${job}`);
    look(job);
  }
  pass(500);
  look(behind);
  pass(9_000);
  const again = run([{ fail: 'x' }], { input: { planOnRetry: [{ sleepMs: 1_500 }, { fail: 'y' }] } });
  for (let i = 0; i < 7; i++) {
    call('POST', `/retry/${again}`);
    look(again);
    pass(2_000);
    look(again);
    health();
  }
  const hang = run([{ fail: 'x' }], {
    input: { planOnRetry: [HANG] },
    policy: { executionTimeout: 6_000, ttl: 30_000 },
    s3Config: { accessId: 'a' },
  });
  pass(3_000);
  call('POST', `/retry/${hang}`);
  for (let i = 0; i < 6; i++) {
    pass(2_500);
    look(hang);
  }
  call('POST', `/retry/${hang}`);
  pass(20_000);
  look(hang);
  call('POST', `/retry/${hang}`);
  fresh(1);
  const early = run([{ fail: 'x' }], { input: { planOnRetry: [{ sleepMs: 10 }] } });
  pass(100);
  const block = run([{ sleepMs: 3_000 }]);
  const late = [run([{ sleepMs: 500 }]), run([{ sleepMs: 500 }])];
  call('POST', `/retry/${early}`);
  for (let i = 0; i < 10; i++) {
    pass(500);
    for (const job of [early, block, ...late]) call('GET', `/status/${job}`);
  }
  fresh(1);
  const twice: string[] = [];
  run([{ sleepMs: 1_000 }]);
  twice.push(run([{ sleepMs: 200 }, { fail: 'x' }], { input: { planOnRetry: [{ sleepMs: 300 }] } }));
  pass(2_000);
  run([{ sleepMs: 1_500 }]);
  call('POST', `/retry/${twice[0]!}`);
  pass(4_000);
  look(twice[0]!);
}

function purges({ run, look, pass, call, health, fresh }: Hands): void {
  fresh(1);
  const done = run([{ fail: 'x' }]);
  const jobs = [run(BUSY), run(BUSY), run(BUSY)];
  call('POST', `/retry/${done}`);
  const elsewhere = [run(BUSY, {}, { endpoint: 'other' }), run(BUSY, {}, { endpoint: 'other' })];
  call('POST', '/purge-queue');
  health();
  for (const job of [done, ...jobs]) look(job);
  for (const job of elsewhere) call('GET', `/status/${job}`, undefined, { endpoint: 'other' });
  pass(4_000);
  health();
  for (const job of [done, ...jobs, run(BUSY)]) look(job);
  call('POST', '/purge-queue');
}

function keysAndPaths({ run, look, call, pass, health, fresh }: Hands): void {
  fresh(1);
  const running = run([HANG]);
  const queued = run(BUSY);
  const failed = run([{ fail: 'x' }], {}, { endpoint: 'other' });
  const bad = [
    null,
    '',
    'Bearer',
    'Bearer ',
    'wrong',
    'Bearer wrong',
    KEY.slice(0, 5),
    `${KEY}x`,
    KEY.toLowerCase(),
    `bearer ${KEY}`,
  ];
  for (const auth of bad) {
    call('GET', `/status/${running}`, undefined, { auth });
    call('GET', '/health', undefined, { auth });
    call('POST', '/run', { input: { plan: [{ return: 1 }] } }, { auth });
    call('POST', '/run', { input: 1 }, { auth });
    call('GET', '/status/never-was', undefined, { auth });
    call('GET', '/health', undefined, { auth, endpoint: 'nowhere' });
    call('POST', `/retry/${failed}`, undefined, { auth, endpoint: 'other' });
    call('POST', `/cancel/${queued}`, undefined, { auth });
    call('POST', '/purge-queue', undefined, { auth });
    call('GET', '/health', undefined, { auth, query: { api_key: KEY } });
    health();
  }
  call('GET', `/status/${running}`, undefined, { auth: `Bearer ${KEY}` });
  look(queued);
  for (const [method, path] of PATHS) call(method, path.replace('ID', running));
  call('POST', `/cancel/${running}`, { unneeded: 1 });
  call('GET', '/health', undefined, { query: { unknown: '1' } });
  for (const path of ['/status/ID', '/stream/ID', '/health', '/requests'])
    call('GET', path, undefined, { endpoint: 'nowhere' });
  for (const path of ['/run', '/runsync', '/cancel/x', '/retry/x', '/purge-queue']) {
    call('POST', path, { input: 7 }, { endpoint: 'nowhere' });
  }
  pass(11_000);
}

const PATHS: readonly (readonly [string, string])[] = [
  ['GET', '/run'],
  ['POST', '/status/ID'],
  ['PUT', '/status/ID'],
  ['HEAD', '/status/ID'],
  ['OPTIONS', '/run'],
  ['GET', '/status'],
  ['GET', '/status/'],
  ['GET', '/health/'],
  ['GET', '/nothing'],
  ['GET', '//v1/ep/health'],
  ['GET', '//v9/ep/health'],
  ['GET', '//ep/health'],
];

function webhooks({ run, pass, fresh, call, webhooks, workers }: Hands): void {
  fresh(1);
  for (const [index, answers] of [
    [200],
    [201],
    [302],
    [404],
    [500],
    [null],
    [500, 200],
    [500, null, 200],
  ].entries()) {
    webhooks(answers);
    run([{ sleepMs: 100 }, { return: 1 }], { webhook: `http://hook.test/path/${index}?token=${index}` });
    pass(200);
    pass(120_000);
  }
  webhooks([200]);
  const failed = run([{ fail: 'x' }], {
    webhook: 'http://hook.test/f',
    input: { planOnRetry: [{ return: 2 }] },
  });
  call('POST', `/retry/${failed}`);
  run([HANG], { webhook: 'http://hook.test/t', policy: { executionTimeout: 5_000 } });
  run([HANG], { webhook: 'http://hook.test/d', policy: { ttl: 10_000 } });
  pass(20_000);
  call('POST', `/cancel/${run([HANG], { webhook: 'http://hook.test/c' })}`);
  call('POST', '/runsync', { input: { plan: [{ return: 1 }] }, webhook: 'http://hook.test/s' });
  webhooks([500]);
  run([{ return: 1 }], { webhook: 'http://hook.test/gone', policy: { ttl: 15_000 } });
  pass(60_000);
  workers(1);
}

function rates({ run, call, pass, health, fresh }: Hands): void {
  fresh(1);
  const many = (count: number, one: () => void): void => {
    for (let i = 0; i < count; i++) one();
  };
  const purge = (): void => void call('POST', '/purge-queue');
  const cancel = (): void => void call('POST', '/cancel/00000000-0000-4000-8000-000000000000');
  run([HANG]);
  many(2, () => run(BUSY));
  many(4, purge);
  run(BUSY);
  purge();
  health();
  call('POST', '/purge-queue', undefined, { endpoint: 'other' });
  call('POST', '/purge-queue', undefined, { endpoint: 'other' });
  pass(4_000);
  purge();
  pass(6_001);
  many(3, purge);
  fresh(1);
  purge();
  pass(8_000);
  purge();
  pass(2_500);
  many(2, purge);
  many(120, cancel);
  pass(9_000);
  many(2, cancel);
  pass(1_001);
  many(3, cancel);
  fresh(1);
  many(120, () => call('POST', '/cancel/00000000-0000-4000-8000-000000000000', undefined, { auth: 'wrong' }));
  many(2, cancel);
  pass(20_000);
  many(99, cancel);
  many(3, () =>
    call('POST', '/cancel/00000000-0000-4000-8000-000000000000', undefined, { auth: SECOND_KEY }),
  );
  call('GET', '/health', undefined, { auth: UNPERMITTED_KEY });
  fresh(1);
  many(1_002, () => run([{ return: 1 }]));
  many(1_100, () => call('GET', '/status/00000000-0000-4000-8000-000000000000'));
  many(2_002 - 1_100, () => call('GET', '/status/00000000-0000-4000-8000-000000000000'));
  many(12, () => call('GET', '/requests'));
  many(501, () => call('GET', '/health'));
  many(501, () => call('POST', '/retry/00000000-0000-4000-8000-000000000000'));
  many(101, () => call('GET', '/health', undefined, { auth: 'wrong' }));
  fresh(1);
  many(402, () => call('POST', '/runsync', { input: { plan: [HANG] } }));
  health();
  many(160, () => run(BUSY));
  fresh(1);
  many(2_002, () => call('POST', '/runsync', { input: { plan: [{ return: 1 }] } }));
  many(2_002, () => call('POST', '/openai/v1/models', { model: 'm' }));
  fresh(1);
  for (const path of ['/openai/v1/models', '/openai/v1/other'])
    many(1_002, () => call('POST', path, { model: 'm' }));
  for (const [count, method, path] of [
    [199, 'POST', '/run'],
    [399, 'POST', '/runsync'],
    [399, 'GET', '/status/none'],
    [399, 'GET', '/stream/none'],
    [19, 'POST', '/cancel/none'],
    [399, 'POST', '/openai/v1/models'],
    [1, 'GET', '/requests'],
  ] as const) {
    fresh(1);
    const body = path.startsWith('/run') ? { input: { plan: [{ return: 1 }] } } : undefined;
    many(count, () => call(method, path, body, { held: true }));
    call(method, path, body);
    call(method, path, body, { held: true });
    call(method, path, body);
  }
}

function large({ run, look, pass, fresh, brief }: Hands): void {
  fresh(1);
  brief(true);
  look(run([{ return: 'y'.repeat(2_100_000) }]));
  for (const streamBytes of [70_000, 999_990, 1_000_000, 1_000_001, 1_048_577, 2_500_000])
    look(run([{ streamBytes }]));
  look(run([{ stream: Array.from({ length: 300_000 }, (_, i) => i) }]));
  look(run([{ stream: '"\n'.repeat(400_000) }]));
  look(run([{ stream: '"\n'.repeat(600_000) }]));
  look(run([{ stream: 'x'.repeat(999_995) }]));
  look(run([{ stream: { deep: 'é'.repeat(700_000) } }]));
  pass(1_000);
}
