/**
 * What a campaign keeps on its server, as JSON Schemas. Others may write there as well: what is read is checked, and
 * one damaged record hides no other.
 */
import type { Schema } from '../../util/json-schema.js';

/** A name becomes part of a path: no separators, no leading dot. */
const NAME = { type: 'string', pattern: '^[a-z][0-9]+-[0-9a-f]+$' } as const;
const TEXT = { type: 'string' } as const;
const TEXTS = { type: 'array', items: TEXT } as const;
const COUNT = { type: 'integer', minimum: 0 } as const;
const COUNTS = { type: 'object', additionalProperties: COUNT } as const;
const TARGET = { type: 'string', pattern: '^https?://' } as const;

/** Options of `check` that a worker sets itself. */
export const REFUSED_OPTION = /^--(\S*api-key|out|format|quiet|config|update-baseline)(=|$)/;
const OPTIONS = {
  type: 'array',
  items: { type: 'string', pattern: `^(?!${REFUSED_OPTION.source.slice(1)})` },
};

const object = (properties: { readonly [name: string]: Schema }, ...optional: readonly string[]): Schema => ({
  type: 'object',
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
});

/** The most runs and checks that the commands take. */
const RUNS = { type: 'integer', minimum: 1, maximum: 1_000_000_000 } as const;
const CHECKS = { type: 'integer', minimum: 1, maximum: 1_000 } as const;
const STARTED = { name: NAME, code: TEXT, runproof: TEXT, startedAt: TEXT } as const;

export const CAMPAIGN_SCHEMA: Schema = object({
  ...STARTED,
  seed: { type: 'integer' },
  runs: RUNS,
  testBed: object({ edition: { enum: ['document', 'runpod'] }, mutant: { type: ['string', 'null'] } }),
});

export const TARGET_CAMPAIGN_SCHEMA: Schema = object({
  ...STARTED,
  targets: { type: 'array', items: TARGET },
  seed: { type: 'integer' },
  runs: CHECKS,
  options: OPTIONS,
});

export const EPOCH_NOTE_SCHEMA: Schema = object({
  tally: object({
    runs: COUNT,
    calls: COUNT,
    coverage: COUNTS,
    goals: TEXTS,
    decided: TEXTS,
    violations: {
      type: 'array',
      items: object({ requirement: TEXT, level: { enum: ['must', 'should', 'may'] }, run: COUNT }),
    },
    breachCounts: COUNTS,
  }),
  aside: { type: 'array', items: object({ id: TEXT, reason: TEXT }) },
  proofs: { type: 'array', items: object({ mutant: TEXT, runs: COUNT, found: {}, shrunk: {} }) },
});

export const CHECK_STATE_SCHEMA: Schema = object({
  check: object({ target: TARGET, options: OPTIONS, everyMs: { type: 'number', minimum: 1 } }),
  points: {
    type: 'array',
    items: object({
      at: TEXT,
      exitCode: { type: 'integer' },
      passed: COUNT,
      failed: COUNT,
      undecided: COUNT,
      seconds: { type: 'number' },
      problem: { type: ['string', 'null'] },
      drift: TEXTS,
    }),
  },
  facts: {
    type: ['object', 'null'],
    required: ['exitCode', 'verdicts', 'readings', 'latenessMs'],
    properties: {
      exitCode: { type: 'integer' },
      verdicts: { type: 'object', additionalProperties: { enum: ['pass', 'fail'] } },
      readings: { type: 'object', additionalProperties: TEXTS },
      latenessMs: { type: 'object', additionalProperties: { type: 'array', items: { type: 'number' } } },
    },
  },
});
