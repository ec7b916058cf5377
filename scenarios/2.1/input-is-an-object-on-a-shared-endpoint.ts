import { scenario } from '../../src/scenario/index.js';
import { WAIT_MIN_MS } from '../../src/spec/limits.js';

export default scenario({
  title:
    'both submitting operations refuse an input that is missing or not an object, and accept an empty one',
  exercises: [
    '2.1/input-missing-refused-run',
    '2.1/input-missing-refused-runsync',
    '2.1/input-null-refused-run',
    '2.1/input-null-refused-runsync',
    '2.1/input-array-refused-run',
    '2.1/input-array-refused-runsync',
    '2.1/input-scalar-refused-run',
    '2.1/input-scalar-refused-runsync',
    '2.1/input-empty-accepted-run',
    '2.1/input-empty-accepted-runsync',
  ],
  script: (_, s) => [
    (['run', 'runsync'] as const).map((op) => [
      ['{}', '{"prompt": "hi"}'].map((bodyText) => s.raw('POST', `/${op}`, 'input-missing', { bodyText })),
      s[op](`${op}-null`, { input: null, illegal: 'input-null' }),
      s[op](`${op}-array`, { input: [1, 2], illegal: 'input-array' }),
      s[op](`${op}-string`, { input: 'hi', illegal: 'input-string' }),
      s[op](`${op}-number`, { input: 3.5, illegal: 'input-number' }),
      s[op](`${op}-boolean`, { input: true, illegal: 'input-boolean' }),
    ]),
    s.run('empty', { input: {} }),
    s.runsync('empty too', { input: {}, wait: WAIT_MIN_MS }),
    // Some workers cannot process it.
    s.cancel('empty'),
    s.cancel('empty too'),
  ],
});
