import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'the paths that section 4.9 only mentions need a key, too',
  exercises: [
    '4/other-paths-require-key-openai',
    '4/other-paths-require-key-requests',
    '4.9/openai-exists',
    '4.9/requests-exists',
  ],
  script: (_, s) => [
    s.openai('v1/chat/completions', { model: 'm', messages: [] }, { auth: 'missing' }),
    s.requests({ auth: 'missing' }),
    s.openai('v1/chat/completions', { model: 'm', messages: [{ role: 'user', content: 'hi' }] }),
    s.requests(),
    // Nor after a call with a valid key.
    s.openai('v1/embeddings', { model: 'm', input: 'hi' }, { auth: 'missing' }),
    s.requests({ auth: 'missing' }),
  ],
});
