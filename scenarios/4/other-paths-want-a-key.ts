import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'the paths that section 4.9 only mentions need a key, too',
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
