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
  'yes if workers may crash, so that jobs run again; no if none does, which decides more rules on executionTimeout';

/** Whether all clients of an endpoint are in its traffic. */
export const WORLDS = ['open', 'closed'] as const;

export const YES_NO = ['yes', 'no'] as const;
