/** The options of `serve`. */
import type { Scaling } from '../../server/index.js';
import {
  duration,
  flag,
  grouped,
  integer,
  many,
  oneOf,
  parsed,
  text,
  url,
  withDefault,
} from '../../cli/options/option.js';
import {
  API_KEY,
  DIALECT,
  EDITION,
  LOG_ONLY,
  MUTANT,
  OTHER_KEYS,
  SEED,
} from '../../cli/options/option-table.js';
import { CLOCKS, LOGS } from '../../cli/options/option-values.js';
import { LIMIT_OPTIONS } from './limits/options.js';
import { scalerIn, speedIn, wordOf, workersIn } from '../../cli/options/values.js';

/** Enough that a check of this server takes no longer than its longest wait. */
export const WORKERS_UNLESS_SAID = 6;
/** The settings of deployed endpoints; a worker whose image is cached starts within a second. */
export const SCALING_DEFAULTS: Omit<Scaling, 'min' | 'max'> = {
  coldStartMs: 1_000,
  idleTimeoutMs: 5_000,
  scaler: { kind: 'queue-delay', delayMs: 4_000 },
};

export const WORKER_OPTIONS = grouped('Workers:', {
  workers: parsed(
    workersIn,
    'Number of built-in workers of each endpoint, such as 2; or 0..3 to start and stop them as needed',
    {
      defaultDescription: `${WORKERS_UNLESS_SAID}, until an external worker asks for jobs`,
    },
  ),
  pull: flag('No built-in workers: external workers fetch the jobs'),
  'jobs-per-worker': integer(1, 1_000, 'Concurrent jobs per worker', { defaultDescription: '1' }),
  'cold-start': duration('With --workers MIN..MAX: start time of a worker', {
    as: 'coldStartMs',
    defaultDescription: '1s',
  }),
  'idle-timeout': duration('With --workers MIN..MAX: idle time after which a worker stops', {
    as: 'idleTimeoutMs',
    defaultDescription: '5s',
  }),
  scaler: parsed(
    scalerIn,
    'With --workers MIN..MAX: queue-delay:4s, a worker for each job that has waited 4 s; or request-count:4, a worker for every 4 jobs',
    { defaultDescription: 'queue-delay:4s' },
  ),
  handler: text('Module whose default export processes the jobs', {
    defaultDescription: 'the scripted worker',
  }),
  watch: flag('Reload the handler when a file in its folder changes'),
});

const BEHAVIOUR_OPTIONS = grouped('Behaviour:', {
  clock: withDefault(oneOf(CLOCKS, 'real, or controlled: only a test or the page moves it'), 'real'),
  speed: parsed(
    speedIn,
    'Speed of the clock, 0.1 to 10000 times real time: at 60 a ttl of 24 hours takes 24 minutes',
    { defaultDescription: '1' },
  ),
  'test-control': flag('Offer test control at /_control even with a real clock', { as: 'control' }),
  ...EDITION,
  ...DIALECT,
  ...MUTANT,
  fault: many(
    'Inject faults, such as status:5%=503 or worker:10%=crash; may be repeated (docs/emulator-faults.md)',
    { nargs: 1, as: 'faults' },
    (values) => values,
  ),
  seed: { ...SEED.seed, describe: 'Seed of the faults: the same seed and requests give the same faults' },
  'allow-private-webhooks': flag(
    'Let webhooks go to private addresses (loopback is always allowed when listening on loopback)',
  ),
  'forward-webhooks': url(
    'Call this address instead of the webhook of each job, such as http://localhost:3000/hook',
    { defaultDescription: 'the address given with the job' },
  ),
});

const someApart = (values: readonly string[]): readonly string[] | undefined =>
  values.length === 0 ? undefined : values.flatMap((value) => value.split(','));

export const SERVE_OPTIONS = {
  port: withDefault(integer(0, 65_535, 'Port; 0 for any free port'), 8080),
  host: text('Address to listen on', { defaultDescription: '127.0.0.1' }),
  endpoint: many(
    'Endpoint id; may be repeated',
    { nargs: 1, as: 'endpoints', defaultDescription: 'test' },
    someApart,
  ),
  ...API_KEY,
  ...OTHER_KEYS,
  'allow-host': many(
    'Also answer requests to this host name; may be repeated. Not needed with a key of your own',
    { nargs: 1, as: 'allowedHosts' },
    someApart,
  ),
  ...WORKER_OPTIONS,
  ...BEHAVIOUR_OPTIONS,
  ...LIMIT_OPTIONS,
  ...grouped('Output and storage:', {
    page: flag('Also serve the page beyond this machine; it then needs the key and allows no actions', {
      defaultDescription: 'this machine only',
    }),
    metrics: flag('Serve /metrics for Prometheus, without a key'),
    log: parsed(
      (value, option) => wordOf(`--${option}`, value || 'lines', LOGS),
      'Print each request, each webhook and each error of the handler; --log=bodies adds bodies, --log=json prints JSON',
      {
        requiresArg: false,
        values: LOGS,
        defaultDescription: 'print nothing; with --log alone, lines of text',
      },
    ),
    'log-only': {
      ...LOG_ONLY['log-only'],
      describe: `${LOG_ONLY['log-only'].describe}; turns on --log`,
    },
    record: text('Save the calls to this script for replay, shrink and check; with bodies, without keys', {
      defaultDescription: 'not saved',
    }),
    data: text(
      'Folder to keep jobs in across restarts; with Node below 22.13, first run npm install libsql',
      {
        defaultDescription: 'memory only',
      },
    ),
    salvage: flag('Continue with the intact jobs of a damaged data folder; keep the damaged file'),
  }),
};
