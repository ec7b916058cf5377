import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: "jobs that run side by side do not get each other's output",
  exercises: [
    '2.4/output-of-this-job',
    '2.1/input-reaches-worker-run',
    '4.1/wait-per-call',
    '4.4/chunks-not-invented',
  ],
  needs: ['scripted-worker', 'worker-count-known'],
  workers: 3,
  script: (_, s) => [
    ['a', 'b', 'c', 'd', 'e'].map((name, i) =>
      s.run(name, { plan: [{ stream: `chunk of ${name}` }, ...s.works(1_500 - 300 * i, { of: name })] }),
    ),
    s.lane('caller', s.runsync('sync', { plan: s.works(700, { of: 'sync' }) })),
    ['a', 'b', 'c', 'd', 'e'].map((name) => [
      s.await(name, s.ended, { withinMs: 60_000, everyMs: 250 }),
      s.stream(name),
    ]),
  ],
});
