/** The values of options that take one of a few words: validation and completion know the same. */
export const AUTH_FORMS = ['auto', 'bare', 'bearer'] as const;
export const CLOCKS = ['real', 'controlled'] as const;
export const EDITIONS = ['document', 'runpod'] as const;
export const LOGS = ['lines', 'bodies', 'json'] as const;
export const PROFILES = ['quick', 'standard', 'full'] as const;
export const PROGRESS_MODES = ['auto', 'plain', 'none'] as const;
export const WORKERS = ['scripted', 'opaque'] as const;
/** Of `judge` and `proxy`. */
export const CRASHES =
  'yes: workers may crash, and their jobs then run again; no: no worker crashes, so more rules about executionTimeout are decided';

/** Whether all clients of an endpoint are in its traffic. */
export const WORLDS = ['open', 'closed'] as const;

export const YES_NO = ['yes', 'no'] as const;

/** Names that are completed, loaded where one is asked for. */
export const requirements = async (): Promise<readonly string[]> =>
  (await import('../../spec/index.js')).REQUIREMENTS.map(({ id }) => id);
export const mutants = async (): Promise<readonly string[]> =>
  (await import('../../mutants/index.js')).MUTANTS.map(({ id }) => id);
/** What `--only` and `--skip` take: sections, requirements and scenarios. */
export async function selectors(): Promise<readonly string[]> {
  const { REQUIREMENTS } = await import('../../spec/index.js');
  const { default: exercises } = await import('../../../scenarios/exercises.json', {
    with: { type: 'json' },
  });
  return [
    ...new Set(REQUIREMENTS.map(({ section }) => section)),
    ...REQUIREMENTS.map(({ id }) => id),
    ...Object.keys(exercises),
  ];
}
