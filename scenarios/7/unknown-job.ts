import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a job id that never existed is answered with 404 at every operation',
  script: (_, s) => [
    // Not the id of a job, although it begins with one, or one begins with it.
    s.run('job'),
    s.raw('GET', '/status/{job:job}x', 'unknown-job'),
    s.raw('GET', '/status/{job:job}{cut}', 'unknown-job'),
    s.raw('GET', '/stream/{job:job}x', 'unknown-job'),
    s.raw('POST', '/cancel/{job:job}x', 'unknown-job'),
    s.raw('POST', '/retry/{job:job}x', 'unknown-job'),
    [
      '00000000-0000-4000-8000-000000000000-u1',
      'no-such-job',
      '0',
      '%F0%9F%9A%80',
      '__proto__',
      'constructor',
      'x'.repeat(80),
    ].map((id) => [
      s.raw('GET', `/status/${id}`, 'unknown-job'),
      s.raw('GET', `/stream/${id}`, 'unknown-job'),
      s.raw('POST', `/cancel/${id}`, 'unknown-job'),
      s.raw('POST', `/retry/${id}`, 'unknown-job'),
    ]),
  ],
});
