/** What the rules and passes of a job's life are about, as the rows of its tables say. */
import type { RequirementId } from '../../spec/index.js';
import {
  CALL_DECISIONS,
  CANCEL,
  EXPIRED,
  FORBIDDEN_TRANSITIONS,
  PURGE,
  RECORD_DECISIONS,
  RETRY,
  RETRY_DECISIONS,
  WEBHOOK,
} from './lifecycle/lifecycle-calls.js';
import { TIMERS } from './lifecycle/lifecycle.js';
import type { Topic } from './lifecycle/lifecycle-rows.js';
import { REPORTED_TIMES, TIME_DECISIONS } from './reported-times.js';

interface About {
  readonly topics?: readonly Topic[];
  readonly quantity?: string;
  readonly cases: readonly (readonly [id: RequirementId, ...unknown[]])[];
}

const expired = Object.values(EXPIRED);
const ABOUT: readonly About[] = [
  ...TIMERS.flatMap(({ topics, quantity, tooLate, tooEarly, others }) => [
    { topics, quantity, cases: [...tooLate.cases, ...tooEarly.cases] },
    ...others.map((row) => ({ topics, ...row })),
  ]),
  ...FORBIDDEN_TRANSITIONS,
  ...CALL_DECISIONS,
  ...RECORD_DECISIONS,
  ...REPORTED_TIMES,
  ...TIME_DECISIONS,
  ...[CANCEL.queued, CANCEL.running, CANCEL.deleted].map(({ cases }) => ({
    topics: ['cancel'] as const,
    cases,
  })),
  ...[RETRY.failed, RETRY['timed-out'], RETRY.deleted].map(({ cases }) => ({
    topics: ['retry'] as const,
    cases,
  })),
  ...[PURGE.queued, PURGE.running].map(({ cases }) => ({ topics: ['purge'] as const, cases })),
  { topics: ['ttl', 'retention'], cases: RETRY.deleted.cases },
  { topics: ['ttl'], quantity: 'ttl', cases: expired.map(([ttl]) => [ttl]) },
  { topics: ['retention'], cases: expired.flatMap(([, ...results]) => results.map((id) => [id] as const)) },
  { topics: ['retry'], cases: RETRY_DECISIONS },
  { topics: ['webhook'], cases: [[WEBHOOK]] },
];

const NO_TOPICS: ReadonlySet<Topic> = new Set();
const TOPICS = new Map<RequirementId, ReadonlySet<Topic>>();
const QUANTITIES = new Map<RequirementId, string>();

export const topicsOf = (id: RequirementId): ReadonlySet<Topic> => TOPICS.get(id) ?? NO_TOPICS;

for (const { topics, quantity, cases } of ABOUT)
  for (const [id] of cases) {
    TOPICS.set(id, new Set([...topicsOf(id), ...(topics ?? [])]));
    if (quantity !== undefined) QUANTITIES.set(id, quantity);
  }

/** What the bound of a rule limits, in the words of proofs. */
export const quantityOf = (rule: RequirementId): string => QUANTITIES.get(rule) ?? '';
