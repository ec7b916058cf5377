/** Command line: `node specs/naive/start.mjs [--port N] [--controlled] [--no-endpoints] [--workers N] [--fault ID] [--variant ID] …` */
import { parseArgs } from 'node:util';
import { isFaultId } from './faults/index.js';
import { LEGAL } from './legal-variants.js';
import { startNaive, type NaiveOptions } from './server.js';

const USAGE = `usage: start.mjs [--port N] [--key KEY] [--endpoint ID] [--workers N] [--controlled] [--no-endpoints]
                 [--fault ID] [--variant ID] [--choices JSON] | --faults | --variants`;

export async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string', default: '0' },
      key: { type: 'string' },
      endpoint: { type: 'string' },
      workers: { type: 'string', default: '1' },
      controlled: { type: 'boolean', default: false },
      'no-endpoints': { type: 'boolean', default: false },
      fault: { type: 'string' },
      variant: { type: 'string' },
      choices: { type: 'string' },
      faults: { type: 'boolean', default: false },
      variants: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return void process.stdout.write(`${USAGE}\n`);
  // A reader that stops reading (`--faults | head`) is not an error.
  process.stdout.on('error', () => {});
  if (values.faults || values.variants) {
    // The server itself loads nothing of src/.
    for (const row of values.faults ? (await import('./faults/wrongs.js')).FAULTS : LEGAL)
      process.stdout.write(`${JSON.stringify(row)}\n`);
    return;
  }
  const variant = LEGAL.find((other) => other.id === values.variant);
  if (values.variant !== undefined && variant === undefined) throw new Error(`no variant ${values.variant}`);
  if (values.fault !== undefined && !isFaultId(values.fault)) throw new Error(`no fault ${values.fault}`);
  const options: NaiveOptions = {
    port: Number(values.port),
    workers: Number(values.workers),
    clock: values.controlled ? 'controlled' : 'real',
    endpoints: !values['no-endpoints'],
    choices: { ...variant?.choices, ...(JSON.parse(values.choices ?? '{}') as NaiveOptions['choices']) },
    ...(values.key === undefined ? {} : { apiKey: values.key }),
    ...(values.endpoint === undefined ? {} : { endpointId: values.endpoint }),
    ...(values.fault === undefined ? {} : { fault: values.fault }),
  };
  const naive = await startNaive(options);
  const { url, controlUrl, apiKey, endpointId } = naive;
  process.stdout.write(`${JSON.stringify({ url, controlUrl, apiKey, endpointId })}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void naive.close());
}
