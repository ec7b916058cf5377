/**
 * `bin/runproof-verify.mjs` accepts the proofs of faults and refuses forged ones. `WHOLE=1` tries all faults, and prints the
 * figures of docs/verify.md.
 */
import { expect, it } from 'vitest';
import { checkReport, historyOf, type Row } from '../../../bin/runproof-verify.mjs';
import { MUTANTS } from '../../../src/mutants/index.js';
import { REQUIREMENTS } from '../../../src/spec/index.js';
import { createRandom } from '../../../src/time/random.js';
import { drawnByCommit, WHOLE } from '../../support/whole.js';
import { reportOn, type FaultyReport } from './faulty-report.js';
import { forgedCycles, forgedFrom, type Proof } from './forged-proofs.js';

/** Of each kind of proof some. */
const ALWAYS =
  'ttl-spares-running ttl-restarts-at-end retry-of-failed-feigned cancel-only-queued health-queue-with-running output-empty-left-out timeout-not-enforced ttl-two-seconds-early wait-ignored input-optional purge-spares-low-priority retention-outlives-retry output-as-text rate-cancel-half webhook-four-attempts';
/** One in so many of the others, which the commit draws. */
const SHARES = 60;
/** Of a correct endpoint: what its calls are made for. */
const SECTIONS = ['2.2', '3', '4.3', '4.6', '5', '6', '7'];

const always = MUTANTS.filter(({ id }) => ALWAYS.split(' ').includes(id));
const faults = [...new Set([...always, ...drawnByCommit(MUTANTS, SHARES)])];
const reports = new Map<string, FaultyReport>();

/** What is asked of a correct endpoint: the less takes its calls from the more. */
const ASKED = WHOLE ? ['1', '2.*', '3', '4.*', '5', '6', '7', '8'] : SECTIONS;
let correct: Promise<FaultyReport> | undefined;
const onCorrect = (): Promise<FaultyReport> => (correct ??= reportOn(null, ASKED));

const rowsOf = ({ report, history }: FaultyReport): readonly Row[] => checkReport(report, historyOf(history));

it('no failure of a fault is refused', { timeout: 900_000 }, async () => {
  const counts: { [kind: string]: { [result: string]: number } } = {};
  const refused: string[] = [];
  for (const fault of faults) {
    const reported = await reportOn(fault);
    if (always.includes(fault)) reports.set(fault.id, reported);
    for (const { id, kind, result, how } of rowsOf(reported)) {
      const count = (counts[kind] ??= {});
      count[result] = (count[result] ?? 0) + 1;
      if (result === 'REFUSED') refused.push(`${fault.id} ${id}: ${how}`);
      if (result === 'not checkable') expect(how).not.toBe('');
    }
  }
  console.log(`${faults.length} faults: ${JSON.stringify(counts)}`);
  expect(refused).toEqual([]);
  for (const kind of ['time', 'order', 'number', 'answer'])
    expect(counts[kind]?.['verified'] ?? 0, kind).toBeGreaterThan(5);
});

it('a thousand forged proofs are refused, and none is accepted', { timeout: 300_000 }, async () => {
  const random = createRandom(54);
  const proofs = [...reports.values()].flatMap(({ report, history }) => {
    const accepted = checkReport(report, historyOf(history)).filter(({ result }) => result === 'verified');
    return accepted.map(({ id, nth }): Proof => {
      const failure = report.requirements.find((one) => one.id === id)!.failures[nth - 1]!;
      return { id, failure, history };
    });
  });
  const correct = await reportOn(null, ['2.2', '4.6/retried-job-runs', '3/completed-stays']);
  const forged = [
    ...proofs.flatMap((proof) => forgedFrom(proof, random, 2)),
    ...forgedCycles(correct.history).map((proof) => ({ name: 'a cycle on legal calls', proof })),
  ];
  const histories = new Map<Proof['history'], ReturnType<typeof historyOf>>();
  const results: { [name: string]: { [result: string]: number } } = {};
  const accepted: string[] = [];
  for (const { name, proof } of forged) {
    const isShared = [...reports.values(), correct].some(({ history }) => history === proof.history);
    const history = (isShared ? histories.get(proof.history) : undefined) ?? historyOf(proof.history);
    if (isShared) histories.set(proof.history, history);
    const [row] = checkReport({ requirements: [{ id: proof.id, failures: [proof.failure] }] }, history);
    const count = (results[name] ??= {});
    count[row!.result] = (count[row!.result] ?? 0) + 1;
    if (row!.result === 'verified')
      accepted.push(`${name}: ${proof.id} ${JSON.stringify(proof.failure.contradiction)}`);
  }
  console.log(`${forged.length} forged proofs: ${JSON.stringify(results)}`);
  expect(accepted).toEqual([]);
  const refused = Object.values(results).reduce((sum, each) => sum + (each['REFUSED'] ?? 0), 0);
  expect(refused).toBeGreaterThanOrEqual(1_000);
  // How many calls count in a window is not certain, so that none is refused.
  for (const [name, each] of Object.entries(results))
    expect(
      each[name === 'more calls in the window' ? 'not checkable' : 'REFUSED'] ?? 0,
      name,
    ).toBeGreaterThan(0);
});

it('no call of a correct endpoint is accepted as the proof of a failure', { timeout: 300_000 }, async () => {
  const random = createRandom(54);
  const { history } = await onCorrect();
  const calls = history.flatMap((event) => (event.kind === 'call' ? [event.call] : []));
  const drawn = (): number => calls[random.intBetween(0, calls.length - 1)]!;
  const given = { originMs: 0, shrunk: null, contradiction: null };
  const requirements = REQUIREMENTS.map(({ id }) => ({
    id,
    failures: Array.from({ length: WHOLE ? 60 : 15 }, () => ({ ...given, calls: [drawn()] })),
  }));
  const rows = checkReport({ requirements } as unknown as FaultyReport['report'], historyOf(history));
  expect(rows.length).toBeGreaterThan(3_000);
  const accepted = rows.filter(({ result }) => result === 'verified');
  expect(
    accepted.map(({ id, nth, how }) => {
      const { failures } = requirements.find((one) => one.id === id)!;
      return `${id} by #${failures[nth - 1]!.calls[0]}: ${how}`;
    }),
  ).toEqual([]);
});

it('every job of a correct endpoint has a story', { timeout: 300_000 }, async () => {
  const { history } = await onCorrect();
  const calls = history.filter((event) => event.kind === 'call');
  const submitted = calls.flatMap((call) => {
    const value = call.reply?.body.as === 'json' ? (call.reply.body.value as { readonly id?: string }) : {};
    const isSubmission = call.op === 'run' || call.op === 'runsync';
    return isSubmission && call.reply?.status === 200 && value.id !== undefined
      ? [{ call: call.call, job: value.id }]
      : [];
  });
  const failures = submitted.map(({ call, job }) => {
    const contradiction = { kind: 'order', job, seen: [] } as const;
    return { calls: [call], originMs: 0, shrunk: null, contradiction } as unknown as Proof['failure'];
  });
  const rows = checkReport({ requirements: [{ id: '3/completed-stays', failures }] }, historyOf(history));
  expect(rows.length).toBeGreaterThan(200);
  expect(rows.flatMap(({ result }, nth) => (result === 'verified' ? [submitted[nth]] : []))).toEqual([]);
});
