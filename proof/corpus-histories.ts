/** What `npm run proofs -- corpus` records: endpoints that conform, each shown by what a client met on it. No history may fail. */
import { named } from '../scenarios/index.js';
import { simulatorIn } from '../src/test-bed/test-bed.js';
import { rulesFor } from '../src/core/rules.js';
import type { HistoryEvent } from '../src/history/events.js';
import { packageVersion } from '../src/package-files.js';
import { drawPlan } from '../src/schedule/draw-plan.js';
import { runScripts } from '../src/target/run-scripts.js';
import type { NamedScenario } from '../src/scenario/index.js';
import { EXECUTION_TIMEOUT_DEFAULT_MS } from '../src/spec/limits.js';
import type { Edition } from '../src/spec/types.js';
import { httpTarget } from '../src/target/http/index.js';
import type { Target } from '../src/target/port.js';
import { simulatorTarget } from '../src/target/simulator/simulator-target.js';
import { LEGAL } from '../specs/naive/legal-variants.js';
import { startNaive } from '../specs/naive/server.js';
import { conformers, GRACE_MS, type Conformer } from '../specs/variants/correct-endpoints.js';
import { distinguishingScenarios } from '../specs/variants/distinguishing.js';
import { isBurst } from './heavy-scenarios.js';
import { batchHistory, explorerHistory } from './trials/conformant-batch.js';
import { scriptsFor } from './trials/side-by-side.js';

export interface CorpusHistory {
  /** Of its file, without the ending. */
  readonly name: string;
  /** Empty if there is nothing to run. Depends only on the seed, except for what a server does over HTTP. */
  record(seed: number): Promise<readonly HistoryEvent[]>;
}

/** Every scenario by itself: exactly in time, with the lateness that a live check excuses, and in the other edition. */
function scenarios(): readonly CorpusHistory[] {
  const endpoints = [
    { name: 'document', edition: 'document', graceMs: 0 },
    { name: 'late', edition: 'document', graceMs: GRACE_MS },
    { name: 'runpod', edition: 'runpod', graceMs: 0 },
  ] as const;
  return endpoints.flatMap(({ name, edition, graceMs }) =>
    named.map((scenario) => ({
      name: fileName(`scenario-${name}-${scenario.name}`),
      record: (seed) =>
        historyOf(simulatorTarget({ seed, edition, graceMs, rules: rulesFor({}, edition) }), edition, seed, [
          scenario,
        ]),
    })),
  );
}

/** More than 2,000 explored scripts on the plain endpoint, half of them in each edition. */
const EXPLORED_BATCHES = 64;

function explored(): readonly CorpusHistory[] {
  return Array.from({ length: EXPLORED_BATCHES }, (_, batch) => {
    const edition: Edition = batch % 2 === 0 ? 'document' : 'runpod';
    return {
      name: `explored-${edition}-${padded(batch)}`,
      record: async (seed) =>
        explorerHistory({ seed, batch, edition }, [], (environment) =>
          simulatorIn(environment, edition, rulesFor({}, edition)),
        ).events,
    };
  });
}

/** As `npm run proofs -- conformant` draws them: a third explored, a third shipped scenarios, a third many clients of one job. */
const CONFORMANT_BATCHES = 180;

function conformant(): readonly CorpusHistory[] {
  return Array.from({ length: CONFORMANT_BATCHES }, (_, batch) => ({
    name: `conformant-${['explored', 'directed', 'crowded'][batch % 3]}-${padded(batch)}`,
    record: async (seed) => batchHistory({ seed, batch }).events,
  }));
}

const light = named.filter(({ name }) => !isBurst(name));

/** Every reading of every open question, with the scenarios that go otherwise than on the plain endpoint. */
function variants(): readonly CorpusHistory[] {
  return conformers(0, 0)
    .filter(({ simulated, name }) => simulated !== null && name.startsWith('document '))
    .map((variant) => ({
      name: fileName(`variant-${variant.name}`),
      record: (seed) => recordVariant(variant, seed),
    }));
}

async function recordVariant(variant: Conformer, seed: number): Promise<readonly HistoryEvent[]> {
  const telling = (scenarios: readonly NamedScenario[]): readonly NamedScenario[] => {
    const names = distinguishingScenarios(variant, { seed, scenarios, maxWaitMs: Infinity })!;
    return scenarios.filter(({ name }) => names.has(name));
  };
  const few = telling(light);
  // Some limits and codes show in bursts alone.
  const wanted = few.length > 0 ? few : telling(named);
  return historyOf(variant.simulated!(seed), variant.edition, seed, wanted);
}

/** A call that a server leaves unanswered is given up after so long. */
const TIMEOUT_MS = 10_000;
/** Each variant of the naive server runs one scenario in this many, in rotation. */
const NAIVE_EVERY = 5;

/** The independent server and its variants, over HTTP under test control. */
function naive(): readonly CorpusHistory[] {
  return LEGAL.filter(({ realTimeOnly }) => realTimeOnly !== true).map(({ id, choices }, nth) => ({
    name: `naive-variant-${id}`,
    async record(seed) {
      const server = await startNaive({ clock: 'controlled', choices });
      try {
        const target = await httpTarget({
          url: server.url,
          apiKey: server.apiKey,
          controlUrl: server.controlUrl,
          worker: 'scripted',
          timeoutMs: TIMEOUT_MS,
          executionTimeoutDefaultMs: choices.executionTimeoutDefaultMs ?? EXECUTION_TIMEOUT_DEFAULT_MS,
        });
        const share = light.filter(
          (_, index) => id === 'default' || index % NAIVE_EVERY === nth % NAIVE_EVERY,
        );
        try {
          const scripts = await scriptsFor(target, share, seed);
          return (await runScripts(target, scripts, runOf(seed, 'document'))).events;
        } finally {
          await target.close();
        }
      } finally {
        await server.close();
      }
    },
  }));
}

async function historyOf(
  target: Target,
  edition: Edition,
  seed: number,
  wanted: readonly NamedScenario[],
): Promise<readonly HistoryEvent[]> {
  const { scripts } = drawPlan(wanted, target, seed, 1);
  return scripts.length === 0 ? [] : (await runScripts(target, scripts, runOf(seed, edition))).events;
}

const runOf = (seed: number, edition: Edition) => ({ seed, edition, runproof: packageVersion() });
const fileName = (name: string): string => name.replaceAll(/[^A-Za-z0-9.=]+/g, '-');
const padded = (batch: number): string => String(batch).padStart(3, '0');

/** Whether a history, by its name, is that of an endpoint that conforms: of the corpus, or of a server without a fault. */
export function conforms(name: string): boolean {
  return /^((scenario|explored|conformant|variant|naive-variant)-|(naive|mutant)-none(\.|$))/.test(name);
}

export const CORPUS: readonly CorpusHistory[] = [
  ...scenarios(),
  ...explored(),
  ...conformant(),
  ...variants(),
  ...naive(),
];
