/**
 * Sections 2.1 to 2.3, 4.1 and 4.2: what accepting a submission without a flaw shows. What it was that made a refused one special
 * shows only beside the others of the run: of all that it holds, that which was refused most often. So they are blamed at the end.
 */
import type { CallEvent, Json } from '../../history/events.js';
import { idsFor, SUBMISSIONS, type RequirementId } from '../../spec/index.js';
import {
  EXECUTION_TIMEOUT_MAX_MS,
  EXECUTION_TIMEOUT_MIN_MS,
  RUNSYNC_PAYLOAD_MAX,
  RUN_PAYLOAD_MAX,
  TTL_MAX_MS,
  TTL_MIN_MS,
  WAIT_MAX_MS,
  WAIT_MIN_MS,
} from '../../spec/limits.js';
import type { Ledger } from '../ledger/ledger.js';
import { isObject, type JsonObject } from '../observed/reading.js';
import { OPERATION } from './served.js';

/** What a submission without a flaw holds or lacks, and what accepting it shows. */
interface Feature {
  readonly id: RequirementId | { readonly run?: RequirementId; readonly runsync?: RequirementId };
  readonly has: (body: JsonObject, call: CallEvent) => boolean;
  /** `value`: with everything in it accepted elsewhere, it was the value that was refused. `input`: an input may be so, whatever stands beside it. */
  readonly is: readonly ('value' | 'input')[];
}

const feature = (id: Feature['id'], has: Feature['has'], ...is: Feature['is']): Feature => ({ id, has, is });

const PAYLOAD = {
  run: '4.2/payload-up-to-limit-accepted',
  runsync: '4.1/payload-up-to-limit-accepted',
} as const;

/** The most particular first. */
const FEATURES: readonly Feature[] = [
  feature(PAYLOAD, (_, call) => isAtLimit(call), 'value', 'input'),
  feature(idsFor('2.1/input-empty-accepted-*', SUBMISSIONS), isEmptyInput, 'input'),
  feature({ runsync: '4.1/wait-optional' }, (_, call) => waitOf(call) === undefined),
  feature({ runsync: '4.1/wait-min-accepted' }, (_, call) => Number(waitOf(call)) === WAIT_MIN_MS),
  feature({ runsync: '4.1/wait-max-accepted' }, (_, call) => Number(waitOf(call)) === WAIT_MAX_MS),
  feature('2.2/ttl-min-accepted', (body) => policyOf(body)['ttl'] === TTL_MIN_MS),
  feature('2.2/ttl-max-accepted', (body) => policyOf(body)['ttl'] === TTL_MAX_MS),
  feature('2.2/execution-timeout-min-accepted', (body) => timeoutOf(body) === EXECUTION_TIMEOUT_MIN_MS),
  feature('2.2/execution-timeout-max-accepted', (body) => timeoutOf(body) === EXECUTION_TIMEOUT_MAX_MS),
  feature('2.2/low-priority-accepted-true', (body) => policyOf(body)['lowPriority'] === true),
  feature('2.2/low-priority-accepted-false', (body) => policyOf(body)['lowPriority'] === false),
  feature('2.2/ttl-accepted', (body) => isPolicyOf(body, 'ttl')),
  feature('2.2/execution-timeout-accepted', (body) => isPolicyOf(body, 'executionTimeout')),
  feature(idsFor('2.1/s3config-accepted-*', SUBMISSIONS), ({ s3Config }) => isObject(s3Config)),
  feature('2.3/any-provider-accepted', ({ s3Config }) => isObject(s3Config), 'value'),
  feature(idsFor('2.1/webhook-accepted-*', SUBMISSIONS), ({ webhook }) => webhook !== undefined, 'value'),
  feature(idsFor('2.1/policy-accepted-*', SUBMISSIONS), ({ policy }) => isObject(policy), 'value'),
  feature('2.1/policy-optional', ({ policy }) => !isObject(policy)),
  // `{}` holds no content that could be found fault with.
  feature(idsFor('2.1/input-object-accepted-*', SUBMISSIONS), (body) => !isEmptyInput(body)),
  feature('2.1/input-content-not-validated', (body) => !isEmptyInput(body), 'value', 'input'),
  feature({ run: OPERATION.run, runsync: OPERATION.runsync }, () => true),
  feature('2.1/webhook-optional', ({ webhook }) => webhook === undefined),
  feature('2.1/s3config-optional', ({ s3Config }) => s3Config === undefined),
];

function isAtLimit({ op, request: { body } }: CallEvent): boolean {
  const { decimalBytes } = op === 'run' ? RUN_PAYLOAD_MAX : RUNSYNC_PAYLOAD_MAX;
  return body.as !== 'none' && body.bytes >= 0.99 * decimalBytes;
}

function isEmptyInput({ input }: JsonObject): boolean {
  return isObject(input) && Object.keys(input).length === 0;
}

const waitOf = ({ request }: CallEvent): string | undefined => request.query['wait'];

const policyOf = ({ policy }: JsonObject): JsonObject => (isObject(policy) ? policy : {});

const timeoutOf = (body: JsonObject): Json | undefined => policyOf(body)['executionTimeout'];

/** Its policy holds this field and no other. */
function isPolicyOf(body: JsonObject, name: string): boolean {
  const names = Object.keys(policyOf(body));
  return names.length === 1 && names[0] === name;
}

export function featuresOf(call: CallEvent, body: JsonObject): readonly RequirementId[] {
  const op = call.op as (typeof SUBMISSIONS)[number];
  return FEATURES.flatMap(({ id, has }) => {
    const own = typeof id === 'string' ? id : id[op];
    return own !== undefined && has(body, call) ? [own] : [];
  });
}

function allThat(are: 'value' | 'input'): ReadonlySet<RequirementId> {
  const found = FEATURES.filter(({ is }) => is.includes(are));
  return new Set(found.flatMap(({ id }) => (typeof id === 'string' ? [id] : Object.values(id))));
}

const OF_VALUE = allThat('value');
const OF_INPUT = allThat('input');

export function blameRefusals(ledger: Ledger): void {
  const refused = new Map<RequirementId, number>();
  for (const { features, times } of ledger.refusals.values())
    for (const id of features) refused.set(id, (refused.get(id) ?? 0) + times);
  const accepted = (id: RequirementId): number => ledger.entries.get(id)?.decided ?? 0;
  const blamed = [...ledger.refusals.values()].map((refusal) => {
    const shares = refusal.features.map((id) => {
      const no = refused.get(id) ?? 0;
      return { id, no, share: no / (no + accepted(id)) };
    });
    const most = Math.max(...shares.map(({ share }) => share));
    const likely = shares.filter(({ share }) => share === most);
    // Of what was refused each time that which explains most: a whole operation before what some of its calls hold, and before
    // it the input that all of them hold.
    const operation = likely.find(({ id }) => id === OPERATION.run || id === OPERATION.runsync);
    const inAll = likely.find(({ id, no }) => OF_INPUT.has(id) && no === operation?.no);
    const widest = likely.reduce((one, other) => (other.no > one.no ? other : one));
    // One thing explains this and what another operation refused.
    const isOne =
      widest.no > (operation?.no ?? 0) && likely.every((one) => one === widest || one.no < widest.no);
    const value = most > 0.5 ? undefined : refusal.features.find((id) => OF_VALUE.has(id));
    return { refusal, id: value ?? (inAll ?? (isOne ? widest : (operation ?? widest))).id };
  });
  for (const { refusal, id } of blamed) ledger.failTimes(id, refusal.failures, refusal.times);
}
