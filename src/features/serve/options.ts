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
    'Number of built-in workers for each endpoint, such as 2, or a range such as 0..3 to start and stop them as needed',
    {
      defaultDescription: `${WORKERS_UNLESS_SAID}; the first external worker that asks for jobs replaces them`,
    },
  ),
  pull: flag('Start no built-in workers; external workers fetch the jobs'),
  'jobs-per-worker': integer(1, 1_000, 'Jobs that a worker runs at once', { defaultDescription: '1' }),
  'cold-start': duration('With --workers MIN..MAX: how long a worker takes to start', {
    as: 'coldStartMs',
    defaultDescription: '1s',
  }),
  'idle-timeout': duration('With --workers MIN..MAX: how long a worker stays idle before it stops', {
    as: 'idleTimeoutMs',
    defaultDescription: '5s',
  }),
  scaler: parsed(
    scalerIn,
    'With --workers MIN..MAX: queue-delay:4s (a worker for each job that has waited 4 s) or request-count:4 (a worker for every 4 jobs)',
    { defaultDescription: 'queue-delay:4s' },
  ),
  handler: text('Module whose default export processes the jobs', {
    defaultDescription: 'the scripted worker',
  }),
  watch: flag('Reload the handler when a file in its folder changes'),
});

const BEHAVIOUR_OPTIONS = grouped('Behaviour:', {
  clock: withDefault(oneOf(CLOCKS, 'Clock: real, or controlled (only a test or the page moves it)'), 'real'),
  speed: parsed(
    speedIn,
    'Speed of the clock: 0.1 to 10000 times real time (at 60, a ttl of 24 hours takes 24 minutes)',
    { defaultDescription: '1' },
  ),
  'test-control': flag('Offer test control at /_control even if the clock is real', { as: 'control' }),
  ...EDITION,
  ...DIALECT,
  ...MUTANT,
  fault: many(
    'Fault to inject, such as status:5%=503 or worker:10%=crash; may be repeated (see docs/emulator-faults.md)',
    { nargs: 1, as: 'faults' },
    (values) => values,
  ),
  seed: { ...SEED.seed, describe: 'Number that sets random faults; reuse it to repeat the faults' },
  'allow-private-webhooks': flag(
    'Allow webhooks to private addresses (loopback is always allowed if the emulator listens on loopback)',
  ),
  'forward-webhooks': url(
    'Send the webhooks of all jobs to this address, such as http://localhost:3000/hook',
    { defaultDescription: 'the webhook address of each job' },
  ),
});

const someApart = (values: readonly string[]): readonly string[] | undefined =>
  values.length === 0 ? undefined : values.flatMap((value) => value.split(','));

export const SERVE_OPTIONS = {
  port: withDefault(integer(0, 65_535, 'Port to listen on; 0 for any free port'), 8080),
  host: text('Address to listen on', { defaultDescription: '127.0.0.1' }),
  endpoint: many(
    'Endpoint id; may be repeated',
    { nargs: 1, as: 'endpoints', defaultDescription: 'test' },
    someApart,
  ),
  ...API_KEY,
  ...OTHER_KEYS,
  'allow-host': many(
    'Also answer requests to this host name; may be repeated; not needed if you set a key',
    { nargs: 1, as: 'allowedHosts' },
    someApart,
  ),
  ...WORKER_OPTIONS,
  ...BEHAVIOUR_OPTIONS,
  ...LIMIT_OPTIONS,
  ...grouped('Output and storage:', {
    page: flag('Offer the page to other machines, too; it then requires the key and allows no actions', {
      defaultDescription: 'this machine only',
    }),
    metrics: flag('Offer /metrics for Prometheus; this path requires no key'),
    log: parsed(
      (value, option) => wordOf(`--${option}`, value || 'lines', LOGS),
      'Print each request, each webhook and each handler error; --log=bodies adds bodies, --log=json prints JSON',
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
    record: text('Save the calls as a script for replay, shrink and check, with bodies but without keys', {
      defaultDescription: 'not saved',
    }),
    data: text(
      'Folder that keeps jobs across restarts; with a Node older than 22.13, first run npm install libsql',
      { defaultDescription: 'memory only' },
    ),
    salvage: flag('If the data folder is damaged, continue with its intact jobs and keep the damaged file'),
  }),
};
