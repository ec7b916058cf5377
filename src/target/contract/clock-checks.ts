/** The sentences of test control about the clock. */
import { member, realTime } from './control-call.js';
import {
  Mismatch,
  advance,
  expectJob,
  expectMember,
  expectReceived,
  expectStatus,
  integerIn,
  now,
  nowAnswered,
  put,
  shown,
  submit,
  SLEEPS,
  type ContractCheck,
} from './expectations.js';

/** Real time in which a clock that does not stand still would have moved. */
const STANDSTILL_MS = 60;

export const CLOCK_CHECKS: readonly ContractCheck[] = [
  {
    rule: 'rule 1',
    sentence: 'Time stands still between calls of `advance`.',
    needs: ['clock'],
    async run(client) {
      const before = await now(client);
      await realTime(STANDSTILL_MS);
      const after = await now(client);
      if (after !== before)
        throw new Mismatch(
          `GET /clock answered ${before}, and ${after} after ${STANDSTILL_MS} ms of real time`,
        );
    },
  },
  {
    rule: 'rule 3',
    sentence: '`advance` moves the clock by exactly so much, and by 0 not at all.',
    needs: ['clock'],
    async run(client) {
      const before = await now(client);
      for (const [byMs, sum] of [
        [0, 0],
        [1_000, 1_000],
        [1, 1_001],
      ] as const) {
        const after = await advance(client, byMs);
        if (after !== before + sum)
          throw new Mismatch(`${client.last?.sent}: expected nowMs ${before + sum}, answered ${after}`);
      }
      const shows = await now(client);
      if (shows !== before + 1_001)
        throw new Mismatch(`GET /clock: expected ${before + 1_001}, answered ${shows}`);
    },
  },
  {
    rule: 'POST advance',
    sentence: 'A malformed `advance` gets 400 and moves nothing.',
    needs: ['clock'],
    async run(client) {
      const before = await now(client);
      for (const body of [{ byMs: -1 }, { byMs: 0.5 }, { byMs: '5' }, {}, '{"byMs":'])
        expectStatus(await client.control('POST', '/clock/advance', body), 400);
      const after = await now(client);
      if (after !== before) throw new Mismatch(`the clock moved from ${before} to ${after}`);
    },
  },
  {
    rule: 'rule 4',
    sentence: 'What needs no time happens at the latest on `advance {"byMs": 0}`: a free worker takes a job.',
    needs: ['endpoints', 'clock'],
    async run(client, endpoint) {
      await put(client, endpoint, 1);
      const id = await submit(client, endpoint, [{ hang: true }]);
      await advance(client, 0);
      await expectJob(client, endpoint, id, 'IN_PROGRESS');
    },
  },
  {
    rule: 'rule 1',
    sentence: 'A job runs on the controlled clock: not ended 1 ms before its time, ended at it.',
    needs: ['endpoints', 'clock'],
    async run(client, endpoint) {
      await put(client, endpoint, 1);
      const id = await submit(client, endpoint, SLEEPS(5_000));
      await advance(client, 4_999);
      await expectJob(client, endpoint, id, 'IN_PROGRESS');
      await advance(client, 1);
      await expectJob(client, endpoint, id, 'COMPLETED');
    },
  },
  {
    rule: 'GET clock',
    sentence: '`nextEventAtMs` is never later than what happens next.',
    needs: ['endpoints', 'clock'],
    async run(client, endpoint) {
      await put(client, endpoint, 1);
      await submit(client, endpoint, SLEEPS(5_000));
      await advance(client, 0);
      const answer = expectStatus(await client.control('GET', '/clock'), 200);
      const dueMs = integerIn(answer, 'nowMs') + 5_000;
      const next = member(answer, 'nextEventAtMs');
      if (typeof next !== 'number' || next > dueMs)
        throw new Mismatch(`${answer.sent}: a job ends at ${dueMs}, answered ${shown(answer)}`);
    },
  },
  {
    rule: 'rule 2',
    sentence: '`advance` handles every event at its own instant, those that it causes included.',
    needs: ['endpoints', 'clock'],
    async run(client, endpoint) {
      await put(client, endpoint, 1);
      const jobs = [];
      for (let job = 0; job < 3; job += 1) jobs.push(await submit(client, endpoint, SLEEPS(1_000)));
      await advance(client, 3_000);
      for (const id of jobs) await expectJob(client, endpoint, id, 'COMPLETED');
    },
  },
  {
    rule: 'rule 2',
    sentence: 'When `advance` answers, a waiting /runsync whose job has ended has been answered.',
    needs: ['endpoints', 'clock'],
    async run(client, endpoint) {
      await put(client, endpoint, 1);
      const waiting = client.api(endpoint, 'POST', '/runsync', { input: { plan: SLEEPS(3_000) } });
      await expectReceived(client, endpoint, 1);
      await advance(client, 3_000);
      const answer = await nowAnswered(waiting, '{"byMs":3000}');
      expectStatus(answer, 200);
      expectMember(answer, 'status', 'COMPLETED');
    },
  },
  {
    rule: 'rule 5',
    sentence: 'Calls of `advance` are handled one after the other.',
    needs: ['clock'],
    async run(client) {
      const before = await now(client);
      const seen = await Promise.all([advance(client, 10), advance(client, 10), advance(client, 10)]);
      const sorted = seen.toSorted((a, b) => a - b);
      if (sorted.some((ms, index) => ms !== before + 10 * (index + 1)))
        throw new Mismatch(`three calls of advance by 10 from ${before} on answered ${sorted.join(', ')}`);
    },
  },
];
