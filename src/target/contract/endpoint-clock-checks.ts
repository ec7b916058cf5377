/** The sentences of test control about endpoints with clocks of their own. */
import type { ContractClient } from './control-call.js';
import {
  advance,
  expectJob,
  expectMember,
  expectReceived,
  expectStatus,
  nowAnswered,
  submit,
  SLEEPS,
  type ContractCheck,
} from './expectations.js';

const NEEDS = ['endpoints', 'clock', 'endpoint-clocks'] as const;

export const ENDPOINT_CLOCK_CHECKS: readonly ContractCheck[] = [
  {
    rule: 'rule 9',
    sentence:
      'An endpoint that names a clock is on that clock alone: the clock of the server ends none of its jobs.',
    needs: NEEDS,
    async run(client, endpoint) {
      await putOn(client, endpoint, endpoint);
      const id = await submit(client, endpoint, SLEEPS(5_000));
      await advance(client, 6_000);
      await advance(client, 4_999, endpoint);
      await expectJob(client, endpoint, id, 'IN_PROGRESS');
      await advance(client, 1, endpoint);
      await expectJob(client, endpoint, id, 'COMPLETED');
    },
  },
  {
    rule: 'rule 9',
    sentence: 'Endpoints that name the same clock share it, and no other clock moves with it.',
    needs: NEEDS,
    async run(client, endpoint) {
      const [neighbour, stranger] = [`${endpoint}-neighbour`, `${endpoint}-stranger`];
      try {
        await putOn(client, endpoint, endpoint);
        await putOn(client, neighbour, endpoint);
        await putOn(client, stranger, stranger);
        const ids = [];
        for (const one of [endpoint, neighbour, stranger]) ids.push(await submit(client, one, SLEEPS(5_000)));
        await advance(client, 5_000, endpoint);
        await expectJob(client, endpoint, ids[0]!, 'COMPLETED');
        await expectJob(client, neighbour, ids[1]!, 'COMPLETED');
        await expectJob(client, stranger, ids[2]!, 'IN_PROGRESS');
      } finally {
        for (const one of [neighbour, stranger]) await client.control('DELETE', `/endpoints/${one}`);
      }
    },
  },
  {
    rule: 'rule 9',
    sentence: 'A clock comes with its first endpoint, at 0, and goes with its last: then it gets 404.',
    needs: NEEDS,
    async run(client, endpoint) {
      const path = `/clocks/${endpoint}`;
      expectStatus(await client.control('GET', path), 404);
      await putOn(client, endpoint, endpoint);
      const first = expectStatus(await client.control('GET', path), 200);
      expectMember(first, 'nowMs', 0);
      expectMember(first, 'nextEventAtMs', null);
      expectStatus(await client.control('DELETE', `/endpoints/${endpoint}`), 204);
      expectStatus(await client.control('GET', path), 404);
      expectStatus(await client.control('POST', `${path}/advance`, { byMs: 0 }), 404);
    },
  },
  {
    rule: 'rule 9',
    sentence:
      'When `advance` of such a clock answers, a waiting /runsync whose job has ended has been answered.',
    needs: NEEDS,
    async run(client, endpoint) {
      await putOn(client, endpoint, endpoint);
      const waiting = client.api(endpoint, 'POST', '/runsync', { input: { plan: SLEEPS(3_000) } });
      await expectReceived(client, endpoint, 1);
      await advance(client, 3_000, endpoint);
      const answer = await nowAnswered(waiting, `/clocks/${endpoint}/advance {"byMs":3000}`);
      expectStatus(answer, 200);
      expectMember(answer, 'status', 'COMPLETED');
    },
  },
];

async function putOn(client: ContractClient, endpoint: string, clock: string): Promise<void> {
  expectStatus(await client.control('PUT', `/endpoints/${endpoint}`, { workers: 1, clock }), 200);
}
