/** One legal variant, checked: which reading of its question was observed, and what was said of the other questions. */
import { named } from '../../scenarios/index.js';
import { readingsOf } from '../../src/core/editions.js';
import { rulesFor, type Rules } from '../../src/core/rules.js';
import { LEGAL_VARIANTS, type Variant } from '../../src/mutants/index.js';
import { judge } from '../../src/oracle/index.js';
import { packageVersion } from '../../src/package-files.js';
import { drawPlan } from '../../src/schedule/draw-plan.js';
import { runScripts } from '../../src/target/run-scripts.js';
import type { Edition } from '../../src/spec/types.js';
import type { Target } from '../../src/target/port.js';
import { simulatorTarget } from '../../src/target/simulator/simulator-target.js';
import { onServer } from './with-local-server.js';

const GRACE_MS = 250;

export interface ReadingTask {
  readonly kind: 'reading';
  /** `8/megabyte=binary`; `document` or `runpod` for an edition as it is. */
  readonly variant: string;
  readonly over: 'simulator' | 'http';
  readonly seed: number;
  /** Scenarios to play; null: all. */
  readonly scenarios: readonly string[] | null;
}

export interface ReadingRow {
  readonly variant: string;
  readonly question: string | null;
  /** What the variant answers. */
  readonly reading: string | null;
  /** What was observed, the most frequent first. */
  readonly observed: readonly string[];
  /** Questions, this one aside, of which another reading was told than the variant's. */
  readonly misreported: readonly { readonly question: string; readonly told: string; readonly is: string }[];
  /** Musts that failed: there is no reason for any. */
  readonly failed: readonly string[];
  /** Questions that were answered at all. */
  readonly answered: readonly string[];
}

type Tried = Pick<Variant, 'id' | 'edition' | 'dialect' | 'lateMs'> & { readonly rules: () => Rules };

function plain(edition: Edition): Tried {
  return { id: edition, edition, dialect: {}, lateMs: 0, rules: () => rulesFor({}, edition) };
}

export async function tryReading(task: ReadingTask): Promise<ReadingRow> {
  const tried: Tried | undefined =
    task.variant === 'document' || task.variant === 'runpod'
      ? plain(task.variant)
      : LEGAL_VARIANTS.find(({ id }) => id === task.variant);
  if (tried === undefined) throw new Error(`there is no variant ${task.variant}`);
  // A default of the endpoint's own is told where none is known.
  const isDefaultKnown = (tried.dialect['2.2/execution-timeout-default'] ?? 'ten-minutes') === 'ten-minutes';
  if (task.over === 'simulator') {
    const graceMs = Math.max(GRACE_MS, tried.lateMs);
    const { seed } = task;
    return rowOf(
      simulatorTarget({
        ...(isDefaultKnown ? {} : { executionTimeoutDefaultMs: null }),
        seed,
        rules: tried.rules(),
        edition: tried.edition,
        graceMs,
      }),
      tried,
      task,
    );
  }
  const { edition } = tried;
  return onServer({ clock: 'controlled', rules: tried.rules(), edition }, { isDefaultKnown }, (target) =>
    rowOf(target, tried, task),
  );
}

async function rowOf(target: Target, tried: Tried, { seed, scenarios }: ReadingTask): Promise<ReadingRow> {
  const wanted = scenarios === null ? named : named.filter(({ name }) => scenarios.includes(name));
  const { scripts } = drawPlan(wanted, target, seed, 1);
  const { edition } = tried;
  const { events } = await runScripts(target, scripts, { seed, edition, runproof: packageVersion() });
  const { openQuestions, requirements } = judge(events);
  const truth: { readonly [question: string]: string } = readingsOf(tried.dialect, edition);
  const question = tried.id.includes('=') ? tried.id.slice(0, tried.id.indexOf('=')) : null;
  return {
    variant: tried.id,
    question,
    reading: question === null ? null : (truth[question] ?? null),
    observed: openQuestions.find(({ id }) => id === question)?.readings ?? [],
    misreported: openQuestions.flatMap(({ id, readings }) =>
      readings
        .filter((told) => told !== truth[id] && id !== question)
        .map((told) => ({ question: id, told, is: truth[id] ?? '' })),
    ),
    failed: requirements.flatMap(({ id, level, verdict }) =>
      level === 'must' && verdict === 'fail' ? [id] : [],
    ),
    answered: openQuestions.filter(({ readings }) => readings.length > 0).map(({ id }) => id),
  };
}
