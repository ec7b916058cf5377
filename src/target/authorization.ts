import type { AuthKind, OtherKey } from '../history/events.js';

/** How a call shows its key: the `authorization` header (null for none) and what goes into the query. */
export interface Authorization {
  readonly header: string | null;
  readonly query: { readonly [name: string]: string };
}

/** A key that no service has given out. */
const WRONG_KEY = 'not-a-valid-key';

const inHeader = (header: string | null): Authorization => ({ header, query: {} });

/** Keys beside the run's own. */
export interface OtherKeys {
  /** One that the service gave out, without permission for the endpoint. */
  readonly unpermittedApiKey?: string | undefined;
  /** One of another user, with permission for it. */
  readonly otherApiKey?: string | undefined;
}

/** The keys that a run has. */
export interface Keys extends OtherKeys {
  readonly apiKey: string;
}

export function otherKeysIn({ unpermittedApiKey, otherApiKey }: OtherKeys): readonly OtherKey[] {
  return [
    ...(unpermittedApiKey === undefined ? [] : (['unpermitted'] as const)),
    ...(otherApiKey === undefined ? [] : (['other-user'] as const)),
  ];
}

export function authorizationOf(kind: AuthKind, keys: Keys): Authorization {
  const key = keys.apiKey;
  switch (kind) {
    case 'bare':
      return inHeader(key);
    case 'bearer':
      return inHeader(`Bearer ${key}`);
    case 'lower-bearer':
      return inHeader(`bearer ${key}`);
    case 'missing':
    case 'none-needed':
      return inHeader(null);
    case 'wrong':
      return inHeader(WRONG_KEY);
    case 'wrong-bearer':
      return inHeader(`Bearer ${WRONG_KEY}`);
    case 'empty':
      return inHeader('');
    case 'empty-bearer':
      return inHeader('Bearer');
    case 'truncated':
      return inHeader(key.slice(0, -1));
    case 'extended':
      return inHeader(`${key}x`);
    case 'truncated-start':
      return inHeader(key.slice(1));
    case 'followed':
      return inHeader(`${key} x`);
    case 'other-case':
      return inHeader(otherCase(key));
    case 'other-scheme':
      return inHeader(`Basic ${key}`);
    case 'unpermitted':
      return inHeader(held(keys.unpermittedApiKey));
    case 'unpermitted-bearer':
      return inHeader(`Bearer ${held(keys.unpermittedApiKey)}`);
    case 'other-user':
      return inHeader(held(keys.otherApiKey));
    case 'other-user-bearer':
      return inHeader(`Bearer ${held(keys.otherApiKey)}`);
    case 'in-query':
      return { header: null, query: { api_key: key } };
  }
}

/** Script runners skip steps whose key the run does not have. */
function held(key: string | undefined): string {
  if (key === undefined) throw new Error('a call shows a key that the run has not');
  return key;
}

/** A key without letters has no other case: any wrong key will do. */
function otherCase(key: string): string {
  const swapped = [...key].map((c) => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase())).join('');
  return swapped === key ? WRONG_KEY : swapped;
}
