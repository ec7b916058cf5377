import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a wait below one second is refused, or the call waits at least a second',
  needs: ['scripted-worker'],
  script: (_, s) =>
    [999, 500, 1, 0, -1, -5_000].map((wait) =>
      s.lane(
        `${wait}`,
        s.runsync(`${wait}`, { plan: [{ hang: true }], wait, illegal: 'wait-below-minimum' }),
        s.cancel(`${wait}`),
      ),
    ),
});
