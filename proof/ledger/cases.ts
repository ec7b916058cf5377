/**
 * `ledger/` promises that each proof is tried in time: a list of cases, when each was last tried with which code, and what came
 * out. It judges nothing itself.
 *
 * An error is tried in one place of those in which it would show the same. Our own core runs on the simulator, where it is as good
 * a witness as over HTTP: of 146 faults that were tried in both places, all had the same musts failed, as often. The independent
 * server has no simulator, so it is tried over HTTP under test control. So are correct endpoints: readings of our core on the
 * simulator, variants of the independent server over HTTP. Real time takes hours by waiting alone, so its cases are tried only
 * where `--only` names them: the profile `standard` only for faults that its waits show and those of `quick` do not.
 */
import { PROFILE_WAIT_MS } from '../../src/judging/profiles.js';
import { MUTANTS } from '../../src/mutants/index.js';
import { conformers } from '../../specs/variants/correct-endpoints.js';
import type { Judgement } from '../../specs/variants/judge-variant.js';
import { whySilent } from '../breaks/index.js';
import { CORRECT_CLIENTS } from '../clients/correct/index.js';
import { FAULTY_CLIENTS } from '../clients/faults/index.js';
import { isCaught } from '../clients/table.js';
import type { BatchSummary } from '../trials/conformant-batch.js';
import type { PrecisionMode } from '../trials/faulty-server.js';
import type { PassiveSummary } from '../trials/passive-trial.js';
import { lineOf, rowOf } from '../precision.js';
import { taskOf, triedIn, type Tried } from '../precision/precision-tasks.js';
import { nameOf, type PrecisionRun } from '../precision/precision-trial.js';
import { whyNotInTraffic } from '../traffic.js';
import type { TrafficAnswer } from '../trials/traffic-trial.js';
import { alarmLines, clockFor, COMBINED, isSevere } from '../variants.js';
import type { VariantTask } from '../trials/variant-trial.js';
import type { ProofTask } from '../trials/worker.js';
import type { CaseCode } from './case-code.js';
import type { Known } from './order.js';
import { outcomeOf, type Outcome } from './outcome.js';
import { faultHistory, variantHistory } from './repository.js';

export interface Case extends Known {
  readonly task: ProofTask;
  /** Where its histories are kept. */
  readonly histories: readonly string[];
  /** It mostly waits: many are played side by side, and nothing is judged meanwhile. */
  readonly isReal: boolean;
  /** What its task answered. */
  read(answer: unknown): CaseAnswer;
}

export interface CaseAnswer {
  readonly outcome: Outcome;
  /** The digest of what was played. */
  readonly play: string;
  /** More of it, for who looks into it. */
  readonly details: readonly string[];
}

/** All draw from it: an answer is compared with the one before. */
const SEED = 1;

export function allCases(code: CaseCode): readonly Case[] {
  const control = triedIn({ servers: ['naive'], mode: 'control' });
  const own = triedIn({ servers: ['mutant'], mode: 'simulator' });
  return [
    ...control.map((one) => faultCase(code, one, 'control', 'quick')),
    ...own.map((one) => faultCase(code, one, 'simulator', 'quick')),
    ...[...control, ...own].flatMap((one) =>
      (['quick', 'standard'] as const)
        .filter((profile) => showsIn(one, profile))
        .map((profile) => faultCase(code, one, 'real', profile)),
    ),
    ...variantCases(code),
    ...batches(code, 'conformant', 96, 32),
    ...batches(code, 'passive', 96, 8),
    ...trafficCases(code),
    ...clientCases(code),
  ];
}

function showsIn({ fault }: Tried, profile: 'quick' | 'standard'): boolean {
  if (fault === null) return true;
  const isExcused = (one: typeof profile): boolean => whySilent(fault, PROFILE_WAIT_MS[one]) !== null;
  return !isExcused(profile) && (profile === 'quick' || isExcused('quick'));
}

function faultCase(code: CaseCode, one: Tried, mode: PrecisionMode, profile: 'quick' | 'standard'): Case {
  const how = { mode, profile, bursts: false, focus: true };
  const plays: string[] = [];
  const histories: string[] = [];
  const task = taskOf(one, { seed: SEED, precision: how }, (played, scenarios) => {
    const play = code.faultPlay(played, scenarios);
    const history = faultHistory(played, play);
    plays.push(play);
    histories.push(history);
    return history;
  });
  return {
    id: `precision/${mode === 'real' ? `real-${profile}` : mode}/${nameOf(one)}`,
    plays,
    judge: code.faultJudge(one.fault),
    task,
    histories,
    isReal: mode === 'real',
    read(answer) {
      const run = answer as PrecisionRun;
      const play = (run.isWidened ? plays[1] : plays[0])!;
      return { outcome: faultOutcome(run, how), play, details: [lineOf(run, how) ?? ''] };
    },
  };
}

function faultOutcome(
  run: PrecisionRun,
  how: { readonly mode: PrecisionMode; readonly profile: 'quick' | 'standard' },
): Outcome {
  const row = rowOf(run, how);
  if (row === null) {
    const alarms = run.failed.filter(({ level }) => level === 'must').length;
    const open = run.leftOpen?.length ?? 0;
    if (run.problem !== null) return outcomeOf('unchecked');
    return outcomeOf(alarms + open === 0 ? 'clean' : 'alarm', { alarms, open });
  }
  const word = (
    { right: 'right', advice: 'advice', wrong: 'another', missed: 'none', unchecked: 'unchecked' } as const
  )[row.naming];
  return outcomeOf(word, {
    wrong: row.wrong.length,
    over: row.passedOver.length,
    // In real time much does not show that does when time can be moved; a reason may be one of test control.
    ...(how.mode === 'real' ? {} : { silent: Number(row.silence === 'silent') }),
    ...(how.mode === 'control' ? { stale: Number(row.silence === 'stale') } : {}),
  });
}

/** Scenarios for each correct endpoint beside those that distinguish it: of a naive one none is known to. */
const OTHERS = { simulator: 40, controlled: 60 } as const;

function variantCases(code: CaseCode): readonly Case[] {
  return conformers(SEED, COMBINED).flatMap((one) => {
    const clock = clockFor(one);
    if (clock === null) return [];
    const how = { name: one.name, clock, seed: SEED, combined: COMBINED, runs: 1 } as const;
    const asked = { kind: 'variant', ...how, scenarios: { others: OTHERS[clock] } } as const;
    const play = code.variantPlay(asked);
    const history = variantHistory(asked, play);
    const task: VariantTask = { ...asked, history };
    return {
      id: `variants/${clock}/${one.name}`,
      plays: [play],
      judge: code.variantJudge(task),
      task,
      histories: [history],
      isReal: false,
      read(answer) {
        const judgement = answer as Judgement;
        const details = judgement.alarms.flatMap(alarmLines);
        return { play, outcome: variantOutcome(judgement), details };
      },
    };
  });
}

function variantOutcome({ alarms, unstable }: Judgement): Outcome {
  const severe = alarms.filter(isSevere);
  const open = severe.filter(({ isOpen }) => isOpen === true).length;
  const doubts = alarms.length - severe.length + unstable.length;
  return outcomeOf(severe.length === 0 ? 'clean' : 'alarm', { alarms: severe.length - open, open, doubts });
}

/** Cases whose histories are not kept: they are judged by the part, or judging takes most of the time. */
function playedAnew(
  code: CaseCode,
  root: string,
  {
    id,
    own = '',
    task,
    outcome,
  }: {
    readonly id: string;
    readonly own?: string;
    readonly task: ProofTask;
    outcome(answer: unknown): Outcome;
  },
): Case {
  const play = code.mixed(root, own);
  return {
    ...{ id, task, plays: [play], judge: '', histories: [], isReal: false },
    read: (answer) => ({ play, outcome: outcome(answer), details: [JSON.stringify(answer, withoutDecided)] }),
  };
}

/** Hundreds of requirements of which something was decided are no clue to what is wrong. */
const withoutDecided = (name: string, value: unknown): unknown => (name === 'decided' ? undefined : value);

function batches(
  code: CaseCode,
  kind: 'conformant' | 'passive',
  cases: number,
  each: number,
): readonly Case[] {
  const root = kind === 'conformant' ? 'proof/trials/conformant-batch.ts' : 'proof/trials/passive-trial.ts';
  return Array.from({ length: cases }, (_, nth) =>
    playedAnew(code, root, {
      id: `${kind}/${String(nth * each).padStart(4, '0')}`,
      own: `${each}`,
      task: {
        kind: 'several',
        tasks: Array.from({ length: each }, (__, index) => {
          const which = { seed: SEED, batch: nth * each + index };
          return kind === 'conformant' ? { kind, ...which } : { kind, ...which, path: null };
        }),
      },
      outcome: (answer) => batchesOutcome(answer as readonly (BatchSummary | PassiveSummary)[]),
    }),
  );
}

function batchesOutcome(summaries: readonly (BatchSummary | PassiveSummary)[]): Outcome {
  const sum = (of: (one: BatchSummary | PassiveSummary) => number): number =>
    summaries.reduce((all, one) => all + of(one), 0);
  const isPassive = summaries.some((one) => 'parts' in one);
  // Recorded traffic is held against no advice.
  const alarms = sum((one) => one.alarms.filter(({ level }) => !isPassive || level === 'must').length);
  const doubts = sum((one) => ('doubts' in one ? one.doubts.length : 0));
  return outcomeOf(alarms === 0 ? 'clean' : 'alarm', { calls: sum(({ calls }) => calls), alarms, doubts });
}

/** Faults that ordinary traffic can show. */
function trafficCases(code: CaseCode): readonly Case[] {
  const shown = MUTANTS.filter((mutant) => whyNotInTraffic(mutant) === null);
  return [null, ...shown.map(({ id }) => id)].map((mutant) =>
    playedAnew(code, 'proof/trials/traffic-trial.ts', {
      id: `traffic/${mutant ?? 'none'}`,
      own: code.mutant(mutant),
      task: { kind: 'traffic', mutant, seed: SEED, isOpen: false },
      outcome(answer) {
        const failed = Object.keys(answer as TrafficAnswer).length;
        if (mutant === null) return outcomeOf(failed === 0 ? 'clean' : 'alarm', { alarms: failed });
        return outcomeOf(failed === 0 ? 'hidden' : 'shown');
      },
    }),
  );
}

function clientCases(code: CaseCode): readonly Case[] {
  const root = 'proof/clients/trial.ts';
  return [
    ...FAULTY_CLIENTS.map((client) =>
      playedAnew(code, root, {
        id: `clients/${client.id}`,
        own: code.folder('proof/clients'),
        task: { kind: 'client', id: client.id, seed: SEED },
        outcome: (answer) =>
          outcomeOf(isCaught({ client, violated: answer as readonly string[] }) ? 'caught' : 'missed'),
      }),
    ),
    ...CORRECT_CLIENTS.map(({ id }) =>
      playedAnew(code, root, {
        id: `clients/${id}`,
        own: code.folder('proof/clients'),
        task: { kind: 'client', id, seed: SEED },
        outcome(answer) {
          const alarms = (answer as readonly string[]).length;
          return outcomeOf(alarms === 0 ? 'clean' : 'alarm', { alarms });
        },
      }),
    ),
  ];
}
