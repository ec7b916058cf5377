/** The options of `serve` that replace limits of the document: a client then meets them with few calls. */
import type { Mutant } from '../../../mutants/index.js';
import { grouped, integer, many, type Settings } from '../../../cli/options/option.js';
import { durationMs } from '../../../cli/options/values.js';
import { ALL_OPERATIONS } from '../../../spec/operations.js';
import type { Operation } from '../../../spec/types.js';
import { UsageError } from '../../../util/errors.js';

const OPERATIONS = ALL_OPERATIONS.map(({ op }) => op);
const WITH_JOBS = ['run', 'runsync'] as const satisfies readonly Operation[];
const UNITS: { readonly [unit: string]: number } = { '': 1, kb: 1_000, mb: 1_000_000 };

/** `run=VALUE`, `run,runsync=VALUE` or `*=VALUE`, as often as it is given; of several for an operation the last one counts. */
const byOperation = <T>(
  describe: string,
  form: string,
  allowed: readonly Operation[],
  read: (value: string, option: string) => T | null,
) =>
  many(describe, { nargs: 1, defaultDescription: 'as the document says' }, (values, option) => {
    const found = new Map<Operation, T>();
    for (const given of values) {
      const [names = '', value = ''] = given.split('=');
      const ops = allowed.filter((op) => names === '*' || names.split(',').includes(op));
      const isKnown = ops.length === (names === '*' ? allowed : names.split(',')).length;
      const limit = read(value, option);
      if (limit === null || !isKnown)
        throw new UsageError(
          `--${option} has the form OPERATION=LIMIT, such as ${form}; the operations are ${allowed.join(', ')}, several with commas, or * for all; not "${given}"`,
        );
      for (const op of ops) found.set(op, limit);
    }
    return found;
  });

/** A number above 0. */
const countIn = (text: string): number | null => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : null);

export const LIMIT_OPTIONS = grouped('Limits:', {
  rate: byOperation(
    'Maximum number of requests for an operation in a time window, such as run=10/10s; may be repeated',
    'run=10/10s',
    OPERATIONS,
    (text, option) => {
      const [requests = null, window] = text.split('/');
      const count = requests === null ? null : countIn(requests);
      return count === null || window === undefined
        ? null
        : { requests: count, windowMs: durationMs(option, window, 1_000) };
    },
  ),
  'concurrency-limit': byOperation(
    'Maximum number of simultaneous calls of an operation, such as run=2; may be repeated',
    'run=2',
    OPERATIONS,
    countIn,
  ),
  'body-limit': byOperation(
    'Largest body of /run or /runsync in bytes, KB or MB, such as run=100KB; may be repeated',
    'run=100KB',
    WITH_JOBS,
    (text) => {
      const [, count = '', unit = ''] = /^(\d+)([km]b)?$/i.exec(text) ?? [];
      const bytes = countIn(count);
      return bytes === null ? null : bytes * UNITS[unit.toLowerCase()]!;
    },
  ),
  retention: byOperation(
    'How long to keep the results of /run or /runsync, such as run=10s; may be repeated',
    'run=10s',
    WITH_JOBS,
    (text, option) => durationMs(option, text, 1),
  ),
  'queue-limit': integer(
    1,
    1_000_000,
    'Maximum number of waiting jobs; beyond it, /run and /runsync answer 429',
    { defaultDescription: 'none' },
  ),
});

/** The rules with these limits. */
export function limitedRules(settings: Settings<typeof LIMIT_OPTIONS>): Mutant['rules'] {
  const { rate, concurrencyLimit, bodyLimit, retention, queueLimit } = settings;
  return (usual) => ({
    ...usual,
    rateLimit: (op, ...more) => rate.get(op)?.requests ?? usual.rateLimit(op, ...more),
    rateWindowMs: (op) => rate.get(op)?.windowMs ?? usual.rateWindowMs(op),
    retryAfterS: () => {
      const usualS = usual.retryAfterS();
      const windows = [...rate.values()].map(({ windowMs }) => Math.ceil(windowMs / 1_000));
      return usualS === null ? null : Math.max(usualS, ...windows);
    },
    concurrencyLimit: (op) => concurrencyLimit.get(op) ?? usual.concurrencyLimit(op),
    bodyBytesMax: (op) => bodyLimit.get(op) ?? usual.bodyBytesMax(op),
    retentionMs: (job) => retention.get(job.op) ?? usual.retentionMs(job),
    queueLengthMax: (workers) => queueLimit ?? usual.queueLengthMax(workers),
  });
}
