import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'retry, stream and purge answer JSON with a success too',
  exercises: [
    '1/json-body-retry',
    '1/json-content-type-retry',
    '1/json-body-stream',
    '1/json-content-type-stream',
    '1/json-body-purge-queue',
    '1/json-content-type-purge-queue',
    '4/operation-retry',
    '4/operation-stream',
    '4/operation-purge-queue',
    '2.4/id-in-retry',
    '2.4/id-matches-retry',
    '2.4/status-in-retry',
    '2.4/status-known-retry',
    '2.6/removed-integer',
    '2.6/status-completed',
  ],
  needs: ['scripted-worker', 'dedicated'],
  exclusive: true,
  script: (_, s) => [
    s.run('job', { plan: [{ stream: { part: 1 } }, { fail: 'on purpose' }], planOnRetry: s.works(200) }),
    s.await('job', s.ended, { withinMs: 60_000, everyMs: 250 }),
    s.stream('job'),
    s.retry('job'),
    s.await('job', s.ended, { withinMs: 60_000, everyMs: 250 }),
    s.purge(),
  ],
});
