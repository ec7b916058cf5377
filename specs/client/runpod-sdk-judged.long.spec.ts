import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import runpodSdk from 'runpod-sdk';
import { expect, it } from 'vitest';
import { judgeClient, type JudgedClient } from '../../src/features/client/index.js';
import { ROOT } from '../project/sources.js';

/** The official JavaScript client, unmodified, is judged; docs/clients.md says what is found, and where its source does so. */

type Endpoint = NonNullable<ReturnType<ReturnType<typeof runpodSdk>['endpoint']>>;

const INPUT = { input: { prompt: 'a cat' } };

const WEATHER = [
  ...['clear', 'job-fails', 'cancelled-while-running', 'runsync-unfinished', 'chunks-in-parts'],
  ...['rate-limited-once', 'read-answered-500', 'reads-fail-for-ever', 'reply-of-submission-lost'],
];

/** All run in this process, and some do not pause. */
const AT_ONCE = 3;

const judged = (use: (endpoint: Endpoint) => Promise<void>): Promise<JudgedClient> =>
  judgeClient(
    ({ url, endpoint, apiKey }) => use(runpodSdk(apiKey, { baseUrl: `${url}/v2` }).endpoint(endpoint)!),
    { edition: 'runpod', weather: WEATHER, atOnce: AT_ONCE },
  );

const rulesOf = ({ violations }: JudgedClient): readonly string[] =>
  [...new Set(violations.map(({ rule }) => rule))].sort();

/** More than 200 calls of a loop without pause fit into a second, or not: that is the machine, and not the client. */
const BY_SPEED = 'client/within-limits';

const document = readFileSync(join(ROOT, 'docs/clients.md'), 'utf8');

it('stream() reads without pause, and ends as if the job had succeeded', async () => {
  const found = await judged(async (endpoint) => {
    const { id } = await endpoint.run(INPUT);
    for await (const _ of endpoint.stream(id)) continue;
  });
  expect(rulesOf(found).filter((rule) => rule !== BY_SPEED)).toEqual([
    'client/ending',
    'client/leaves-no-job',
    'client/poll-pause',
    'client/retries-rate-limited',
    'client/retries-reads',
    'client/success-is-completed',
  ]);
  expect(found.violations).toContainEqual({
    rule: 'client/success-is-completed',
    weather: 'job-fails',
    text: 'it ended with success although it was told FAILED',
  });
  for (const rule of rulesOf(found)) expect(document).toContain(rule);
});

it('runSync() follows a job that outlasts its wait, and gives up at the first trouble', async () => {
  const found = await judged(async (endpoint) => {
    const { status } = await endpoint.runSync(INPUT);
    if (status !== 'COMPLETED') throw new Error(`the job is ${status}`);
  });
  expect(rulesOf(found)).toEqual([
    'client/ending',
    'client/leaves-no-job',
    'client/retries-rate-limited',
    'client/retries-reads',
  ]);
});

it('run() and status() keep every rule that a caller does not violate', async () => {
  const found = await judged(async (endpoint) => {
    const { id } = await endpoint.run(INPUT);
    let record = await endpoint.status(id);
    while (record.status === 'IN_QUEUE' || record.status === 'IN_PROGRESS') {
      await new Promise((resolve) => setTimeout(resolve, 200));
      record = await endpoint.status(id);
    }
    if (record.status !== 'COMPLETED') throw new Error(`the job is ${record.status}`);
  });
  // It throws at every code but 200: what to repeat, and what to cancel, is left to its caller.
  expect(rulesOf(found)).toEqual([
    'client/ending',
    'client/leaves-no-job',
    'client/retries-rate-limited',
    'client/retries-reads',
  ]);
});
