import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a webhook address is accepted whether or not a receiver listens there',
  // A name that is reserved for examples: the webhook calls reach no one.
  script: (_, s) => [
    s.run('job', { webhookUrl: 'https://hooks.example/hook?job=1' }),
    s.runsync('sync', { webhookUrl: 'https://hooks.example/hook?job=2' }),
  ],
});
