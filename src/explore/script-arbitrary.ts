import { EXPLORED, EXPLORED_NEED } from './explored.js';
import fc from 'fast-check';
import type { Limits, Script } from '../scenario/script.js';
import { generateSteps } from './step-generator.js';
import { randomSourceOf } from './random-source.js';
import { finishScript } from '../scenario/finish-script.js';
import { simplerScripts } from './shrink/index.js';
import { drawSwarm } from './swarm.js';
import { UNSTEERED, type Steering } from './weights.js';

/** What `scriptArbitrary` draws scripts for. @public */
export interface ScriptArbitraryOptions {
  /** The target's limits. */
  readonly limits: Limits;
  /** What to try more or less often; default: no preference. */
  readonly steering?: Steering;
  /** For provenance in the script; default 0. */
  readonly seed?: number;
}

/**
 * Scripts of random calls, valid and invalid, weighted by the probable states of the jobs. Each script leaves
 * out whole features (swarm testing). Shrinks by whole jobs, then runs of steps, steps, parameters, gaps.
 *
 * @example
 *     import fc from 'fast-check';
 *     import { checkTarget, scriptArbitrary, simulatorTarget } from 'runproof';
 *
 *     const target = simulatorTarget({ seed: 1 });
 *     await fc.assert(
 *       fc.asyncProperty(scriptArbitrary({ limits: target.limits }), async (script) => {
 *         const { findings } = await checkTarget(target, { scripts: [script] });
 *         return findings.requirements.every(({ verdict }) => verdict !== 'fail');
 *       }),
 *       { seed: 1, numRuns: 10 },
 *     );
 *     await target.close();
 *
 * @public
 */
export function scriptArbitrary(options: ScriptArbitraryOptions): fc.Arbitrary<Script> {
  return new ScriptArbitrary(options);
}

class ScriptArbitrary extends fc.Arbitrary<Script> {
  private readonly options: ScriptArbitraryOptions;

  constructor(options: ScriptArbitraryOptions) {
    super();
    this.options = options;
  }

  override generate(source: fc.Random): fc.Value<Script> {
    const { limits, steering = UNSTEERED, seed = 0 } = this.options;
    const random = randomSourceOf((lo, hi) => source.nextInt(lo, hi));
    const swarm = drawSwarm(random, limits);
    const steps = generateSteps(random, swarm, limits, steering);
    const title = `calls drawn at random, about ${swarm.timer === 'none' ? 'no timer' : swarm.timer}`;
    const script = finishScript(
      { scenario: EXPLORED, title, seed, workers: swarm.workers, needs: EXPLORED_NEED },
      steps,
    );
    return new fc.Value(script, undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is Script {
    return typeof value === 'object' && value !== null && 'schema' in value && 'steps' in value;
  }

  override shrink(script: Script): fc.Stream<fc.Value<Script>> {
    return fc.stream(values(script));
  }
}

function* values(script: Script): IterableIterator<fc.Value<Script>> {
  for (const simpler of simplerScripts(script)) yield new fc.Value(simpler, undefined);
}
