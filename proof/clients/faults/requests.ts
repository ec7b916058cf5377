/** Clients that send something else than the document says. */
import { CAREFUL } from '../behaviour.js';
import type { FaultyClient } from '../faulty-client.js';

const INPUT = CAREFUL.body;
const MEGABYTE = 1 << 20;

/** Shown in any weather, by what is sent. */
type Sends = Omit<FaultyClient, 'style' | 'weather'>;

const SUBMISSIONS: readonly Sends[] = [
  {
    id: 'key-in-query',
    text: 'The key is sent in the query',
    breaks: ['client/key-in-header'],
    behaviour: { keyIn: 'query' },
  },
  {
    id: 'key-in-query-too',
    text: 'The key is sent in the header and in the query',
    breaks: ['client/key-not-in-address'],
    behaviour: { keyIn: 'bearer-and-query' },
  },
  {
    id: 'key-in-x-api-key',
    text: 'The key is sent in the header `x-api-key`',
    breaks: ['client/key-in-header'],
    behaviour: { keyIn: 'x-api-key' },
  },
  {
    id: 'no-key',
    text: 'The key is not sent',
    breaks: ['client/key-in-header'],
    behaviour: { keyIn: 'nowhere' },
  },
  {
    id: 'form-body',
    text: 'The body is sent as a form',
    breaks: ['client/json-body', 'client/content-type'],
    behaviour: {
      contentType: 'application/x-www-form-urlencoded',
      encode: (body) => `input=${encodeURIComponent(JSON.stringify(body))}`,
    },
  },
  {
    id: 'single-quotes',
    text: 'The body is what the language prints, with single quotes',
    breaks: ['client/json-body'],
    behaviour: { encode: (body) => JSON.stringify(body).replaceAll('"', "'") },
  },
  {
    id: 'encoded-twice',
    text: 'The body is a JSON string that holds JSON',
    breaks: ['client/json-body'],
    behaviour: { encode: (body) => JSON.stringify(JSON.stringify(body)) },
  },
  {
    id: 'empty-body',
    text: 'The body is forgotten',
    breaks: ['client/json-body'],
    behaviour: { encode: () => '' },
  },
  {
    id: 'no-content-type',
    text: 'No `content-type` is sent',
    breaks: ['client/content-type'],
    behaviour: { contentType: null },
  },
  {
    id: 'text-plain',
    text: 'JSON is sent as `text/plain`',
    breaks: ['client/content-type'],
    behaviour: { contentType: 'text/plain' },
  },
  {
    id: 'input-list',
    text: '`input` is a list of prompts',
    breaks: ['client/input-object'],
    behaviour: { body: { input: ['a lighthouse at dusk'] } },
  },
  {
    id: 'input-string',
    text: '`input` is a string that holds JSON',
    breaks: ['client/input-object'],
    behaviour: { body: { input: '{"prompt":"a lighthouse at dusk"}' } },
  },
  {
    id: 'no-input',
    text: 'The parameters are sent without `input` around them',
    breaks: ['client/input-object'],
    behaviour: { body: { prompt: 'a lighthouse at dusk' } },
  },
  {
    id: 'execution-timeout-in-seconds',
    text: '`executionTimeout` is given in seconds',
    breaks: ['client/execution-timeout-in-range'],
    behaviour: { body: { ...INPUT, policy: { executionTimeout: 300 } } },
  },
  {
    id: 'execution-timeout-of-a-month',
    text: '`executionTimeout` is a month',
    breaks: ['client/execution-timeout-in-range'],
    behaviour: { body: { ...INPUT, policy: { executionTimeout: 30 * 86_400_000, ttl: 7 * 86_400_000 } } },
  },
  {
    id: 'ttl-of-a-second',
    text: '`ttl` is one second',
    breaks: ['client/ttl-in-range'],
    behaviour: { body: { ...INPUT, policy: { ttl: 1_000 } } },
  },
  {
    id: 'ttl-as-text',
    text: '`ttl` is the text `1h`',
    breaks: ['client/ttl-in-range'],
    behaviour: { body: { ...INPUT, policy: { ttl: '1h' } } },
  },
  {
    id: 'low-priority-as-text',
    text: '`lowPriority` is the text `true`',
    breaks: ['client/policy-types'],
    behaviour: { body: { ...INPUT, policy: { lowPriority: 'true' } } },
  },
  {
    id: 'policy-list',
    text: '`policy` is a list',
    breaks: ['client/policy-types'],
    behaviour: { body: { ...INPUT, policy: [{ ttl: 3_600_000 }] } },
  },
  {
    id: 's3-config-number',
    text: '`s3Config.accessId` is a number',
    breaks: ['client/s3-config-types'],
    behaviour: { body: { ...INPUT, s3Config: { accessId: 17, accessSecret: 'x', bucketName: 'b' } } },
  },
  {
    id: 'execution-timeout-above-ttl',
    text: '`executionTimeout` is an hour and `ttl` ten minutes',
    breaks: ['client/ttl-covers-execution'],
    behaviour: { body: { ...INPUT, policy: { executionTimeout: 3_600_000, ttl: 600_000 } } },
  },
  {
    id: 'execution-timeout-above-default-ttl',
    text: '`executionTimeout` is two days, and `ttl` is not given',
    breaks: ['client/ttl-covers-execution'],
    behaviour: { body: { ...INPUT, policy: { executionTimeout: 2 * 86_400_000 } } },
  },
  {
    id: 'eleven-megabytes',
    text: 'An input of 11 MB is sent to `/run`',
    breaks: ['client/payload-size'],
    behaviour: { body: { input: { image: 'x'.repeat(11 * MEGABYTE) } } },
  },
];

const READS: readonly Sends[] = [
  {
    id: 'status-by-post',
    text: '`/status` is called with POST',
    breaks: ['client/method'],
    behaviour: { methods: { ...CAREFUL.methods, read: 'POST' } },
  },
  {
    id: 'run-by-put',
    text: '`/run` is called with PUT',
    breaks: ['client/method'],
    behaviour: { methods: { ...CAREFUL.methods, submission: 'PUT' } },
  },
  {
    id: 'purges-in-a-row',
    text: 'The queue is purged six times in a row, whatever is answered',
    breaks: ['client/within-limits'],
    behaviour: { purges: 6, repeats: () => false },
  },
  {
    id: 'body-on-get',
    text: 'Reads are sent with a body',
    breaks: ['client/no-body-on-get'],
    behaviour: { bodyOfReads: '{}' },
  },
  {
    id: 'id-without-suffix',
    text: 'The last part of the id is cut off',
    breaks: ['client/knows-its-ids'],
    behaviour: { statusPath: (id) => `/status/${id.replace(/-[^-]*$/u, '')}` },
  },
  {
    id: 'id-in-capitals',
    text: 'The id is written in capitals',
    breaks: ['client/knows-its-ids'],
    behaviour: { statusPath: (id) => `/status/${id.toUpperCase()}` },
  },
  {
    id: 'id-undefined',
    text: 'The id is read from a field that the reply does not have',
    breaks: ['client/knows-its-ids'],
    behaviour: { statusPath: () => '/status/undefined' },
  },
  {
    id: 'version-1',
    text: 'Every path begins with `/v1/`',
    breaks: ['client/version-in-path'],
    behaviour: { versionPath: '/v1' },
  },
  {
    id: 'jobs-path',
    text: 'The status is read from `/jobs/<id>`',
    breaks: ['client/known-paths'],
    behaviour: { statusPath: (id) => `/jobs/${id}` },
  },
  {
    id: 'id-in-query',
    text: 'The id of `/status` is sent in the query',
    breaks: ['client/known-paths'],
    behaviour: { statusPath: (id) => `/status?id=${id}` },
  },
  {
    id: 'ttl-of-status-as-text',
    text: 'The `ttl` of `/status` is the text `1h`',
    breaks: ['client/ttl-in-range'],
    behaviour: { statusPath: (id) => `/status/${id}?ttl=1h` },
  },
];

const OTHERS: readonly FaultyClient[] = [
  {
    id: 'wait-500000',
    text: '`wait` is 500000',
    style: 'runsync',
    breaks: ['client/wait-in-range'],
    weather: 'clear',
    behaviour: { wait: '500000' },
  },
  {
    id: 'wait-in-seconds',
    text: '`wait` is given in seconds',
    style: 'runsync',
    breaks: ['client/wait-in-range'],
    weather: 'clear',
    behaviour: { wait: '90' },
  },
  {
    id: 'cancel-by-delete',
    text: '`/cancel` is called with DELETE',
    style: 'polling',
    breaks: ['client/method', 'client/leaves-no-job'],
    weather: 'long-queue',
    behaviour: { methods: { ...CAREFUL.methods, action: 'DELETE' }, deadlineMs: 1_000 },
  },
  {
    id: 'webhook-without-scheme',
    text: '`webhook` is an address without a scheme',
    style: 'webhook',
    breaks: ['client/webhook-url'],
    weather: 'clear',
    behaviour: { webhook: (address) => address.replace('http://', '') },
  },
  {
    id: 'webhook-path',
    text: '`webhook` is a path',
    style: 'webhook',
    breaks: ['client/webhook-url'],
    weather: 'clear',
    behaviour: { webhook: () => '/done' },
  },
];

export const REQUEST_FAULTS: readonly FaultyClient[] = [
  ...[...SUBMISSIONS, ...READS].map((sends): FaultyClient => ({
    ...sends,
    style: 'polling',
    weather: 'clear',
  })),
  ...OTHERS,
];
