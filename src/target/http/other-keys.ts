/** The keys that a run has beside its own: those given, else those that test control tells. */
import type { OtherKeys } from '../authorization.js';
import type { Control } from './control.js';
import type { CapabilityProbe } from './probes/capability-probe.js';
import { authorizationOf, type AuthForm } from './probes/probe-auth.js';

/** One that should open the endpoint and does not is left out, with a note for people. */
export async function findOtherKeys(
  control: Control | null,
  given: OtherKeys,
  probe: CapabilityProbe,
  form: AuthForm,
  notes: string[],
): Promise<OtherKeys> {
  const told = control?.hasKeys === true ? await control.otherKeys() : {};
  const unpermittedApiKey = given.unpermittedApiKey ?? told.unpermittedApiKey;
  const otherApiKey = given.otherApiKey ?? told.otherApiKey;
  const { reply } =
    otherApiKey === undefined
      ? { reply: null }
      : await probe.ask('GET', '/health', authorizationOf(form, otherApiKey));
  const isRefused = reply?.status === 401 || reply?.status === 403;
  if (isRefused)
    notes.push(
      `The key of another user is answered with ${reply.status}, so it is left out: check that it may use the endpoint.`,
    );
  return { unpermittedApiKey, otherApiKey: isRefused ? undefined : otherApiKey };
}
