/** The options of `proxy`. */
import { duration, flag, grouped, integer, oneOf, parsed, text, url } from './option.js';
import {
  EDITION,
  EXECUTION_TIMEOUT_DEFAULT,
  FORMAT,
  HELD_DIALECT,
  MIN_DECIDED,
  OPEN,
  out,
  OUTPUT,
  SCOPE,
} from './option-table.js';
import { CRASHES, WORLDS, YES_NO } from './option-values.js';
import { hostAndPort, httpUrl } from './values.js';

export const PROXY_OPTIONS = {
  upstream: url('The service: {base_url}, or an address that its paths begin with'),
  listen: parsed(
    (value, option) => hostAndPort(option, value),
    'HOST:PORT that clients call instead of the service',
    { defaultDescription: '127.0.0.1:8090' },
  ),
  'status-listen': parsed(
    (value, option) => hostAndPort(option, value),
    'HOST:PORT of the page and the metrics; where other machines reach it, RUNPROOF_STATUS_TOKEN is asked for',
    { defaultDescription: '127.0.0.1, the port after that of --listen' },
  ),
  cert: text('Certificate (PEM) by which clients call it over HTTPS; requires --key'),
  key: text('Private key of --cert (PEM)'),
  'rewrite-webhooks': parsed(
    (value, option) => (value === '' ? '' : httpUrl(option, value)),
    'Have webhooks called through the proxy; the value is the address at which the service reaches it, if that is not what it listens on',
    { requiresArg: false, defaultDescription: 'they go past it' },
  ),
  'allow-private-webhooks': flag(
    'Let rewritten webhooks call private addresses (this machine is always allowed when listening on loopback)',
  ),
  ...EDITION,
  ...grouped(SCOPE, {
    grace: duration('Allow this lateness of timers', { as: 'graceMs', defaultDescription: '2s' }),
    world: oneOf(WORLDS, 'open, if there are clients that do not call through the proxy', {
      defaultDescription: 'open',
    }),
    crashes: oneOf(YES_NO, CRASHES, { defaultDescription: 'yes' }),
    ...EXECUTION_TIMEOUT_DEFAULT,
  }),
  ...HELD_DIALECT,
  ...grouped(OUTPUT, {
    ...out('no report is written'),
    ...FORMAT,
    ...MIN_DECIDED,
    'on-violation': text(
      'Command to run at each new violation, changed reading, or end of judging; it reads the alert as JSON from its input',
    ),
    'alert-url': parsed((value, option) => {
      httpUrl(option, value);
      return new URL(value);
    }, 'Address that each of these alerts is posted to, as JSON'),
    state: text(
      'File that keeps what has failed, and the key of webhooks, so that a proxy that is started again goes on',
    ),
    record: text('Folder to record calls in, for judge; keys are left out'),
    'record-payloads': flag('Record inputs, outputs and errors as they are, not as digests'),
    'record-files': integer(
      1,
      1_000_000,
      'Recorded files of 64 MB to keep; the oldest is removed for a new one',
      {
        defaultDescription: '16',
      },
    ),
    ...OPEN,
  }),
};
