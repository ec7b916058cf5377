import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a key after a prefix in lower case',
  script: (_, s) => [s.health({ auth: 'bearer' }), s.health({ auth: 'lower-bearer' }), s.health()],
});
