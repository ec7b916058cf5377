/** What submissions differ in, as far as a service may treat them differently by it. */
import type { CallEvent, Json } from '../../history/events.js';
import { isObject } from '../../util/json.js';

/** Other names could hold anything. */
const PLAIN_NAME = /^[A-Za-z_][\w-]{0,39}$/u;
const LARGE_BYTES = 1_000_000;
/** Members of one object that are looked at. */
const MEMBERS_MAX = 30;

/** As in "submissions with …". */
export function propertiesOf({ op, request: { body, query } }: CallEvent): readonly string[] {
  const found: string[] = [];
  if (op === 'runsync')
    found.push(query['wait'] === undefined ? '/runsync without `wait`' : '/runsync and `wait`');
  if (body.as === 'none') return [...found, 'no body'];
  if (body.bytes >= LARGE_BYTES) found.push('a body of 1 MB or more');
  if (body.as === 'text') return [...found, 'a body that is not JSON'];
  if (!isObject(body.value)) return [...found, 'a body that is not an object'];
  for (const [name, value] of membersOf(body.value)) {
    if (name !== 'input') found.push(`\`${name}\``);
    if (name === 'policy' && isObject(value))
      found.push(...membersOf(value).map(([field]) => `\`policy.${field}\``));
  }
  const { input } = body.value;
  if (!isObject(input)) return [...found, 'no object as `input`'];
  const members = membersOf(input);
  if (Object.keys(input).length === 0) found.push('an `input` without members');
  return [...found, ...members.map(([name]) => `\`input.${name}\``)];
}

const membersOf = (value: object): readonly (readonly [string, Json])[] =>
  (Object.entries(value) as [string, Json][]).filter(([name]) => PLAIN_NAME.test(name)).slice(0, MEMBERS_MAX);
