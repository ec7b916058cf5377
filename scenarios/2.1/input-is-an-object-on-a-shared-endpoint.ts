import { scenario } from '../../src/scenario/index.js';
import { WAIT_MIN_MS } from '../../src/spec/limits.js';

/** Of each type one value that a check of the kind "is anything given?" takes for nothing, and one that it does not. */
const WRONG = [null, [1, 2], [], 'hi', '', 3.5, 0, true, false];

export default scenario({
  title:
    'both submitting operations refuse an input that is missing or not an object, and accept an empty one',
  script: (_, s) => [
    (['run', 'runsync'] as const).map((op) => [
      ['{}', '{"prompt": "hi"}'].map((bodyText) => s.raw('POST', `/${op}`, 'input-missing', { bodyText })),
      WRONG.map((input) => {
        const name = JSON.stringify(input);
        return s[op](`${op}-${name}`, { input, illegal: `input-${name}` });
      }),
    ]),
    s.run('empty', { input: {} }),
    s.runsync('empty too', { input: {}, wait: WAIT_MIN_MS }),
    // Some workers cannot process it.
    s.cancel('empty'),
    s.cancel('empty too'),
  ],
});
