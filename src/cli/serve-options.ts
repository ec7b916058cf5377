/** The options of `serve`. */
import type { Options } from 'yargs';
import type { OptionTable } from './option-table.js';

export const PORT_DEFAULT = '8080';
/** Enough that a check of this server takes no longer than its longest wait. */
export const WORKERS_UNLESS_SAID = 6;
/** The settings of deployed endpoints; a worker whose image is cached starts within a second. */
export const SCALING_DEFAULTS = { 'cold-start': '1s', 'idle-timeout': '5s', scaler: 'queue-delay:4s' };

const option = (describe: string, defaultDescription?: string): Options => ({
  type: 'string',
  requiresArg: true,
  describe,
  ...(defaultDescription === undefined ? {} : { defaultDescription }),
});

const WORKER_OPTIONS: OptionTable = {
  workers: option(
    'Built-in workers of each endpoint: 2, or 0..3 to start and stop them as needed',
    `${WORKERS_UNLESS_SAID}, until an external worker asks for jobs`,
  ),
  pull: { type: 'boolean', describe: 'No built-in workers: external workers fetch the jobs' },
  'jobs-per-worker': option('Concurrent jobs per worker', '1'),
  'cold-start': option(
    'With --workers MIN..MAX: how long a worker takes to start',
    SCALING_DEFAULTS['cold-start'],
  ),
  'idle-timeout': option(
    'With --workers MIN..MAX: idle time after which a worker stops',
    SCALING_DEFAULTS['idle-timeout'],
  ),
  scaler: option(
    'With --workers MIN..MAX: queue-delay:4s, a worker for each job that has waited 4 s; or request-count:4, a worker for every 4 jobs',
    SCALING_DEFAULTS.scaler,
  ),
};

export const SERVE_OPTIONS: OptionTable = {
  port: {
    type: 'string',
    requiresArg: true,
    describe: 'Port; 0 for any free port',
    defaultDescription: PORT_DEFAULT,
  },
  host: {
    type: 'string',
    requiresArg: true,
    describe: 'Address to listen on',
    defaultDescription: '127.0.0.1',
  },
  endpoint: {
    type: 'string',
    array: true,
    nargs: 1,
    describe: 'Endpoint id; may be repeated',
    defaultDescription: 'test',
  },
  'api-key': {
    type: 'string',
    requiresArg: true,
    describe: 'Accepted API key (visible to other users of this machine)',
  },
  'api-key-file': {
    type: 'string',
    requiresArg: true,
    describe: 'File with the key; default: the variable RUNPROOF_API_KEY',
  },
  'other-api-key': { type: 'string', requiresArg: true, describe: 'Key of another user, also accepted' },
  'other-api-key-file': {
    type: 'string',
    requiresArg: true,
    describe: 'File with that key; default: the variable RUNPROOF_OTHER_API_KEY',
  },
  'unpermitted-api-key': {
    type: 'string',
    requiresArg: true,
    describe: 'Known key without any permission: always rejected',
  },
  'unpermitted-api-key-file': {
    type: 'string',
    requiresArg: true,
    describe: 'File with that key; default: the variable RUNPROOF_UNPERMITTED_API_KEY',
  },
  ...WORKER_OPTIONS,
  clock: {
    type: 'string',
    requiresArg: true,
    describe: 'real, or controlled (moved by test control, or on the page)',
    defaultDescription: 'real',
  },
  control: { type: 'boolean', describe: 'Offer test control at /_control also with a real clock' },
  edition: {
    type: 'string',
    requiresArg: true,
    describe: 'Edition to behave as: document or runpod',
    defaultDescription: 'document',
  },
  dialect: {
    type: 'string',
    requiresArg: true,
    describe: 'Reproduce the behaviour saved by check --save-dialect, or JSON {"question": "reading"}',
  },
  page: {
    type: 'boolean',
    describe: 'Serve the live page at / also beyond localhost; it then requires the key, and only shows',
    defaultDescription: 'on loopback only',
  },
  metrics: { type: 'boolean', describe: 'Serve /metrics for Prometheus, without a key' },
  handler: {
    type: 'string',
    requiresArg: true,
    describe: 'Module whose default export processes the jobs',
    defaultDescription: 'the scripted worker',
  },
  watch: { type: 'boolean', describe: 'Load the handler again when a file in its folder changes' },
  log: {
    type: 'boolean',
    describe: 'Print a line for each request, and what a handler throws with its stack',
  },
  fault: {
    type: 'string',
    array: true,
    nargs: 1,
    describe: 'Inject faults, such as status:5%=503 or worker:10%=crash; may be repeated (docs/emulator.md)',
  },
  mutant: option('Plant this known fault, such as ttl-spares-running (runproof list mutants)', 'none'),
  seed: {
    type: 'string',
    requiresArg: true,
    describe: 'Seed of the faults: the same seed and order of requests give the same faults',
    defaultDescription: 'a new one',
  },
  'allow-host': {
    type: 'string',
    array: true,
    nargs: 1,
    describe: 'Further host name to answer to, without port; may be repeated. Not needed with your own key',
  },
  'allow-private-webhooks': {
    type: 'boolean',
    describe: 'Let webhooks call private addresses (loopback is always allowed when listening on loopback)',
  },
  'forward-webhooks': option(
    'Call this address in place of each webhook of a job, such as http://localhost:3000/hook',
    'the address given with the job',
  ),
  data: {
    type: 'string',
    requiresArg: true,
    describe: 'Folder to keep jobs in across restarts',
    defaultDescription: 'memory only',
  },
  salvage: {
    type: 'boolean',
    describe: 'Continue with the intact jobs of a damaged data folder; keeps the damaged file',
  },
  verbose: { type: 'boolean', alias: 'v', describe: 'Show stack traces' },
};
