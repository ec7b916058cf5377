/** What clients and the service send that may be a secret, so that reports do not show it. */
import type { CallEvent, HistoryEvent, Json } from '../../history/events.js';
import { isObject } from '../../util/json.js';

/** Headers with such words in their names. */
const SECRET_NAME = /token|secret|key|auth|cookie|password|credential|signature|session/u;
/** Parameters of the API; others may be keys. */
const PARAMETERS: ReadonlySet<string> = new Set(['wait', 'ttl']);

export const secretsIn = (events: readonly HistoryEvent[]): readonly string[] =>
  events.flatMap((event) => (event.kind === 'call' ? secretsOf(event) : []));

function secretsOf({ request: { query, body }, reply }: CallEvent): readonly string[] {
  const headers = Object.entries(reply?.headers ?? {}).flatMap(([name, value]) =>
    SECRET_NAME.test(name) && name !== 'www-authenticate' ? [value] : [],
  );
  const parameters = Object.entries(query).flatMap(([name, value]) => (PARAMETERS.has(name) ? [] : [value]));
  return [...headers, ...parameters, ...(body.as === 'json' ? storageSecrets(body.value) : [])];
}

function storageSecrets(submission: Json): readonly string[] {
  const config = isObject(submission) ? submission['s3Config'] : null;
  const secret = isObject(config) ? config['accessSecret'] : null;
  return typeof secret === 'string' ? [secret] : [];
}
