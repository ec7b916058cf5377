/** Weathers of the network and of what stands before the service. */
import type { Operation } from '../../spec/index.js';
import type { FaultEffect, Weather, WeatherFault } from './weather.js';

const NETWORK = { kind: 'network' } as const;
const section = (name: string) => ({ kind: 'document', section: name }) as const;

const SUBMISSIONS: readonly Operation[] = ['run', 'runsync'];
const READS: readonly Operation[] = ['status', 'stream'];
const ALL: readonly Operation[] = [
  'run',
  'runsync',
  'status',
  'stream',
  'cancel',
  'retry',
  'purge-queue',
  'health',
];

const once = (on: readonly Operation[], does: FaultEffect): readonly WeatherFault[] => [
  { on, calls: 1, does },
];
const always = (on: readonly Operation[], does: FaultEffect): readonly WeatherFault[] => [{ on, does }];

/** The job still runs when its client gives up. */
const LASTING = { job: { runMs: 'beyond-timeout' }, speedMax: 10 } as const;

export const NETWORK_WEATHER: readonly Weather[] = [
  {
    id: 'rate-limited-once',
    text: 'The first submission and the first read are answered 429, with `Retry-After: 2`.',
    basis: section('7'),
    leads: 'success',
    faults: [
      ...once(SUBMISSIONS, { kind: 'status', status: 429, retryAfterS: 2 }),
      ...once(READS, { kind: 'status', status: 429, retryAfterS: 2 }),
    ],
  },
  {
    id: 'rate-limited-twice',
    text: 'Two submissions and two reads are answered 429, without `Retry-After`.',
    basis: section('7'),
    leads: 'success',
    faults: [
      { on: SUBMISSIONS, calls: 2, does: { kind: 'status', status: 429 } },
      { on: READS, calls: 2, does: { kind: 'status', status: 429 } },
    ],
  },
  {
    id: 'rate-limited-for-ten-seconds',
    text: 'From the first read on, reads are answered 429 for ten seconds, without `Retry-After`.',
    basis: section('7'),
    leads: 'either',
    faults: [{ on: READS, forMs: 10_000, does: { kind: 'status', status: 429 } }],
  },
  {
    id: 'rate-limited-for-ever',
    text: 'Every call is answered 429, without `Retry-After`.',
    basis: section('7'),
    leads: 'failure',
    faults: always(ALL, { kind: 'status', status: 429 }),
    forEver: true,
  },
  {
    id: 'reads-rate-limited-for-ever',
    text: 'The job is accepted; after it every read is answered 429, without `Retry-After`.',
    basis: section('7'),
    leads: 'failure',
    ...LASTING,
    faults: always(READS, { kind: 'status', status: 429 }),
    forEver: true,
  },
  {
    id: 'reply-of-submission-lost',
    text: 'The first submission is accepted, and its reply is lost.',
    basis: NETWORK,
    leads: 'either',
    faults: once(SUBMISSIONS, { kind: 'reply-lost' }),
  },
  {
    id: 'submission-answered-504',
    text: 'A gateway answers the first submission with 504.',
    basis: NETWORK,
    leads: 'either',
    faults: once(SUBMISSIONS, { kind: 'status', status: 504, edge: true }),
  },
  {
    id: 'connection-refused',
    text: 'For the first two seconds nothing listens at the address.',
    basis: NETWORK,
    leads: 'either',
    listensAfterMs: 2_000,
  },
  {
    id: 'read-reset',
    text: 'The connection of the first read is reset.',
    basis: NETWORK,
    leads: 'success',
    faults: once(READS, { kind: 'request-lost' }),
  },
  {
    id: 'read-half',
    text: 'The reply to the first read ends in its middle.',
    basis: NETWORK,
    leads: 'success',
    faults: once(READS, { kind: 'half-reply' }),
  },
  {
    id: 'stream-reply-lost',
    text: 'A reply of `/stream` with chunks is lost: they are delivered once.',
    basis: NETWORK,
    leads: 'either',
    job: { runMs: 120_000, chunks: 4 },
    faults: [{ on: ['stream'], from: 2, calls: 1, does: { kind: 'reply-lost' } }],
  },
  {
    id: 'read-answered-500',
    text: 'The first read is answered 500.',
    basis: section('7'),
    leads: 'success',
    faults: once(READS, { kind: 'status', status: 500 }),
  },
  {
    id: 'read-answered-502',
    text: 'A gateway answers the first read with 502 and a page of HTML.',
    basis: NETWORK,
    leads: 'success',
    faults: once(READS, { kind: 'status', status: 502, edge: true }),
  },
  {
    id: 'read-answered-503',
    text: 'A gateway answers the first read with 503 and `Retry-After: 2`.',
    basis: NETWORK,
    leads: 'success',
    faults: once(READS, { kind: 'status', status: 503, retryAfterS: 2, edge: true }),
  },
  {
    id: 'read-answered-504',
    text: 'A gateway answers the first read with 504.',
    basis: NETWORK,
    leads: 'success',
    faults: once(READS, { kind: 'status', status: 504, edge: true }),
  },
  {
    id: 'reads-fail-for-ever',
    text: 'The job is accepted; after it every read is answered 500.',
    basis: section('7'),
    leads: 'failure',
    ...LASTING,
    faults: always(READS, { kind: 'status', status: 500 }),
    forEver: true,
  },
  {
    id: 'gateway-down',
    text: 'A gateway answers every call with 502.',
    basis: NETWORK,
    leads: 'failure',
    faults: always(ALL, { kind: 'status', status: 502, edge: true }),
    forEver: true,
  },
  {
    id: 'known-a-second-late',
    text: 'For a second after its submission reads of the job are answered 404.',
    basis: NETWORK,
    leads: 'either',
    faults: [{ on: READS, forMs: 1_000, does: { kind: 'status', status: 404 } }],
  },
  {
    id: 'key-revoked',
    text: 'The job is accepted; after the first read the key is no longer accepted.',
    basis: section('5'),
    leads: 'failure',
    ...LASTING,
    faults: [{ on: ALL, from: 3, does: { kind: 'status', status: 401 } }],
  },
  {
    id: 'key-rejected',
    text: 'The key is not accepted.',
    basis: section('5'),
    leads: 'failure',
    rejectsKey: true,
  },
  {
    id: 'unknown-endpoint',
    text: 'The endpoint does not exist: every call is answered 404.',
    basis: section('7'),
    leads: 'failure',
    faults: always(ALL, { kind: 'status', status: 404 }),
  },
  {
    id: 'submission-refused',
    text: 'Every submission is answered 400.',
    basis: section('7'),
    leads: 'failure',
    faults: always(SUBMISSIONS, { kind: 'status', status: 400 }),
  },
  {
    id: 'late-replies',
    text: 'Every reply is 1.5 s late.',
    basis: NETWORK,
    leads: 'success',
    faults: always(ALL, { kind: 'late', ms: 1_500 }),
  },
  {
    id: 'slow-replies',
    text: 'Every reply arrives byte by byte, over two seconds.',
    basis: NETWORK,
    leads: 'success',
    faults: always(ALL, { kind: 'slow', ms: 2_000 }),
  },
  {
    id: 'connections-closed',
    text: 'The server closes each connection after its reply.',
    basis: NETWORK,
    leads: 'success',
    faults: always(ALL, { kind: 'closed-after' }),
  },
];
