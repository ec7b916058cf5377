import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a large streamed text beyond ASCII is split without breaking a character',
  needs: ['scripted-worker'],
  script: (_, s) =>
    ['é', '€', '🚀'].map((unit) => [
      // Shifted by one byte, so that a cut at a round number of bytes falls within a character.
      s.run(unit, {
        plan: [{ stream: `a${unit.repeat(Math.ceil(1_700_000 / new TextEncoder().encode(unit).length))}` }],
      }),
      s.await(unit, s.ended, { everyMs: 500 }),
      s.stream(unit),
      s.stream(unit),
    ]),
});
