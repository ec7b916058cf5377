import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'an id without a job, and a text that is not an id',
  script: (_, s) => [
    s.run('job'),
    s.raw('GET', '/status/00000000-0000-4000-8000-000000000000-u1', 'unknown-job'),
    s.raw('GET', '/status/00000000-0000-4000-8000-000000000000', 'unknown-job'),
    s.raw('GET', '/status/no%20job%20at%20all', 'malformed-job-id'),
    s.raw('POST', '/cancel/no%20job%20at%20all', 'malformed-job-id'),
  ],
});
