import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a ttl of /status that is not a number is answered 400 and changes nothing',
  exercises: ['7/status-ttl-not-integer', '1/json-error-body-400', '7/no-500-for-client-errors'],
  script: (_, s) => [
    s.run('job'),
    ['abc', '', 'soon', '6s', '60000ms', 'NaN', 'true', '-', '{}'].map((ttl) =>
      s.raw('GET', '/status/{job:job}', `ttl-${ttl === '' ? 'empty' : ttl}`, { query: { ttl } }),
    ),
    s.status('job'),
  ],
});
