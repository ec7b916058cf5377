/**
 * A scenario file of one's own:
 *
 *     runproof check --scenarios examples/scenarios --only a-slow-job-between-quick-ones
 */
import { scenario } from 'runproof';

export default scenario({
  title: 'quick jobs wait for a slow one, and all of them complete',
  exercises: ['1/waits-when-no-worker-free', '1/every-job-is-processed'],
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({ sleepMs: arb.sleep(limits, 1_000, 20_000) }),
  script: ({ sleepMs }, s) => [
    s.run('quick', { plan: s.works(10) }),
    s.run('slow', { plan: s.works(sleepMs) }),
    s.run('last', { plan: s.works(10) }),
    s.status('last'),
    s.await('last', 'COMPLETED', { withinMs: 2 * sleepMs }),
    s.status('slow'),
  ],
});
