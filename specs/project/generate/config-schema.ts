/** `schemas/config.schema.json`: what a configuration file may contain, from the rows of the options. */
import { camelCase, type Option } from '../../../src/cli/options/option.js';
import { CHECK_CONFIG } from '../../../src/features/check/index.js';

const ONE = { type: ['string', 'number'] };

/** As the reader of the file takes it: a number is as good as its digits. */
function valueOf({ type, array, values }: Option): object {
  if (type === 'boolean') return { type: 'boolean' };
  if (array === true) return { oneOf: [ONE, { type: 'array', items: ONE }] };
  return Array.isArray(values) ? { enum: values } : ONE;
}

function memberOf(row: Option): object {
  const { describe = '', defaultDescription } = row;
  const description =
    defaultDescription === undefined ? describe : `${describe}. Default: ${defaultDescription}`;
  return { description, ...valueOf(row) };
}

export function configSchema(): string {
  const rows = Object.entries(CHECK_CONFIG as { readonly [name: string]: Option });
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration file of Runproof: the options of check, plan, replay and shrink, in camelCase',
    type: 'object',
    additionalProperties: false,
    properties: {
      $schema: { description: 'Address of this schema, for editors', type: 'string' },
      ...Object.fromEntries(
        rows.filter(([name]) => name !== 'config').map(([name, row]) => [camelCase(name), memberOf(row)]),
      ),
    },
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
