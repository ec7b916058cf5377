import { scenario } from '../../src/scenario/index.js';

const CLIENTS = 8;
/** Cancels of each client in a second. */
const EACH_SECOND = 2;
const SECONDS = 20;

export default scenario({
  title: 'wherever windows begin, 300 cancels do not fit into twenty seconds',
  needs: ['dedicated', 'load-allowed', 'worker-count-known'],
  workers: 0,
  exclusive: true,
  script: (_, s) =>
    Array.from({ length: CLIENTS }, (__, client) => {
      const labels = Array.from({ length: EACH_SECOND * SECONDS }, (___, i) => `job-${client}-${i}`);
      return s.lane(
        `client ${client}`,
        s.run(labels),
        Array.from({ length: SECONDS }, (___, second) => [
          s.cancel(labels.slice(second * EACH_SECOND, (second + 1) * EACH_SECOND)),
          s.pause(s.wait(1_000 - 50)),
        ]),
      );
    }),
});
