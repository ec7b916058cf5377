import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: "jobs that stream at the same time do not get each other's chunks",
  needs: ['scripted-worker', 'worker-count-known'],
  workers: 3,
  script: (_, s) => [
    ['a', 'b', 'c'].map((name) =>
      s.run(name, {
        plan: [
          ...[1, 2, 3, 4].flatMap((n) => [{ stream: `${name}${n}` }, { sleepMs: 400 }] as const),
          { return: name },
        ],
      }),
    ),
    // All at once, and each alone.
    ['a', 'b', 'c'].map((name) => s.lane(name, s.stream(name, { at: s.sinceStart(700) }))),
    s.stream(['a', 'b', 'c'], { at: s.wait(600) }),
    s.await(['a', 'b', 'c'], s.ended, { everyMs: 500 }),
    s.stream(['a', 'b', 'c']),
  ],
});
