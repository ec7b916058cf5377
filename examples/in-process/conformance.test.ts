/** A team's own implementation, checked in its own test run: one test per requirement of the document. */
import { fetchTarget } from 'runproof';
import { conformance } from 'runproof/vitest';
import { plainEndpoint } from './plain-endpoint/index.js';

conformance(
  fetchTarget(
    {
      // Every script gets an implementation of its own, on the endpoint and with the key that it will use.
      fresh: ({ endpoint, secondEndpoint, workers, apiKey }) =>
        plainEndpoint({
          endpoints: secondEndpoint === null ? [endpoint] : [endpoint, secondEndpoint],
          workers,
          apiKey: apiKey ?? '',
        }),
    },
    { name: 'the plain endpoint', worker: 'scripted' },
  ),
  { name: 'the plain endpoint', seed: 1 },
);
