import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'bodies between ten million bytes and ten times 2^20, and one that is large only because of blanks',
  script: (_, s) => [
    s.run('between', { padToBytes: 10_200_000, illegal: 'between-two-megabytes' }),
    s.run('blanks', { padToBytes: 10_600_000, padOutside: true, illegal: 'large-by-blanks' }),
  ],
});
