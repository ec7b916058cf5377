/** Sections 2.1 to 2.3, 4.1, 4.3: the fields of submissions and queries. */
import type { Json } from '../../history/events.js';
import * as limits from '../../spec/limits.js';
import { S3_CONFIG_FIELDS } from '../../spec/operations.js';
import type { Operation } from '../../spec/types.js';
import { isPrivate } from '../../util/address.js';
import { isObject } from '../../util/json.js';
import type { DuplicateKeys } from '../http/parse-json.js';
import type { ReadingOf } from './reads.js';

/** The integer fields of requests. */
export type IntegerField = 'policy.executionTimeout' | 'policy.ttl' | 'wait' | 'ttl';

/** The objects in a submission. */
export type Container = 'body' | 'policy' | 's3Config';

export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** The value to use; or the field counts as left out; or the request is refused. */
export type Taken = number | 'absent' | 'refused';

const KNOWN: { readonly [C in Container]: readonly string[] } = {
  body: ['input', 'webhook', 'policy', 's3Config'],
  policy: ['executionTimeout', 'lowPriority', 'ttl'],
  s3Config: S3_CONFIG_FIELDS,
};

export function submissionRules(readingOf: ReadingOf) {
  const invalidWebhook = readingOf('2.1/invalid-webhook');
  const webhookScheme = readingOf('2.1/webhook-scheme');
  const privateWebhook = readingOf('2.1/private-webhook-address');
  const nullOptional = readingOf('2.1/null-optional-field');
  const nullPolicy = readingOf('2.2/null-policy-field');
  const fraction = readingOf('2.2/fractional-milliseconds');
  const waitFraction = readingOf('4.1/wait-fraction');
  const numericString = readingOf('2.2/numeric-string');
  const ttlBelowTimeout = readingOf('2.2/ttl-below-execution-timeout');
  const s3Required = readingOf('2.3/required-fields');
  const s3Types = readingOf('2.3/field-types');
  const unknown = {
    body: readingOf('2.1/unknown-fields'),
    policy: readingOf('2.2/unknown-policy-fields'),
    s3Config: readingOf('2.3/unknown-fields'),
  };
  const outOfRange = {
    'policy.executionTimeout': {
      zero: readingOf('2.2/execution-timeout-not-positive'),
      below: readingOf('2.2/execution-timeout-below-min'),
      above: readingOf('2.2/execution-timeout-above-max'),
    },
    'policy.ttl': {
      zero: readingOf('2.2/ttl-not-positive'),
      below: readingOf('2.2/ttl-below-min'),
      above: readingOf('2.2/ttl-above-max'),
    },
    wait: {
      zero: readingOf('4.1/wait-below-min'),
      below: readingOf('4.1/wait-below-min'),
      above: readingOf('4.1/wait-above-max'),
    },
    ttl: {
      zero: readingOf('4.3/ttl-not-positive'),
      below: readingOf('4.3/ttl-below-min'),
      above: readingOf('4.3/ttl-above-max'),
    },
  };

  return {
    /** §2.1: which value counts when the body names a key twice. */
    duplicateKeys: (): DuplicateKeys => readingOf('2.1/duplicate-keys'),

    /** §2.1: `input` is a JSON object, and required. */
    inputAllowed: (input: Json | undefined): boolean => isObject(input),

    /**
     * §2.1: what to do with a webhook. For invalid URLs, other schemes and private addresses it is not shown.
     */
    webhookTaken: (webhook: Json): 'called' | 'ignored' | 'refused' => {
      if (typeof webhook !== 'string') return 'refused';
      if (!URL.canParse(webhook)) return invalidWebhook;
      const { protocol, hostname } = new URL(webhook);
      if (protocol !== 'http:' && protocol !== 'https:') return webhookScheme;
      if (privateWebhook === 'called' || !isPrivate(hostname)) return 'called';
      return privateWebhook === 'refused' ? 'refused' : 'ignored';
    },

    /** §2.2: `lowPriority` is a boolean. */
    lowPriorityAllowed: (value: Json): boolean => typeof value === 'boolean',

    /** §2.1, §2.2: `policy` and `s3Config` are objects. */
    containerAllowed: (_container: Container, value: Json): boolean => isObject(value),

    /** §2.1, §2.2: an optional field that holds null. */
    nullMeansAbsent: (container: Container): boolean =>
      (container === 'policy' ? nullPolicy : nullOptional) === 'as-absent',

    /** §2.1 to §2.3: members that the document does not name. */
    memberTaken: (container: Container, name: string): 'taken' | 'dropped' | 'refused' => {
      if (KNOWN[container].includes(name)) return 'taken';
      const reading = unknown[container];
      return reading === 'refused' ? 'refused' : reading === 'passed-along' ? 'taken' : 'dropped';
    },

    /** §2.3: which of the four fields are required is not shown. */
    s3FieldRequired: (field: string): boolean =>
      s3Required === 'all' || (s3Required === 'some' && (field === 'accessId' || field === 'accessSecret')),

    /** §2.3: the four fields are strings. */
    s3FieldAllowed: (_field: string, value: Json): boolean =>
      typeof value === 'string' || s3Types === 'passed-along',

    /** §2.2, §4.1, §4.3: an integer it must be. */
    integerIn: (field: IntegerField, value: Json): Taken => {
      const inPolicy = field === 'policy.executionTimeout' || field === 'policy.ttl';
      if (typeof value === 'string' && inPolicy && /^-?\d+$/.test(value)) {
        return numericString === 'taken' ? Number(value) : numericString === 'ignored' ? 'absent' : 'refused';
      }
      if (typeof value !== 'number') return 'refused';
      if (Number.isSafeInteger(value)) return value;
      if (Number.isInteger(value) || field === 'ttl') return 'refused';
      const reading = inPolicy ? fraction : waitFraction;
      return reading === 'rounded' ? Math.round(value) : reading === 'ignored' ? 'absent' : 'refused';
    },

    /** §4.1: a query parameter without a value. */
    emptyMeansAbsent: (field: IntegerField): boolean =>
      field === 'wait' && readingOf('4.1/empty-wait') === 'as-absent',

    /** §2.2, §4.1, §4.3, §8: the range of each integer. */
    boundsOf: (field: IntegerField): Bounds => {
      switch (field) {
        case 'policy.executionTimeout':
          return { min: limits.EXECUTION_TIMEOUT_MIN_MS, max: limits.EXECUTION_TIMEOUT_MAX_MS };
        case 'policy.ttl':
        case 'ttl':
          return { min: limits.TTL_MIN_MS, max: limits.TTL_MAX_MS };
        case 'wait':
          return { min: limits.WAIT_MIN_MS, max: limits.WAIT_MAX_MS };
      }
    },

    /**
     * §2.2, §4.1, §4.3: a value out of its range never takes effect as given, save where a reading says so.
     */
    outOfRange: (field: IntegerField, value: number, { min, max }: Bounds): Taken => {
      const readings = outOfRange[field];
      const reading = value > max ? readings.above : value <= 0 ? readings.zero : readings.below;
      switch (reading) {
        case 'refused':
          return 'refused';
        case 'raised':
          return min;
        case 'lowered':
          return max;
        case 'as-given':
          return value;
        case 'default-instead':
        case 'ignored':
          return 'absent';
      }
    },

    /** §2.2 rule 2: a `ttl` that cannot hold the `executionTimeout`. */
    ttlMayBeBelow: (): boolean => ttlBelowTimeout === 'accepted',

    /** §4: query parameters that the document does not name. */
    queryAllowed: (_op: Operation, name: string): boolean =>
      name === 'wait' || name === 'ttl' || readingOf('4/unknown-query') === 'ignored',
  };
}
