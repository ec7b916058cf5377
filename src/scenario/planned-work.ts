import { jsonIn } from '../util/json.js';
/** How long a scripted worker works on this plan, in ms; Infinity where the plan hangs. */
export function planMs(plan: readonly unknown[]): number {
  let sumMs = 0;
  for (const step of plan) {
    const { sleepMs, hang } = (step ?? {}) as { readonly [name: string]: unknown };
    if (hang !== undefined) return Infinity;
    if (typeof sleepMs === 'number') sumMs += sleepMs;
  }
  return sumMs;
}

/**
 * How long a scripted worker works on a submission with this body, in ms; a retry may follow another plan. Infinity
 * where the job does not end by itself, or may be run again after a crash; null where the body holds no plan.
 */
export function plannedMs(bodyText: string | null): number | null {
  const plan = planIn(bodyText);
  if (plan === null) return null;
  const crashes = plan.some((step) => (step as { readonly crash?: unknown } | null)?.crash !== undefined);
  return crashes ? Infinity : planMs(plan);
}

/** A larger body tests sizes; its plan does not matter. */
const BODY_CHARACTERS_MAX = 100_000;

function planIn(bodyText: string | null): readonly unknown[] | null {
  if (bodyText === null || bodyText.length > BODY_CHARACTERS_MAX) return null;
  const { input } = (jsonIn(bodyText) ?? {}) as { input?: { plan?: unknown } | null };
  return Array.isArray(input?.plan) ? (input.plan as readonly unknown[]) : null;
}
