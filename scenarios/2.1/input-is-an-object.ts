import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a submission whose input is missing or not an object is refused and creates nothing',
  onlyWith: { '3/invalid-submission-creates-nothing': { needs: ['worker-count-known'] } },
  needs: ['dedicated'],
  exclusive: true,
  script: (_, s, { marginMs }) => [
    s.health(),
    (['run', 'runsync'] as const).map((op) => [
      ['{}', '{"inputs": {"prompt": "hi"}}', '{"policy": {"ttl": 60000}}'].map((bodyText) =>
        s.raw('POST', `/${op}`, 'input-missing', { bodyText }),
      ),
      [null, [], [{ prompt: 'hi' }], 'text', '', '{"prompt": "hi"}', 7, 0, true, false].map((input, i) =>
        s[op](`${op}-${i}`, { input, illegal: `input-${JSON.stringify(input)}` }),
      ),
    ]),
    s.health({ at: s.wait(marginMs) }),
  ],
});
