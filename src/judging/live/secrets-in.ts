/** What clients and the service send that may be a secret, so that reports do not show it. */
import type { CallEvent, HistoryEvent, Json } from '../../history/events.js';
import { isObject } from '../../util/json.js';

/** Headers and parameters with such words in their names. */
const SECRET_NAME = /token|secret|key|auth|cookie|password|credential|signature|session/u;
/** A shorter value is no secret that anything protects, and masking it everywhere would make the report unreadable: `true`, `2`. */
const SECRET_CHARACTERS_MIN = 8;
/** The value of a parameter with any other name may be a key from this length on. */
const KEY_CHARACTERS_MIN = 16;
/** Of the API. */
const PARAMETERS: ReadonlySet<string> = new Set(['wait', 'ttl']);

export const secretsIn = (events: readonly HistoryEvent[]): readonly string[] =>
  events
    .flatMap((event) => (event.kind === 'call' ? secretsOf(event) : []))
    .filter((secret) => secret.length >= SECRET_CHARACTERS_MIN);

function secretsOf({ request: { query, body }, reply }: CallEvent): readonly string[] {
  const headers = Object.entries(reply?.headers ?? {}).flatMap(([name, value]) =>
    SECRET_NAME.test(name) && name !== 'www-authenticate' ? [value] : [],
  );
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    !PARAMETERS.has(name) && (SECRET_NAME.test(name.toLowerCase()) || value.length >= KEY_CHARACTERS_MIN)
      ? [value]
      : [],
  );
  return [...headers, ...parameters, ...(body.as === 'json' ? storageSecrets(body.value) : [])];
}

function storageSecrets(submission: Json): readonly string[] {
  const config = isObject(submission) ? submission['s3Config'] : null;
  const secret = isObject(config) ? config['accessSecret'] : null;
  return typeof secret === 'string' ? [secret] : [];
}
