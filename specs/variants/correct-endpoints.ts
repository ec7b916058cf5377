/**
 * `specs/variants/` promises that the shipped suite fails no correct endpoint: it runs it on every reading of every
 * open question, on combinations of them, on the faults that break advice only, alone and together, and on the variants of the
 * naive server. It never excuses a failure.
 */
import { readingsOf } from '../../src/core/editions.js';
import { rulesFor, type Rules } from '../../src/core/rules.js';
import { legalVariants, MUTANTS } from '../../src/mutants/index.js';
import { startServer } from '../../src/server/index.js';
import {
  QUESTIONS,
  requirement,
  type Dialect,
  type Edition,
  type OpenQuestion,
} from '../../src/spec/index.js';
import { simulatorTarget, type SimulatorTarget } from '../../src/target/simulator/simulator-target.js';
import { createRandom } from '../../src/time/random.js';
import { LEGAL } from '../naive/legal-variants.js';
import { startNaive } from '../naive/server.js';
import { combinations } from './combinations.js';

interface Served {
  readonly url: string;
  readonly controlUrl: string;
  readonly apiKey: string;
  close(): Promise<void>;
}

/** A correct endpoint, in as many forms as it has. */
export interface Conformer {
  /** `document 8/megabyte=binary`, `naive stream-cumulative`. */
  readonly name: string;
  readonly edition: Edition;
  /** Null where it cannot be simulated because it is not our core. */
  readonly simulated: ((seed: number) => SimulatorTarget) | null;
  readonly served: (clock: 'controlled' | 'real') => Promise<Served>;
  /** It measures nothing in controlled time, or breaks the contract of test control. */
  readonly realTimeOnly: boolean;
  /**
   * Recommendations (`should`) that it violates without violating a `must`; such advice, or any, may be
   * given.
   */
  readonly advised: ReadonlySet<string> | 'any';
  /**
   * Over HTTP the webhook receiver is on this machine: an endpoint that calls no private addresses never
   * calls it.
   */
  readonly callsNobodyHere: boolean;
}

/** As `check` excuses lateness. */
export const GRACE_MS = 2_000;
const EDITIONS: readonly Edition[] = ['document', 'runpod'];
const nothing = (): void => {};

function ofCore(
  name: string,
  edition: Edition,
  dialect: Dialect,
  rules = () => rulesFor(dialect, edition),
): Conformer {
  return {
    name,
    edition,
    realTimeOnly: false,
    callsNobodyHere: dialect['2.1/private-webhook-address'] === 'not-called',
    advised: advisedFor(dialect, edition),
    simulated: (seed) =>
      simulatorTarget({
        // Any default of an endpoint's own is right where none is stated.
        executionTimeoutDefaultMs: null,
        seed,
        edition,
        rules: rules(),
        graceMs: GRACE_MS,
        auth: dialect['5/key-forms'] === 'bearer-only' ? 'bearer' : 'bare',
      }),
    async served(clock) {
      // A dialect is passed as by `serve --dialect`; other differences are passed as rules.
      const server = await startServer({
        clock,
        control: true,
        endpoints: [],
        edition,
        dialect: dialect,
        ...(Object.keys(dialect).length === 0 ? { rules: rules() } : {}),
        onError: nothing,
      });
      return {
        url: server.url,
        controlUrl: server.controlUrl!,
        apiKey: server.apiKeys[0]!,
        close: () => server.close(),
      };
    },
  };
}

function advisedFor(dialect: Dialect, edition: Edition): ReadonlySet<string> {
  const answers: { readonly [question: string]: string } = readingsOf(dialect, edition);
  const questions: readonly OpenQuestion[] = QUESTIONS;
  return new Set(
    questions.flatMap(
      ({ id, readings }) => readings.find((reading) => reading.id === answers[id])?.against ?? [],
    ),
  );
}

const plain = EDITIONS.map((edition) => ofCore(`${edition} plain`, edition, {}));

const singles = EDITIONS.flatMap((edition) =>
  legalVariants(edition).map(({ id, dialect, rules }) => ofCore(`${edition} ${id}`, edition, dialect, rules)),
);

/** Faults that break advice only: such an endpoint conforms. */
const ADVISABLE = MUTANTS.filter(({ breaks }) => breaks.every((id) => requirement(id).level !== 'must'));
const advisable = ADVISABLE.map(({ id, rules }): Conformer => ({
  ...ofCore(`advisable ${id}`, 'document', {}, () => rules(rulesFor({}, 'document'))),
  advised: 'any',
}));

/** Such an endpoint has to be called with another key, or calls no receiver here. */
const CALLED_OTHERWISE = ['5/key-forms=bearer-only', '2.1/private-webhook-address=not-called'];

/** Two of them on an endpoint with another reading, or other habits. */
function advisableTogether(seed: number, count: number): readonly Conformer[] {
  const others = legalVariants('document').filter(({ id }) => !CALLED_OTHERWISE.includes(id));
  return Array.from({ length: count }, (_, index): Conformer => {
    const random = createRandom(seed).fork('advisable').fork(String(index));
    const one = random.pick(ADVISABLE);
    // Twice the same may be wrong: times in seconds of seconds are.
    const other = random.pick(ADVISABLE.filter((another) => another !== one));
    const variant = random.pick(others);
    const name = `together ${[one, other, variant].map(({ id }) => id).join(' + ')}`;
    const rules = (): Rules => other.rules(one.rules(variant.rules()));
    return { ...ofCore(name, 'document', {}, rules), advised: 'any' };
  });
}

const naive: readonly Conformer[] = LEGAL.map(({ id, choices, realTimeOnly, advised }) => ({
  name: `naive ${id}`,
  edition: 'document',
  realTimeOnly: realTimeOnly === true,
  callsNobodyHere: false,
  advised: new Set(advised),
  simulated: null,
  served: (clock) => startNaive({ clock, choices }),
}));

/** All of them: the plain ones first, then single readings, combinations drawn from the seed, naive variants. */
export function conformers(seed: number, combined: number): readonly Conformer[] {
  const drawn = EDITIONS.flatMap((edition) =>
    combinations(edition, seed, combined).map(({ id, dialect }) =>
      ofCore(`${edition} ${id}`, edition, dialect),
    ),
  );
  return [...plain, ...singles, ...drawn, ...advisable, ...advisableTogether(seed, combined), ...naive];
}
