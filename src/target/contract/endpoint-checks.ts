/** The sentences of test control about its address, its key and its endpoints. */
import { EXECUTION_TIMEOUT_DEFAULT_MS, TTL_DEFAULT_MS } from '../../spec/limits.js';
import { member, realTime } from './control-call.js';
import {
  Mismatch,
  advance,
  expectJob,
  expectMember,
  expectReceived,
  expectStatus,
  nowAnswered,
  put,
  shown,
  submit,
  SLEEPS,
  type ContractCheck,
} from './expectations.js';

/** Real time in which a server would count a call whose body is not complete, if it did. */
const INCOMPLETE_MS = 150;
/** Long enough to take time to read, and below the limit of /runsync (section 8). */
const LARGE_CHARS = 15_000_000;
const WAIT_MS = 5_000;
/** How late a timer of the service may be, in ms. */
const LATE_MS = 2_000;

export const ENDPOINT_CHECKS: readonly ContractCheck[] = [
  {
    rule: 'GET CONTROL',
    sentence: 'The address answers its protocol and its features.',
    needs: [],
    async run(client) {
      const answer = expectStatus(await client.control('GET', ''), 200);
      expectMember(answer, 'protocol', 'test-control/1');
      if (!Array.isArray(member(answer, 'features')))
        throw new Mismatch(`${answer.sent}: expected "features" to be an array, answered ${shown(answer)}`);
    },
  },
  {
    rule: 'keys',
    sentence: 'The API key is taken bare and after `Bearer `.',
    needs: [],
    async run(client) {
      expectStatus(await client.control('GET', '', undefined, client.apiKey), 200);
      expectStatus(await client.control('GET', '', undefined, `Bearer ${client.apiKey}`), 200);
    },
  },
  {
    rule: 'keys',
    sentence: 'A call without a valid key gets 401.',
    needs: [],
    async run(client) {
      expectStatus(await client.control('GET', '', undefined, null), 401);
      expectStatus(await client.control('GET', '', undefined, 'not-the-key'), 401);
    },
  },
  {
    rule: 'PUT',
    sentence: 'PUT creates an endpoint with so many workers and no calls received.',
    needs: ['endpoints'],
    async run(client, endpoint) {
      const answer = await put(client, endpoint, 2);
      expectMember(answer, 'endpointId', endpoint);
      expectMember(answer, 'workers', 2);
      expectMember(answer, 'received', 0);
    },
  },
  {
    rule: 'PUT',
    sentence: 'A malformed call gets 400 and changes nothing.',
    needs: ['endpoints'],
    async run(client, endpoint) {
      await put(client, endpoint, 1);
      for (const body of [{ workers: -1 }, { workers: 1.5 }, { workers: '2' }, {}, '{"workers":'])
        expectStatus(await client.control('PUT', `/endpoints/${endpoint}`, body), 400);
      expectStatus(await client.control('PATCH', `/endpoints/${endpoint}`, { workers: -1 }), 400);
      expectMember(await client.control('GET', `/endpoints/${endpoint}`), 'workers', 1);
    },
  },
  {
    rule: 'GET',
    sentence: 'An unknown endpoint gets 404 by GET, PATCH and DELETE.',
    needs: ['endpoints'],
    async run(client, endpoint) {
      const path = `/endpoints/${endpoint}-unknown`;
      expectStatus(await client.control('GET', path), 404);
      expectStatus(await client.control('PATCH', path, { workers: 1 }), 404);
      expectStatus(await client.control('DELETE', path), 404);
    },
  },
  {
    rule: 'GET',
    sentence: '`received` counts the API calls that have arrived, those still waiting included.',
    needs: ['endpoints', 'clock'],
    async run(client, endpoint) {
      await put(client, endpoint, 1);
      await submit(client, endpoint, SLEEPS(10));
      await client.api(endpoint, 'GET', '/health');
      await expectReceived(client, endpoint, 2);
      const waiting = client.api(endpoint, 'POST', '/runsync', { input: { plan: [{ hang: true }] } });
      await expectReceived(client, endpoint, 3);
      await put(client, endpoint, 1);
      await nowAnswered(waiting, 'PUT emptied the endpoint');
    },
  },
  {
    rule: 'rule 5',
    sentence: 'A call of which the body is not complete is not counted by `received`.',
    needs: ['endpoints', 'clock'],
    async run(client, endpoint) {
      await put(client, endpoint, 1);
      let complete = (): void => undefined;
      const completed = new Promise<void>((resolve) => (complete = resolve));
      const call = client.api(endpoint, 'POST', '/run', { input: { plan: [{ hang: true }] } }, completed);
      try {
        await realTime(INCOMPLETE_MS);
        expectMember(await client.control('GET', `/endpoints/${endpoint}`), 'received', 0);
      } finally {
        complete();
      }
      await expectReceived(client, endpoint, 1);
      await call;
    },
  },
  {
    rule: 'rule 5',
    sentence:
      'What `received` has counted is taken in when the next `advance` is answered, however large it is.',
    needs: ['endpoints', 'clock'],
    async run(client, endpoint) {
      await put(client, endpoint, 1);
      const input = { plan: [{ hang: true }], pad: 'x'.repeat(LARGE_CHARS) };
      const waiting = client.api(endpoint, 'POST', `/runsync?wait=${WAIT_MS}`, { input });
      await expectReceived(client, endpoint, 1);
      const atMs = await advance(client, 0);
      const answer = expectStatus(await client.control('GET', '/clock'), 200);
      const next = member(answer, 'nextEventAtMs');
      if (typeof next !== 'number' || next > atMs + WAIT_MS)
        throw new Mismatch(
          `${answer.sent}: a /runsync waits until ${atMs + WAIT_MS}, answered ${shown(answer)}`,
        );
      await advance(client, WAIT_MS);
      await nowAnswered(waiting, `{"byMs":${WAIT_MS}}`);
    },
  },
  {
    rule: 'PUT',
    sentence: 'PUT empties an endpoint that exists: no jobs, nothing received.',
    needs: ['endpoints'],
    async run(client, endpoint) {
      await put(client, endpoint, 0);
      const id = await submit(client, endpoint, SLEEPS(10));
      const answer = await put(client, endpoint, 0);
      expectMember(answer, 'received', 0);
      expectStatus(await client.api(endpoint, 'GET', `/status/${id}`), 404);
      await expectReceived(client, endpoint, 1);
    },
  },
  {
    rule: 'PATCH',
    sentence: 'PATCH changes the number of workers: a waiting job starts when a worker comes.',
    needs: ['endpoints', 'clock'],
    async run(client, endpoint) {
      await put(client, endpoint, 0);
      const id = await submit(client, endpoint, [{ hang: true }]);
      await advance(client, 1_000);
      await expectJob(client, endpoint, id, 'IN_QUEUE');
      const patched = expectStatus(
        await client.control('PATCH', `/endpoints/${endpoint}`, { workers: 1 }),
        200,
      );
      expectMember(patched, 'workers', 1);
      await advance(client, 0);
      await expectJob(client, endpoint, id, 'IN_PROGRESS');
    },
  },
  {
    rule: 'PATCH',
    sentence: 'A worker that PATCH takes away finishes its job first.',
    needs: ['endpoints', 'clock'],
    async run(client, endpoint) {
      await put(client, endpoint, 1);
      const id = await submit(client, endpoint, SLEEPS(1_000));
      await advance(client, 0);
      expectStatus(await client.control('PATCH', `/endpoints/${endpoint}`, { workers: 0 }), 200);
      await expectJob(client, endpoint, id, 'IN_PROGRESS');
      await advance(client, 1_000);
      await expectJob(client, endpoint, id, 'COMPLETED');
    },
  },
  {
    rule: 'DELETE',
    sentence: 'DELETE removes the endpoint and its jobs.',
    needs: ['endpoints'],
    async run(client, endpoint) {
      await put(client, endpoint, 1);
      expectStatus(await client.control('DELETE', `/endpoints/${endpoint}`), 204);
      expectStatus(await client.control('GET', `/endpoints/${endpoint}`), 404);
    },
  },
  {
    rule: 'rule 6',
    sentence: 'Emptying an endpoint answers its waiting calls with 404.',
    needs: ['endpoints', 'clock'],
    async run(client, endpoint) {
      await put(client, endpoint, 1);
      const waiting = client.api(endpoint, 'POST', '/runsync', { input: { plan: [{ hang: true }] } });
      await expectReceived(client, endpoint, 1);
      await put(client, endpoint, 1);
      expectStatus(await nowAnswered(waiting, 'PUT emptied the endpoint'), 404);
    },
  },
  {
    rule: 'rule 6',
    sentence: 'Deleting an endpoint answers its waiting calls with 404.',
    needs: ['endpoints', 'clock'],
    async run(client, endpoint) {
      await put(client, endpoint, 1);
      const waiting = client.api(endpoint, 'POST', '/runsync', { input: { plan: [{ hang: true }] } });
      await expectReceived(client, endpoint, 1);
      expectStatus(await client.control('DELETE', `/endpoints/${endpoint}`), 204);
      expectStatus(await nowAnswered(waiting, 'DELETE'), 404);
    },
  },
  {
    rule: 'rule 8',
    sentence: 'A job without `executionTimeout` may run for 600000 ms, and no longer.',
    needs: ['endpoints', 'clock'],
    async run(client, endpoint) {
      await put(client, endpoint, 1);
      const id = await submit(client, endpoint, [{ hang: true }]);
      await advance(client, EXECUTION_TIMEOUT_DEFAULT_MS - 1);
      await expectJob(client, endpoint, id, 'IN_PROGRESS');
      await advance(client, 1 + LATE_MS);
      // What becomes of it the document does not show.
      const answer = await client.api(endpoint, 'GET', `/status/${id}`);
      if (member(answer, 'status') === 'IN_PROGRESS')
        throw new Mismatch(
          `${answer.sent}: expected a job that was stopped after 600000 ms, answered ${shown(answer)}`,
        );
    },
  },
  {
    rule: 'rule 8',
    sentence: 'A job without `ttl` lives for 86400000 ms, and no longer.',
    needs: ['endpoints', 'clock'],
    async run(client, endpoint) {
      await put(client, endpoint, 0);
      const id = await submit(client, endpoint, [{ hang: true }]);
      await advance(client, TTL_DEFAULT_MS - 1);
      await expectJob(client, endpoint, id, 'IN_QUEUE');
      await advance(client, 1 + LATE_MS);
      expectStatus(await client.api(endpoint, 'GET', `/status/${id}`), 404);
    },
  },
];
