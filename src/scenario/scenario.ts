import fc from 'fast-check';
import type { RequirementId } from '../spec/requirements/index.js';
import type { Capability } from '../spec/types.js';
import { arbWithin, type Arb } from './arbitraries/index.js';
import type { Limits, Step } from './script.js';
import { flatten, steps, type StepTree, type Steps } from './steps.js';

/** What the oracle needs of the target, beyond what the scenario needs, to decide a requirement from it. */
interface ExtraNeeds {
  readonly needs?: readonly Capability[];
  /** The longest single wait has to hold as much, in ms. */
  readonly waitMs?: number;
}

/** What a person writes: one situation, with its parameters still open. */
export interface ScenarioDefinition<P extends object> {
  /** One line that tells the story. */
  readonly title: string;
  /** The requirements that the oracle can decide from what happens here. */
  readonly exercises: readonly RequirementId[];
  /** Those of them that are decided only where the target offers more than `needs`, or bears a longer wait. */
  readonly onlyWith?: { readonly [id in RequirementId]?: ExtraNeeds };
  /** What the target must offer for the situation to come about at all. */
  readonly needs?: readonly Capability[];
  /** Workers wanted on the endpoint; default 1. */
  readonly workers?: number;
  /** Nothing else may happen on the endpoint meanwhile: purge, counts, rate limits. Default false. */
  readonly exclusive?: boolean;
  /** The script uses a second endpoint, addressed as `s.secondEndpoint`; needs `test-control`. Default false. */
  readonly secondEndpoint?: boolean;
  /**
   * The parameters, as fast-check arbitraries within the limits.
   *
   * @throws {DoesNotFit} where the smallest wait does not fit (see `fits`)
   */
  readonly draw?: (arb: Arb, limits: Limits) => { readonly [K in keyof P]: fc.Arbitrary<P[K]> };
  /** The steps for one set of parameters; `s` has the words for them. */
  readonly script: (parameters: P, s: Steps, limits: Limits) => readonly StepTree[];
}

/** A scenario as the rest of the program sees it: its parameters are its own business. */
export interface Scenario {
  readonly title: string;
  readonly exercises: readonly RequirementId[];
  readonly onlyWith: { readonly [id in RequirementId]?: ExtraNeeds };
  readonly needs: readonly Capability[];
  readonly workers: number;
  readonly exclusive: boolean;
  readonly secondEndpoint: boolean;
  /** Every list of steps that it may stand for on such a target. */
  readonly steps: (limits: Limits) => fc.Arbitrary<readonly Step[]>;
}

/** A scenario with its name, which is its file's path below `scenarios/` without the ending. */
export interface NamedScenario extends Scenario {
  readonly name: string;
}

/** Defines a scenario; a scenario file exports it as its default. */
export function scenario<P extends object = object>(definition: ScenarioDefinition<P>): Scenario {
  const {
    title,
    exercises,
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
