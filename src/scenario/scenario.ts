import fc from 'fast-check';
import type { RequirementId } from '../spec/requirements/index.js';
import type { Capability } from '../spec/types.js';
import { arbWithin, type Arb } from './arbitraries/index.js';
import type { Limits, Step } from './script.js';
import { flatten, steps, type StepTree, type Steps } from './steps.js';

/**
 * What the oracle needs of the target, besides the scenario's own needs, to decide a requirement.
 *
 * @internal
 */
interface ExtraNeeds {
  readonly needs?: readonly Capability[];
  /** The longest single wait must be at least this, in ms. */
  readonly waitMs?: number;
}

/** What an author writes: one situation with open parameters. @public */
export interface ScenarioDefinition<P extends object> {
  /** The situation in one line. */
  readonly title: string;
  /**
   * The requirements that it is written for, which the oracle can decide from it; default none. Those of the
   * shipped scenarios are in `scenarios/exercises.json`.
   */
  readonly exercises?: readonly RequirementId[];
  /**
   * Exercised requirements that are decided only where the target offers more than `needs` or allows a longer
   * wait.
   */
  readonly onlyWith?: { readonly [id in RequirementId]?: ExtraNeeds };
  /** What the target must offer for the situation to occur at all. */
  readonly needs?: readonly Capability[];
  /** Workers of the endpoint; default 1. */
  readonly workers?: number;
  /** Nothing else may happen on the endpoint meanwhile, for purges, counts and rate limits. Default false. */
  readonly exclusive?: boolean;
  /** The script uses a second endpoint, addressed as `s.secondEndpoint`; needs `second-endpoint`. Default false. */
  readonly secondEndpoint?: boolean;
  /**
   * The parameters, as fast-check arbitraries within the limits.
   *
   * @throws {ExceedsLimits} where the smallest wait exceeds the limits (see `assertWithinLimits`)
   */
  readonly draw?: (arb: Arb, limits: Limits) => { readonly [K in keyof P]: fc.Arbitrary<P[K]> };
  /** The steps for one set of parameters; `s` builds them. */
  readonly script: (parameters: P, s: Steps, limits: Limits) => readonly StepTree[];
}

/** A scenario as other modules see it: its parameters are hidden. @public */
export interface Scenario {
  readonly title: string;
  readonly exercises: readonly RequirementId[];
  readonly onlyWith: { readonly [id in RequirementId]?: ExtraNeeds };
  readonly needs: readonly Capability[];
  readonly workers: number;
  readonly exclusive: boolean;
  readonly secondEndpoint: boolean;
  /** All lists of steps that it can give on such a target. */
  readonly steps: (limits: Limits) => fc.Arbitrary<readonly Step[]>;
}

/** A scenario with its name: its file's path below `scenarios/`, without extension. @public */
export interface NamedScenario extends Scenario {
  readonly name: string;
}

/** Scenarios of one file, by the last part of their names. @public */
export interface ScenarioFamily {
  readonly members: { readonly [name: string]: Scenario };
}

/**
 * Defines a scenario. A scenario file exports it as its default. `scenario.each(shared, (one) => members)` defines
 * several that have most in common, the family that a file exports: each is made by `one`, and has what is `shared`
 * unless it says otherwise.
 *
 * @example
 *     import { scenario, type NamedScenario } from 'runproof';
 *
 *     const late: NamedScenario = {
 *       name: 'own/late-cancel',
 *       ...scenario<{ afterMs: number }>({
 *         title: 'a job is cancelled while it runs',
 *         exercises: ['4.5/this-job-only'],
 *         needs: ['scripted-worker'],
 *         draw: (arb, limits) => ({ afterMs: arb.withinMs(100, limits.maxWaitMs) }),
 *         script: ({ afterMs }, s) => [
 *           s.run('long', { plan: s.works(60_000) }),
 *           s.cancel('long', { at: s.after('long', 'submitted', afterMs) }),
 *           s.status('long'),
 *         ],
 *       }),
 *     };
 *     export default late;
 *
 * @public
 */
export function scenario<P extends object = object>(definition: ScenarioDefinition<P>): Scenario {
  const {
    title,
    exercises = [],
    onlyWith = {},
    needs = [],
    workers = 1,
    exclusive = false,
    secondEndpoint = false,
    draw,
    script,
  } = definition;
  const parameters = (limits: Limits): fc.Arbitrary<P> =>
    // Without `draw` there are no parameters, and P is the empty object.
    draw
      ? (fc.record(draw(arbWithin(limits), limits), { noNullPrototype: true }) as fc.Arbitrary<P>)
      : fc.constant({} as P);
  return {
    title,
    exercises,
    onlyWith,
    needs,
    workers,
    exclusive,
    secondEndpoint,
    steps: (limits) => parameters(limits).map((drawn) => flatten(script(drawn, steps, limits))),
  };
}

/** What a member of a family does not share with the others. @public */
export type OwnDefinition<P extends object> = Partial<ScenarioDefinition<P>> & { readonly title: string };

scenario.each = function each<S extends object = object>(
  shared: Partial<ScenarioDefinition<S>>,
  members: (one: <P extends object = S>(own: OwnDefinition<P>) => Scenario) => ScenarioFamily['members'],
): ScenarioFamily {
  return {
    members: members(<P extends object>(own: OwnDefinition<P>) => {
      // A member without parameters of its own has the shared ones.
      const definition = { ...(shared as object), ...own } as Partial<ScenarioDefinition<P>> & typeof own;
      const { script } = definition;
      if (script === undefined) throw new Error(`"${own.title}" has no script: give it one`);
      return scenario({ ...definition, script });
    }),
  };
};
