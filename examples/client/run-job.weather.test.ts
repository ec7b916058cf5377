/** The client in all that may happen to it: lost replies, 429, jobs that fail, are cancelled or expire. */
import { judgeClient } from 'runproof';
import { test } from 'vitest';
import { runJob } from './run-job.js';

test('it survives every condition', { timeout: 120_000 }, async () => {
  const judged = await judgeClient(
    ({ url, endpoint, apiKey }) =>
      runJob({ baseUrl: url, endpoint, apiKey, giveUpMs: 15_000 }, { prompt: 'a cat' }),
    { weather: 'all' },
  );
  judged.assertSurvived();
});
