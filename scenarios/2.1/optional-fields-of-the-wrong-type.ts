import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'webhook, policy and s3Config of the wrong type are refused',
  script: (_, s) =>
    (['run', 'runsync'] as const).flatMap((op) =>
      ['text', 7, true, [], [{}], '', 0, false].flatMap((wrong, i) => [
        s[op](`${op}-policy-${i}`, { policy: wrong, illegal: `policy-${JSON.stringify(wrong)}` }),
        s[op](`${op}-s3-${i}`, { s3Config: wrong, illegal: `s3Config-${JSON.stringify(wrong)}` }),
        ...(typeof wrong === 'string'
          ? []
          : [
              s[op](`${op}-webhook-${i}`, { webhookUrl: wrong, illegal: `webhook-${JSON.stringify(wrong)}` }),
            ]),
      ]),
    ),
});
