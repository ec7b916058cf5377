/** How a client receives webhooks. */
import { WEBHOOK_SUCCESS_STATUS } from '../../spec/index.js';
import { getOrMake } from '../../util/maps.js';
import type { ClientRule, Occasion } from '../rule.js';
import type { ClientCall, SeenSession, WebhookDelivery } from '../session.js';
import { isSubmission, isSuccess } from './calls.js';
import { kept, violated } from './occasions.js';
import { seriesOf } from './series.js';
import { isFinal, tellingsOf } from './told.js';

/** A client that is about to end may have closed its server already. */
const BEFORE_END_MS = 1_000;
/** No refusal takes so long. */
const HANGS_MS = 5_000;
/** How soon after a webhook a submission counts as made because of it. */
const ACTS_WITHIN_MS = 1_000;

export const WEBHOOK_RULES: readonly ClientRule[] = [
  {
    id: 'client/webhook-answers-200',
    level: 'should',
    traffic: 'each call',
    text: 'The client answers each webhook with status 200.',
    source: { kind: 'document', section: '6', quote: 'The receiving server should answer with status 200.' },
    decidedBy: 'the answers to webhooks',
    weather: ['clear', 'webhook-before-reply', 'webhook-late'],
    occasions: (session) =>
      delivered(session).flatMap((delivery) => {
        if (delivery.status === null) {
          // What stands between may have kept it from its receiver.
          if (session.weather === null) return [];
          return isUnanswered(session, delivery) || hangs(session, delivery)
            ? [violated([], `webhook ${delivery.number} was not answered`)]
            : [];
        }
        return isRightAnswer(session, delivery.status)
          ? [kept([])]
          : [violated([], `webhook ${delivery.number} was answered with ${delivery.status}`)];
      }),
  },
  {
    id: 'client/receives-webhook',
    level: 'should',
    traffic: 'kept',
    whyOpen: 'whether it still runs is not known',
    text: 'A client that submits a webhook listens for it until the job has ended.',
    source: {
      kind: 'consequence',
      section: '6',
      why: 'The service calls a webhook at most three times; a receiver that is not listening misses it.',
    },
    decidedBy: 'whether each webhook reached a server that answered, while the client ran',
    weather: ['clear', 'webhook-late'],
    occasions: (session) =>
      delivered(session).flatMap((delivery) => {
        if (delivery.status !== null) return [kept([])];
        if (!isUnanswered(session, delivery) || hangs(session, delivery)) return [];
        const said = `webhook ${delivery.number} of job ${delivery.job} reached no server of the client`;
        return [violated([], said)];
      }),
  },
  {
    id: 'client/acts-once-on-webhook',
    level: 'should',
    traffic: 'kept',
    whyOpen: 'it may want several equal jobs',
    harm: 'money',
    text: 'The client acts only once on a webhook that it receives several times.',
    source: {
      kind: 'consequence',
      section: '6',
      why: 'A webhook whose answer is lost is called again, up to two more times.',
    },
    decidedBy: 'submissions of the same body after several webhooks of one job',
    weather: ['webhook-three-times'],
    occasions: actsOf,
  },
];

const delivered = ({ webhooks }: SeenSession): readonly WebhookDelivery[] =>
  webhooks.filter(({ fate }) => fate === 'delivered');

/** Deployed services are content with any 2xx. */
const isRightAnswer = ({ edition }: SeenSession, status: number): boolean =>
  status === WEBHOOK_SUCCESS_STATUS || (edition === 'runpod' && status >= 200 && status < 300);

/** Whether it was accepted and not answered, while the client ran: a server that is gone refuses at once. */
function hangs({ end }: SeenSession, { status, startedMs, endedMs }: WebhookDelivery): boolean {
  if (status !== null || endedMs === null || endedMs - startedMs < HANGS_MS) return false;
  return endedMs < end.atMs - (end.kind === 'ended' ? BEFORE_END_MS : 0);
}

/** Whether it ended without an answer although the client ran, and did not know yet that its job had ended. */
function isUnanswered(session: SeenSession, { job, status, endedMs }: WebhookDelivery): boolean {
  const { end } = session;
  if (status !== null || endedMs === null) return false;
  if (endedMs >= end.atMs - (end.kind === 'ended' ? BEFORE_END_MS : 0)) return false;
  return !tellingsOf(session).some(
    (telling) => telling.job === job && telling.sure && isFinal(telling.status) && telling.atMs <= endedMs,
  );
}

function actsOf(session: SeenSession): readonly Occasion[] {
  const byJob = new Map<string, WebhookDelivery[]>();
  for (const delivery of delivered(session))
    getOrMake(byJob, delivery.job, (): WebhookDelivery[] => []).push(delivery);
  return [...byJob.values()]
    .filter((deliveries) => deliveries.length >= 2)
    .map((deliveries) => {
      const repeated = repeatedAct(session, deliveries, byJob.size);
      const job = deliveries[0]!.job;
      return repeated === null
        ? kept([])
        : violated(
            repeated,
            `after each of ${repeated.length} webhooks of job ${job} it sent the same submission`,
          );
    });
}

/** Submissions of the same body, each after another webhook of a job; each of `jobs` may cause one. */
function repeatedAct(
  session: SeenSession,
  deliveries: readonly WebhookDelivery[],
  jobs: number,
): readonly ClientCall[] | null {
  const firstMs = deliveries[0]!.startedMs;
  for (const series of seriesOf(session).filter((calls) => calls.every(isSubmission))) {
    if (series.some(({ fromMs }) => fromMs < firstMs)) continue;
    const accepted = series.filter(isSuccess);
    const acts = deliveries.flatMap(({ startedMs }, at) => {
      const untilMs = Math.min(deliveries[at + 1]?.startedMs ?? Infinity, startedMs + ACTS_WITHIN_MS);
      return accepted.find((call) => call.fromMs >= startedMs && call.fromMs < untilMs) ?? [];
    });
    if (acts.length >= 2 && accepted.length > jobs) return acts;
  }
  return null;
}
