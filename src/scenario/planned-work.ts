/**
 * How long a scripted worker works on a first submission with this body, in ms: a retry may follow another plan.
 * Infinity where only somebody else ends it, or where what it leads to is open; null where the body holds no plan.
 */
export function plannedMs(bodyText: string | null): number | null {
  const plan = planIn(bodyText);
  if (plan === null) return null;
  let sumMs = 0;
  for (const step of plan) {
    const { sleepMs, hang, crash } = (step ?? {}) as { readonly [name: string]: unknown };
    // What a crash leads to is open: some services run the job again.
    if (hang !== undefined || crash !== undefined) return Infinity;
    if (typeof sleepMs === 'number') sumMs += sleepMs;
  }
  return sumMs;
}

/** A larger body is there for its size, not for its plan. */
const BODY_CHARACTERS_MAX = 100_000;

function planIn(bodyText: string | null): readonly unknown[] | null {
  if (bodyText === null || bodyText.length > BODY_CHARACTERS_MAX) return null;
  try {
    const { input } = JSON.parse(bodyText) as { input?: { plan?: unknown } };
    return Array.isArray(input?.plan) ? (input.plan as readonly unknown[]) : null;
  } catch {
    return null;
  }
}
