/** What a client was told of its jobs. */
import { ENDED_STATUSES, isJobStatus, type JobStatus } from '../../spec/index.js';
import { isObject } from '../../util/json.js';
import { getOrMake } from '../../util/maps.js';
import type { ClientCall, SeenSession, WebhookDelivery } from '../session.js';
import { replyIn } from '../../history/exchange.js';
import { isSuccess, jobOf, operationCalls } from './calls.js';

export interface Telling {
  readonly job: string;
  readonly status: JobStatus;
  /** The call whose answer said it; null: a webhook did. */
  readonly call: ClientCall | null;
  readonly startedMs: number;
  /** When the client had it. */
  readonly atMs: number;
  /** False: a webhook that was not answered, so that it is not known whether the client has read it. */
  readonly sure: boolean;
}

/** Everything that it was told, in order. */
export function tellingsOf(session: SeenSession): readonly Telling[] {
  const all = [...operationCalls(session).flatMap(toldByCall), ...session.webhooks.flatMap(toldByWebhook)];
  return all.sort((a, b) => a.atMs - b.atMs);
}

/** What answers told for sure, in order: what the client surely knew when it made its next call. */
export function toldByCalls(session: SeenSession): readonly (Telling & { readonly call: ClientCall })[] {
  return operationCalls(session)
    .flatMap(toldByCall)
    .sort((a, b) => a.atMs - b.atMs);
}

export function byJob<One extends Pick<Telling, 'job'>>(
  tellings: readonly One[],
): ReadonlyMap<string, readonly One[]> {
  const all = new Map<string, One[]>();
  for (const one of tellings) getOrMake(all, one.job, (): One[] => []).push(one);
  return all;
}

export const isFinal = (status: JobStatus): boolean => ENDED_STATUSES.includes(status);

function toldByCall(call: ClientCall): readonly (Telling & { readonly call: ClientCall })[] {
  if (!isSuccess(call)) return [];
  const body = replyIn(call);
  // A bare array of chunks says nothing of the state.
  if (!isObject(body) || !isJobStatus(body['status'])) return [];
  const job = jobOf(call) ?? body['id'];
  if (typeof job !== 'string') return [];
  return [{ job, status: body['status'], call, startedMs: call.fromMs, atMs: call.byMs, sure: true }];
}

function toldByWebhook({
  job,
  state,
  fate,
  status,
  startedMs,
  endedMs,
}: WebhookDelivery): readonly Telling[] {
  if (fate !== 'delivered' || state === null) return [];
  const sure = status !== null;
  return [
    { job, status: state, call: null, startedMs, atMs: sure ? (endedMs ?? startedMs) : startedMs, sure },
  ];
}
