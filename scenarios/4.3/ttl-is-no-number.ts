import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a ttl of /status that is not a number is answered 400 and changes nothing',
  script: (_, s) => [
    s.run('job'),
    ['abc', '', 'soon', '6s', '60000ms', 'NaN', 'true', '-', '{}'].map((ttl) =>
      s.raw('GET', '/status/{job:job}', `ttl-${ttl === '' ? 'empty' : ttl}`, { query: { ttl } }),
    ),
    s.status('job'),
  ],
});
