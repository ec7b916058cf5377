/** The options of `proxy`. */
import { duration, flag, grouped, integer, oneOf, parsed, text, url } from '../../cli/options/option.js';
import {
  CLIENTS,
  EDITION,
  EXECUTION_TIMEOUT_DEFAULT,
  FORMAT,
  HELD_DIALECT,
  MIN_DECIDED,
  OPEN,
  out,
  OUTPUT,
  SCOPE,
} from '../../cli/options/option-table.js';
import { CRASHES, WORLDS, YES_NO } from '../../cli/options/option-values.js';
import { hostAndPort, httpUrl } from '../../cli/options/values.js';

export const PROXY_OPTIONS = {
  upstream: url('Address of the service'),
  listen: parsed(
    (value, option) => hostAndPort(option, value),
    'HOST:PORT that clients call instead of the service',
    { defaultDescription: '127.0.0.1:8090' },
  ),
  'status-listen': parsed(
    (value, option) => hostAndPort(option, value),
    'HOST:PORT of the page and the metrics; for access from other machines, set the variable RUNPROOF_STATUS_TOKEN',
    { defaultDescription: '127.0.0.1, on the port after that of --listen' },
  ),
  cert: text('PEM file with a certificate, to serve HTTPS; requires --key'),
  key: text('PEM file with the private key of --cert'),
  'rewrite-webhooks': parsed(
    (value, option) => (value === '' ? '' : httpUrl(option, value)),
    'Make the service send webhooks through the proxy; the value is the address at which the service reaches the proxy, if that is not --listen',
    { requiresArg: false, defaultDescription: 'webhooks bypass the proxy' },
  ),
  'allow-private-webhooks': flag(
    'Allow rewritten webhooks to private addresses (this machine is always allowed if the proxy listens on loopback)',
  ),
  ...EDITION,
  ...grouped(SCOPE, {
    grace: duration('How late a timer may fire, such as 500ms', { as: 'graceMs', defaultDescription: '2s' }),
    world: oneOf(WORLDS, 'open if other clients bypass the proxy, closed if none do', {
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
    'min-decided': { ...MIN_DECIDED['min-decided'], defaultDescription: '1' },
    'on-violation': text('Command to run for each alert; its standard input is the alert as JSON'),
    'alert-url': parsed((value, option) => {
      httpUrl(option, value);
      return new URL(value);
    }, 'Address to which to post each alert as JSON'),
    state: text(
      'File that keeps, across restarts, the findings and the key that signs rewritten webhook addresses',
    ),
    record: text('Folder in which to record calls, without keys, for judge'),
    'record-payloads': flag('Record inputs, outputs and errors in full, not as digests'),
    'record-files': integer(1, 1_000_000, 'Number of recorded files to keep, each of up to 64 MB', {
      defaultDescription: '16',
    }),
    ...CLIENTS,
    ...OPEN,
  }),
};
