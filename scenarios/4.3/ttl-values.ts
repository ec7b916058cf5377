import { scenario } from '../../src/scenario/index.js';
import { HOUR_MS, STATUS_TTL_EXAMPLE_MS, TTL_MAX_MS, TTL_MIN_MS } from '../../src/spec/limits.js';

export default scenario.each({}, (one) => ({
  'ttl-accepted': one({
    title: 'any ttl within the range is answered with the record, as without a ttl',
    script: (_, s) => [
      s.run('job'),
      s.status('job'),
      [TTL_MAX_MS, HOUR_MS, 60_000].map((ttl) => s.status('job', { ttl })),
    ],
  }),
  'ttl-given-twice': one({
    title: 'a ttl given to /status holds until another one is given, while the job waits and while it runs',
    needs: ['scripted-worker', 'worker-count-known'],
    workers: 1,
    exclusive: true,
    draw: (arb, limits) => {
      const firstMs = TTL_MIN_MS + 2 * limits.marginMs;
      return {
        firstMs: arb.just(firstMs),
        longerMs: arb.duration(firstMs + 8_000 + 4 * limits.marginMs, firstMs + 12_000 + 4 * limits.marginMs),
        marginMs: arb.margin(limits),
      };
    },
    script: ({ firstMs, longerMs, marginMs }, s) => [
      ['longer', 'shorter', 'waits longer', 'waits shorter'].map((job) => [
        s.run(job, { plan: [{ hang: true }], policy: s.noTimeouts }),
      ]),
      s.awaitStarted('longer'),
      ['longer', 'waits longer'].map((job) => [
        s.status(job, { ttl: firstMs }),
        s.status(job, { ttl: longerMs }),
      ]),
      ['shorter', 'waits shorter'].map((job) => [
        s.status(job, { ttl: longerMs }),
        s.status(job, { ttl: firstMs }),
      ]),
      s.status(['longer', 'waits longer', 'shorter', 'waits shorter'], {
        at: s.after('waits shorter', 'submitted', firstMs).plus(2 * marginMs + 2_000),
      }),
      s.status(['longer', 'waits longer'], {
        at: s.after('waits shorter', 'submitted', longerMs).plus(2 * marginMs + 2_000),
      }),
    ],
  }),
  'ttl-is-no-number': one({
    title: 'a ttl of /status that is not a number is answered with 400 and changes nothing',
    script: (_, s) => [
      s.run('job'),
      ['abc', '', 'soon', '6s', '60000ms', 'NaN', 'true', '-', '{}'].map((ttl) =>
        s.raw('GET', '/status/{job:job}', `ttl-${ttl === '' ? 'empty' : ttl}`, { query: { ttl } }),
      ),
      s.status('job'),
    ],
  }),
  'ttl-of-no-length': one({
    title: 'how /status treats a ttl of 0 and a negative one',
    needs: ['scripted-worker'],
    draw: (arb, limits) => ({
      marginMs: arb.margin(limits),
      ttlMs: arb.integer(-TTL_MIN_MS, -1),
    }),
    script: ({ marginMs, ttlMs }, s) => [
      s.blocker('runs'),
      s.awaitStarted('runs'),
      s.blocker('waits'),
      s.status('waits'),
      s.status('runs', { ttl: 0 }),
      s.status('waits', { ttl: ttlMs }),
      s.raw('GET', '/status/no-such-job', 'unknown-job'),
      s.status('runs', { at: s.wait(Math.min(marginMs, TTL_MIN_MS / 4)) }),
      s.status('waits'),
      s.status('waits', { at: s.after('waits', 'submitted', TTL_MIN_MS).plus(marginMs + 500) }),
      s.status('runs'),
      s.cancel('runs'),
      s.cancel('waits'),
    ],
  }),
  'ttl-of-six-seconds': one({
    title: "the document's own example, a ttl of 6000, takes effect as given",
    needs: ['scripted-worker'],
    draw: (arb, limits) => ({ marginMs: arb.margin(limits) }),
    script: ({ marginMs }, s) => [
      s.run('other', { plan: [{ return: 'lives on' }] }),
      s.await('other', s.ended, { withinMs: 30_000, everyMs: 250 }),
      s.blocker('job'),
      s.awaitStarted('job'),
      s.blocker('behind'),
      s.status('behind'),
      s.status('job', { ttl: STATUS_TTL_EXAMPLE_MS }),
      s.status('behind', { ttl: STATUS_TTL_EXAMPLE_MS }),
      // It has the default of the document, not what was given last.
      s.run('later', { plan: [{ return: 'lives on' }] }),
      // As late as possible before 10 seconds have passed.
      s.status('job', { at: s.after('job', 'submitted', STATUS_TTL_EXAMPLE_MS).plus(3_500) }),
      s.status('behind'),
      s.status('job', { at: s.after('job', 'submitted', TTL_MIN_MS).plus(marginMs + 500) }),
      s.status('behind'),
      s.status('other'),
      s.status('later'),
      s.cancel('job'),
      s.cancel('behind'),
    ],
  }),
  'ttl-that-is-over': one({
    title: 'how /status answers with a ttl that has already passed',
    needs: ['scripted-worker'],
    draw: (arb, limits) => ({ marginMs: arb.margin(limits) }),
    script: ({ marginMs }, s) => [
      s.blocker('job'),
      s.awaitStarted('job'),
      s.status('job', { at: s.after('job', 'submitted', TTL_MIN_MS).plus(marginMs + 500) }),
      s.status('job', { ttl: TTL_MIN_MS }),
      s.status('job', { at: s.wait(Math.min(marginMs + 500, TTL_MIN_MS / 2)) }),
    ],
  }),
  'ttl-counts-from-somewhere': one({
    title: 'a ttl given to /status counts from the submission or from the call',
    needs: ['scripted-worker'],
    draw: (arb, limits) => ({ marginMs: arb.margin(limits) }),
    script: ({ marginMs }, s, limits) => {
      const laterMs = 1_000 + 3 * limits.marginMs;
      const ttlMs = TTL_MIN_MS + 2 * limits.marginMs;
      return [
        s.blocker('job'),
        s.awaitStarted('job'),
        s.status('job', { ttl: ttlMs, at: s.after('job', 'submitted', laterMs).plus(0) }),
        // A read after the earlier end and before the later one, and, if the job still exists, another one
        // after the later.
        s.await('job', 'GONE', {
          at: s.after('job', 'submitted', ttlMs).plus(marginMs + 1),
          everyMs: laterMs,
          withinMs: laterMs,
        }),
      ];
    },
  }),
}));
