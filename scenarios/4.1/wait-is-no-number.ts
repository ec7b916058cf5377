import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a wait that is not a number is answered 400',
  script: (_, s) =>
    ['abc', '', '1e', 'true', 'NaN', '5s', '5000ms', '{}'].map((wait, i) =>
      s.runsync(`job-${i}`, { wait, illegal: `wait-${wait === '' ? 'empty' : wait}` }),
    ),
});
