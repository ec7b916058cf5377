/** What each run of a job's handler will do, as far as this run of the suite can know it. */
import { foresee, RUNS_UNKNOWN, UNFORESEEN, type Foreseen } from './plan.js';
import { isObject, type JsonObject } from './reading.js';
import { isBehindNetwork, type Session } from './session.js';

/** The answer is asked by how many runs were before. */
export function forecast(session: Session, submission: JsonObject): (runs: number) => Foreseen {
  if (!session.run.capabilities.includes('scripted-worker')) return () => UNFORESEEN;
  const input = submission['input'];
  const s3Config = submission['s3Config'] ?? null;
  if (input === undefined) return () => UNFORESEEN;
  const amended = session.run.edition === 'runpod';
  // The amended edition has no worker that can run an empty input.
  if (amended && isObject(input) && Object.keys(input).length === 0) return () => UNFORESEEN;
  // It takes a result with a member `error` for a failure.
  const told = (plan: Foreseen): Foreseen =>
    amended && isObject(plan.output) && 'error' in plan.output
      ? { ...UNFORESEEN, lastsMs: plan.lastsMs }
      : plan;
  // Few jobs are asked for a second run.
  let first: Foreseen | null = null;
  let again: Foreseen | null = null;
  // Workers of their own memory may not know that another one has run the job before.
  const alike = !isObject(input) || !Object.hasOwn(input, 'planOnRetry');
  const shared = alike || !isBehindNetwork(session);
  return (runs) => {
    if (runs >= RUNS_UNKNOWN) return UNFORESEEN;
    if (runs === 0 || alike) return (first ??= told(foresee(input, s3Config, false)));
    return shared ? (again ??= told(foresee(input, s3Config, true))) : UNFORESEEN;
  };
}
