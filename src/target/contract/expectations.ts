/** Expectations of the check of test control, and the calls that most checks need. */
import type { Json } from '../../history/events.js';
import { member, realTime, type Answer, type ContractClient } from './control-call.js';

export type Feature = 'clock' | 'endpoints' | 'endpoint-clocks';

export interface ContractCheck {
  /** The row or the rule of the contract. */
  readonly rule: string;
  readonly sentence: string;
  readonly needs: readonly Feature[];
  readonly run: (client: ContractClient, endpoint: string) => Promise<void>;
}

/** What a check expected, and what came. */
export class Mismatch extends Error {}

/** Real time in which a waiting call has to be seen by the server, or an answer due has to come. */
const SETTLE_MS = 2_000;
const POLL_MS = 10;

export const shown = ({ status, body }: Answer): string =>
  status === 0 ? String(body) : `${status} ${JSON.stringify(body).slice(0, 300)}`;

export function expectStatus(answer: Answer, status: number): Answer {
  if (answer.status !== status)
    throw new Mismatch(`${answer.sent}: expected ${status}, answered ${shown(answer)}`);
  return answer;
}

export function expectMember(answer: Answer, name: string, wanted: Json): void {
  const found = member(answer, name);
  if (JSON.stringify(found) !== JSON.stringify(wanted))
    throw new Mismatch(
      `${answer.sent}: expected "${name}" to be ${JSON.stringify(wanted)}, answered ${shown(answer)}`,
    );
}

export function integerIn(answer: Answer, name: string): number {
  const found = member(answer, name);
  if (!Number.isSafeInteger(found) || (found as number) < 0)
    throw new Mismatch(
      `${answer.sent}: expected "${name}" to be an integer from 0, answered ${shown(answer)}`,
    );
  return found as number;
}

export const put = async (client: ContractClient, endpoint: string, workers: number): Promise<Answer> =>
  expectStatus(await client.control('PUT', `/endpoints/${endpoint}`, { workers }), 200);

export const now = async (client: ContractClient): Promise<number> =>
  integerIn(expectStatus(await client.control('GET', '/clock'), 200), 'nowMs');

/** @param name of the clock; null: that of the server */
export async function advance(
  client: ContractClient,
  byMs: number,
  name: string | null = null,
): Promise<number> {
  const clock = name === null ? '/clock' : `/clocks/${name}`;
  return integerIn(expectStatus(await client.control('POST', `${clock}/advance`, { byMs }), 200), 'nowMs');
}

export async function submit(client: ContractClient, endpoint: string, plan: Json): Promise<string> {
  const answer = await client.api(endpoint, 'POST', '/run', { input: { plan } });
  const id = member(answer, 'id');
  if (answer.status < 200 || answer.status > 299 || typeof id !== 'string')
    throw new Mismatch(`${answer.sent}: expected a job with an id, answered ${shown(answer)}`);
  return id;
}

export async function expectJob(
  client: ContractClient,
  endpoint: string,
  id: string,
  status: string,
): Promise<Answer> {
  const answer = await client.api(endpoint, 'GET', `/status/${id}`);
  expectStatus(answer, 200);
  expectMember(answer, 'status', status);
  return answer;
}

/** Waits in real time until `received` shows so many calls. */
export async function expectReceived(client: ContractClient, endpoint: string, count: number): Promise<void> {
  let answer = await client.control('GET', `/endpoints/${endpoint}`);
  for (let waitedMs = 0; member(answer, 'received') !== count && waitedMs < SETTLE_MS; waitedMs += POLL_MS) {
    await realTime(POLL_MS);
    answer = await client.control('GET', `/endpoints/${endpoint}`);
  }
  expectMember(answer, 'received', count);
}

/** The answer of a call that was waiting; it has to come soon. */
export async function nowAnswered(waiting: Promise<Answer>, after: string): Promise<Answer> {
  const answer = await Promise.race([waiting, realTime(SETTLE_MS).then(() => null)]);
  if (answer === null)
    throw new Mismatch(
      `a waiting /runsync was not answered within ${SETTLE_MS} ms of real time after ${after}`,
    );
  return answer;
}

export const SLEEPS = (ms: number): Json => [{ sleepMs: ms }, { return: { done: true } }];
