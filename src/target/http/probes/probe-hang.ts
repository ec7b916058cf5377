import type { CreatedJobs } from '../../session/created-jobs.js';
import { TargetError } from '../../errors.js';
import type { CapabilityProbe } from './capability-probe.js';
import { cancel, isOver, poll, shownOf, submit, type LetTimePass } from './probe-jobs.js';

/** How often the job that never ends is looked at while it runs: a worker that does not know the step ends it at once. */
const LOOKS = 2;

/**
 * Finds out whether a worker that follows plans stays in the step that never ends. Where it ends the job instead, verdicts
 * on `executionTimeout` and `ttl` would accuse the service of what its worker did. A crash is not tried: a worker
 * without that step fails the job too, and a deployed one may take a minute to start again.
 *
 * @param letTimePass waits between polls; false once it has taken too long
 * @returns what to tell of it; null where the job continued, or never ran
 * @throws TargetError where the worker says that it does not know the step
 */
export async function probeHang(
  probe: CapabilityProbe,
  authorization: string | null,
  letTimePass: LetTimePass,
  createdJobs: CreatedJobs | null = null,
): Promise<string | null> {
  const { id } = await submit(probe, authorization, { plan: [{ hang: true }] }, createdJobs);
  if (id === null) return null;
  let end = await poll(probe, authorization, id);
  for (let polls = 0, looks = 0; end !== null && !end.unanswered && !isOver(end); polls += 1) {
    if (end.status === 'IN_PROGRESS' && looks++ === LOOKS) break;
    if (!(await letTimePass(polls, false))) break;
    end = await poll(probe, authorization, id);
  }
  await cancel(probe, authorization, id, createdJobs);
  if (end?.status !== 'FAILED' && end?.status !== 'COMPLETED') return null;
  const said = end.error ?? end.output ?? '';
  const told = shownOf(typeof said === 'string' ? said : JSON.stringify(said), authorization);
  const what = `The worker does not stay in the step {"hang": true}: the job ended as ${end.status}${told && `, ${told}`}`;
  if (end.status === 'FAILED' && /\bhang\b/i.test(told))
    throw new TargetError(
      'plan-refused',
      what,
      'Deploy a worker that follows docs/contracts/scripted-worker.md, or check with --worker opaque',
    );
  return `${what}. If the worker ended it, no verdict on executionTimeout or ttl is about the service.`;
}
