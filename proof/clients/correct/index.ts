/** Clients that a careful engineer writes from the document. No rule may accuse them of anything. */
import { join } from 'node:path';
import type { ClientEnvironment } from '../../../src/features/client/environment.js';
import type { ClientProgram } from '../../../src/features/client/programs.js';
import { PACKAGE_ROOT } from '../../../src/package-files.js';
import { CAREFUL, type Behaviour, type Style } from '../behaviour.js';
import { runBase } from '../base-client.js';
import { pollFive, pollOnce } from './fetch-polling.js';
import { pollByTimer } from './scheduled.js';

export interface CorrectClient {
  readonly id: string;
  /** How it is made. */
  readonly text: string;
  readonly program: ClientProgram;
}

type Run = (environment: ClientEnvironment, signal: AbortSignal) => Promise<void>;

const inProcess = (id: string, text: string, run: Run): CorrectClient => ({
  ...{ id, text },
  program: { kind: 'function', name: id, run },
});

/** The client from which faulty ones differ in one decision. */
const base = (id: string, text: string, style: Style, other: Partial<Behaviour> = {}): CorrectClient =>
  inProcess(id, text, (environment, signal) => runBase(style, { ...CAREFUL, ...other }, environment, signal));

const FOLDER = join(PACKAGE_ROOT, 'proof', 'clients', 'programs');

const command = (program: string, file: string, text: string): CorrectClient => ({
  ...{ id: file.replace('.', '-'), text },
  program: {
    kind: 'command',
    command: [program, join(FOLDER, file)],
    ...{ cwd: FOLDER, env: process.env, input: null },
  },
});

const STYLES: readonly Style[] = ['polling', 'streaming', 'runsync', 'webhook'];

/** A job in each style, side by side. */
const allFour: Run = async (environment, signal) => {
  const ends = await Promise.allSettled(
    STYLES.map((style) =>
      runBase(style, { ...CAREFUL, body: { input: { prompt: 'a heron', style } } }, environment, signal),
    ),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
};

/** Any pause up to one that doubles. */
const fullJitterMs = (failures: number): number => 50 + Math.random() * Math.min(4_000, 250 * 2 ** failures);

export const CORRECT_CLIENTS: readonly CorrectClient[] = [
  base('node-polling', 'node:http, polls each 250 ms', 'polling'),
  base('node-polling-jitter', 'node:http, polls, full jitter', 'polling', {
    keyIn: 'bare',
    pauseMs: fullJitterMs,
  }),
  base('node-polling-short-deadline', 'node:http, polls, cancels after 2.5 s', 'polling', {
    deadlineMs: 2_500,
  }),
  base('node-polling-retries', 'node:http, polls, retries a failed job once', 'polling', {
    retries: ['FAILED', 'TIMED_OUT'],
  }),
  base('node-streaming', 'node:http, reads the stream, and the status when it is empty', 'streaming'),
  base('node-runsync', 'node:http, /runsync, then polls', 'runsync'),
  base('node-runsync-wait', 'node:http, /runsync with `wait` and a policy, then polls', 'runsync', {
    wait: '120000',
    body: { ...CAREFUL.body, policy: { executionTimeout: 600_000, ttl: 1_200_000, lowPriority: true } },
  }),
  base('node-webhook', 'node:http, receives a webhook, polls if none comes', 'webhook'),
  base('node-webhook-follow-up', 'node:http, submits one further job when a webhook arrives', 'webhook', {
    followUp: 'once',
    // Longer than its further job takes on a busy machine.
    lingersMs: 4_000,
  }),
  inProcess('node-all-four', 'node:http, a job in each style at the same time', allFour),
  inProcess('fetch-polling', 'fetch, polls with growing pauses', pollOnce),
  inProcess('fetch-five-jobs', 'fetch, five jobs at the same time', pollFive),
  inProcess('fetch-timer', 'fetch, polls from a timer', pollByTimer),
  command('python3', 'polling.py', 'Python, urllib, polls'),
  command('python3', 'stream.py', 'Python, http.client, reads the stream over one connection'),
  command('python3', 'runsync.py', 'Python, urllib, /runsync, then polls'),
  command('python3', 'webhook.py', 'Python, http.server receives a webhook, polls if none comes'),
  command('bash', 'polling.sh', 'shell with curl, polls'),
  command('bash', 'runsync.sh', 'shell with curl, /runsync, then polls'),
  command('bash', 'stream.sh', 'shell with curl, reads the stream'),
];
