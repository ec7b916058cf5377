/** `trigger`: makes one event happen on a running emulator, and tells what its job goes through. */
import type { ExitCode } from '../../report/index.js';
import { escapeControls, jsonText } from '../../report/escape.js';
import { formatDuration } from '../../report/formatting.js';
import { UsageError } from '../../util/errors.js';
import { EXAMPLES } from '../../worker/examples.js';
import { wordOf } from '../../cli/options/values.js';
import type { Io } from '../../cli/io.js';
import { findEmulator, type Answer, type Emulator } from './emulator.js';
import { EVENTS, type TriggerEvent } from './events.js';
import type { TriggerSettings } from './index.js';
import { startReceiver, type Receiver } from './receiver.js';

const GONE = 'answered 404';
const ENDED = ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT', GONE];
/** More than the highest rate of /status. */
const BURST = { calls: 20_000, atOnce: 50 };

export async function trigger(settings: TriggerSettings, io: Io): Promise<ExitCode> {
  const { event: name, webhook, input } = settings;
  if (name === undefined) {
    for (const [each, { sees }] of EVENTS) io.out(`${each.padEnd(16)} ${sees}\n`);
    return 0;
  }
  const event = EVENTS.get(wordOf('the event', name, [...EVENTS.keys()]))!;
  const { lostAnswers: lost, example } = event;
  if (lost !== undefined && webhook === undefined)
    throw new UsageError(`trigger ${name} requires the address of your receiver: add --webhook URL`);
  const emulator = await findEmulator(settings, io);
  if (lost !== undefined && !emulator.isHere)
    throw new UsageError(`trigger ${name} requires an emulator on this machine, which calls this command`);
  const say = (line: string): void =>
    io.note(`${formatDuration(emulator.passedMs()).padStart(9)}  ${escapeControls(line)}\n`);
  const receiver = lost === undefined ? null : await startReceiver(webhook!, lost, say);
  const body = {
    ...EXAMPLES[example].body,
    ...(input !== undefined && { input }),
    ...(webhook !== undefined && { webhook: receiver?.url ?? webhook }),
  };
  let forget = (): void => undefined;
  const interrupted = new Promise<null>((end) => (forget = io.onInterrupt(() => end(null))));
  try {
    const played = await Promise.race([play({ event, emulator, say }, body, receiver), interrupted]);
    if (played === null) return 130;
    const { record, why } = played;
    io.out(`${jsonText(record, 2)}\n`);
    if (emulator.isControlled && emulator.passedMs() > 0)
      io.note(`the clock of the emulator was advanced by ${formatDuration(emulator.passedMs())}\n`);
    if (why !== '') io.err(`${name} did not happen: ${escapeControls(why)}\n`);
    else io.note(`${name} happened: ${event.sees}\n`);
    return why === '' ? 0 : 1;
  } finally {
    forget();
    await receiver?.close();
  }
}

/** Why a job has not ended, by what /status says. */
const WHY_OPEN = new Map([
  ['IN_QUEUE', 'the job is still IN_QUEUE: no worker takes it'],
  ['answered 429', 'the rate of /status is used up until 10 s have passed on the clock of the emulator'],
]);

interface Playing {
  readonly event: TriggerEvent;
  readonly emulator: Emulator;
  readonly say: (line: string) => void;
}

interface Played {
  /** What /status answered last, or else /run. */
  readonly record: Answer['body'];
  /** Why the event did not happen; empty: it did. */
  readonly why: string;
}

async function play(playing: Playing, body: object, receiver: Receiver | null): Promise<Played> {
  const { event, emulator, say } = playing;
  const { status, body: submitted } = await emulator.call('POST', 'run', body);
  const id = submitted['id'];
  if (typeof id !== 'string') return { record: submitted, why: `/run answered ${status}` };
  say(`job ${id} at ${emulator.url}`);
  const { record, state, hasEnded } = await watch(playing, id);
  const wanted = event.ends ?? GONE;
  if (hasEnded && state === wanted) return { record, why: await makeCalls(playing, id, receiver) };
  if (!hasEnded) return { record, why: WHY_OPEN.get(state) ?? `the job is still ${state}` };
  const plan = 'Its worker does not run the plan in its input as that of serve without --handler does';
  return {
    record,
    why: `the job is ${state}, not ${wanted}. ${plan}: --input FILE gives yours another input`,
  };
}

/** Looks at the job until it has ended; where the event says so, cancels it once it runs. */
async function watch({ event, emulator, say }: Playing, id: string) {
  let [state, isCancelled] = ['', event.calls !== 'cancel'];
  let record: Answer['body'] = {};
  const look = async (): Promise<boolean> => {
    const { status, body } = await emulator.call('GET', `status/${id}`);
    record = body;
    const before = state;
    state = typeof body['status'] === 'string' ? body['status'] : `answered ${status}`;
    if (state !== before) say(state);
    if (isCancelled || state !== 'IN_PROGRESS') return ENDED.includes(state);
    isCancelled = true;
    await emulator.call('POST', `cancel/${id}`);
    return look();
  };
  const hasEnded = await until(emulator, look);
  return { record, state, hasEnded };
}

async function until({ pass }: Emulator, isSo: () => boolean | Promise<boolean>): Promise<boolean> {
  while (!(await isSo())) if (!(await pass())) return isSo();
  return true;
}

/** What belongs to the event once its job has ended. Why that did not happen; empty: it did. */
async function makeCalls({ event, emulator, say }: Playing, id: string, receiver: Receiver | null) {
  const { calls, lostAnswers = 0 } = event;
  if (calls === 'stream') {
    const { value, body } = await emulator.call('GET', `stream/${id}`);
    // Edition runpod has them in an object.
    const stream = body['stream'] ?? value;
    say(`/stream answered ${jsonText(stream)}`);
    return Array.isArray(stream) && stream.length > 0 ? '' : '/stream has no results';
  }
  if (calls === 'status') {
    for (let made = 0; made < BURST.calls; made += BURST.atOnce) {
      const burst = Array.from({ length: BURST.atOnce }, () => emulator.call('GET', `status/${id}`));
      const refused = (await Promise.all(burst)).find(({ status }) => status === 429);
      if (refused === undefined) continue;
      say(`/status answered 429, retry-after: ${refused.retryAfter ?? 'none'}`);
      return '';
    }
    return `none of ${BURST.calls} calls of /status was answered 429`;
  }
  if (receiver === null) return '';
  const { answers } = receiver;
  if (!(await until(emulator, () => answers.length > lostAnswers)))
    return `the webhook was called ${answers.length} times: serve may have --forward-webhooks`;
  return answers.includes(null) ? 'your receiver did not answer' : '';
}
