import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: '400 concurrent calls of /runsync may wait; further ones are refused until others were answered',
  needs: ['dedicated', 'load-allowed', 'worker-count-known', 'scripted-worker'],
  workers: 0,
  exclusive: true,
  script: (_, s) => {
    const others = Array.from({ length: 21 }, (__, i) => `other-${i}`);
    return [
      s.run(others, { lane: 'beside' }),
      // A service that refuses one of these has to refuse one of those.
      s.burst('cancel', 21, { held: true, jobs: others, lane: 'beside' }),
      s.lane('crowd', s.burst('runsync', 400, { wait: 5_000 })),
      s.lane('beyond', s.burst('runsync', 60, { wait: 1_000, at: s.wait(1_000) })),
      s.health({ at: s.sinceStart(2_000) }),
      s.runsync('after', { wait: 1_000, at: s.sinceStart(8_000) }),
      s.purge(),
    ];
  },
});
