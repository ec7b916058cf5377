/**
 * What the oracle leaves out of the orders of calls under way at once makes no difference: to 60 new histories of each kind, and
 * with WHOLE=1 to 150.
 */
import { describe, expect, test } from 'vitest';
import { observeJobs } from '../../../src/oracle/jobs/observed-jobs.js';
import { RuleSet } from '../../../src/oracle/model/rule-set.js';
import { subsumes, type Hypothesis } from '../../../src/oracle/model/hypothesis.js';
import { initialHypotheses } from '../../../src/oracle/model/observed-job.js';
import { linearize } from '../../../src/oracle/model/linearize.js';
import { transitionsTo } from '../../../src/oracle/model/lifecycle/silent-transitions.js';
import { batchesOf } from '../../../src/oracle/observed/session.js';
import { RUN_COUNT_UNKNOWN } from '../../../src/oracle/observed/worker-prediction.js';
import type { RunEvent } from '../../../src/history/events.js';
import { createRandom } from '../../../src/time/random.js';
import { allOrders } from '../support/all-interleavings.js';
import { drawLife, type Wish } from '../support/random-histories.js';
import { WHOLE } from '../../support/whole.js';
import { failed, type TraceBuilder } from '../support/trace-builder.js';

const SEED = Number(process.env['ORACLE_SEED'] ?? Date.now() % 1_000_000);
const HISTORIES = Number(process.env['ORACLE_HISTORIES'] ?? (WHOLE ? 150 : 60));
const END = 600_000;

function caseOf(trace: TraceBuilder) {
  const [run, ...events] = trace.history(END);
  const [batch] = [...batchesOf(run as RunEvent, events)];
  return observeJobs(batch![0]!).jobs[0]!;
}

/**
 * Which of several that are alike requeued or removed the job is left open, and which of them told of its end; and whether a
 * call that was lost came when it could not have any effect.
 */
const nameless = (at: Hypothesis): Hypothesis => ({
  ...at,
  lastRetry: null,
  purgedBy: null,
  wronglyAccepted: null,
  milestones: { ...at.milestones, ended: null },
});

/**
 * A purged job was requeued. That depends on the state in which it was first reported: a read of FAILED is taken to come from before
 * the purge where it can, and then it tells nothing of the purged job. Only a target that reports one purged job as FAILED and as
 * CANCELLED, which no correct one does, can have such a life left out.
 */
const isRevived = ({ retries }: Hypothesis): boolean => retries >= RUN_COUNT_UNKNOWN;

const isAmong = (at: Hypothesis, others: readonly Hypothesis[]): boolean =>
  others.some((other) => subsumes(nameless(other), nameless(at)));

const FEW = { calls: 8, atOnce: 4, wrongPerMille: 300 } as const;
const KINDS: readonly (readonly [string, Wish])[] = [
  ['reads', { ...FEW, atOnce: 5, ops: ['status', 'stream'] }],
  ['reads and cancels', { ...FEW, ops: ['status', 'status', 'cancel'] }],
  ['reads and retries', { ...FEW, ops: ['status', 'status', 'stream', 'retry'] }],
  ['everything', { ...FEW, ops: ['status', 'status', 'stream', 'cancel', 'retry', 'purge-queue'] }],
];

describe.each(KINDS)('%s', (name, wish) => {
  test(`are explained as by all orders (ORACLE_SEED=${SEED})`, () => {
    const random = createRandom(SEED).fork(name);
    const seen = { explained: 0, contradicted: 0 };
    for (let index = 0; index < HISTORIES; index += 1) {
      const job = caseOf(drawLife(random.fork(`${index}`), wish));
      const rules = new RuleSet(100, 0);
      const start = initialHypotheses(job);
      const steps: (readonly Hypothesis[])[] = [];
      const all = allOrders(rules, job.model, start, job.operations, (_, __, after) => steps.push(after));
      let step = 0;
      if (all === null) continue;
      const few = linearize(rules, job.model, start, job.operations, (op, _, after) => {
        const every = steps[step++];
        expect(every, `${index}: explained beyond what contradicts`).toBeDefined();
        for (const at of after)
          expect(isAmong(at, every!), `${index}: made up at ${op.kind} ${op.byMs}`).toBe(true);
      });
      expect(few.kind, `history ${index}`).toBe(Array.isArray(all) ? 'consistent' : 'contradiction');
      if (few.kind !== 'consistent') {
        seen.contradicted += 1;
        continue;
      }
      seen.explained += 1;
      // What may have been deleted since its last look need not have been followed so far.
      const now = few.hypotheses.flatMap((at) => [
        at,
        ...transitionsTo(rules, job.model, at, 'deleted', END),
      ]);
      for (const at of all as readonly Hypothesis[])
        expect(isRevived(at) || isAmong(at, now), `${index}: left out ${at.state}`).toBe(true);
    }
    expect(seen.explained).toBeGreaterThan(HISTORIES / 3);
    expect(seen.contradicted).toBeGreaterThan(0);
  });
});

describe('a crowd', () => {
  test.each(KINDS)(`of %s is never failed (ORACLE_SEED=${SEED})`, (name, { ops }) => {
    const random = createRandom(SEED).fork('crowd').fork(name);
    for (let index = 0; index < HISTORIES / 8; index += 1) {
      const trace = drawLife(random.fork(`${index}`), { calls: 60, atOnce: 30, wrongPerMille: 0, ops });
      // That an operation is never served is said of whole runs; of rates these clients know nothing, and their calls take
      // long, for whatever reason.
      const isOther = (id: string): boolean => /^(?:4\/operation|8\/rate)-|\/returns-at-once$/.test(id);
      const wrong = failed(trace.judged(END)).filter((id) => !isOther(id));
      expect(wrong, `history ${index}`).toEqual([]);
    }
  });
});
