import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a key after a prefix in lower case',
  exercises: ['5/key-accepted-health', '5/bare-or-bearer'],
  script: (_, s) => [s.health({ auth: 'bearer' }), s.health({ auth: 'lower-bearer' }), s.health()],
});
