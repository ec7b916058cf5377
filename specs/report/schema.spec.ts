import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { madeUpReport } from './sample-report.js';

const schema = JSON.parse(readFileSync('schemas/report.schema.json', 'utf8')) as object;
const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(schema);

it('a report matches the shipped schema', () => {
  validate(JSON.parse(JSON.stringify(madeUpReport())));
  expect(validate.errors).toBeNull();
});

it('the schema rejects additional and missing members, and wrong types', () => {
  const { seed, ...withoutSeed } = madeUpReport();
  expect(validate(withoutSeed)).toBe(false);
  expect(validate({ ...madeUpReport(), more: 1 })).toBe(false);
  expect(validate({ ...madeUpReport(), seed: String(seed) })).toBe(false);
});
