/** A configuration file in JSON may name its schema, which allows what the reader takes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CHECK_CONFIG } from '../../src/features/check/index.js';
import { readConfig } from '../../src/shell/config-file.js';
import { violationOf, type Schema } from '../../src/util/json-schema.js';
import { createFakeIo } from './fake-io.js';

const SCHEMA = JSON.parse(readFileSync('schemas/config.schema.json', 'utf8')) as Schema;

const read = (value: object): Promise<object> => {
  const io = createFakeIo();
  writeFileSync(join(io.cwd, 'runproof.config.json'), JSON.stringify(value));
  return readConfig(undefined, io, CHECK_CONFIG, () => {});
};

it('names its schema, which is no option', async () => {
  const config = { $schema: './node_modules/runproof/schemas/config.schema.json', runs: 2, only: ['2.2'] };
  expect(violationOf(config, SCHEMA)).toBe(null);
  expect(await read(config)).toEqual({ runs: '2', only: ['2.2'] });
});

it.each([{ bail: 'yes' }, { runs: true }, { only: { section: 2 } }, { profile: 7 }])(
  '%j fits neither the schema nor the reader',
  async (config) => {
    expect(violationOf(config, SCHEMA)).not.toBe(null);
    if (!('profile' in config)) await expect(read(config)).rejects.toThrow(/must be/);
  },
);
