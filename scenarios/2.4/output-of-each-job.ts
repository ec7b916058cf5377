import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: "jobs that run at the same time do not get each other's output",
  needs: ['scripted-worker', 'worker-count-known'],
  workers: 3,
  script: (_, s) => [
    ['a', 'b', 'c', 'd', 'e'].map((name, i) =>
      s.run(name, { plan: [{ stream: `chunk of ${name}` }, ...s.works(1_500 - 300 * i, { of: name })] }),
    ),
    s.lane('caller', s.runsync('sync', { plan: s.works(700, { of: 'sync' }) })),
    ['a', 'b', 'c', 'd', 'e'].map((name) => [s.await(name), s.stream(name)]),
  ],
});
