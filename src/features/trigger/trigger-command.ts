/** `trigger`: makes one event happen on a running emulator, and tells what its job goes through. */
import type { ExitCode } from '../../report/index.js';
import { escapeControls, jsonText } from '../../report/escape.js';
import { formatDuration } from '../../report/formatting.js';
import { WEBHOOK_ATTEMPTS_MAX } from '../../spec/limits.js';
import { UsageError } from '../../util/errors.js';
import { EXAMPLES } from '../../worker/examples.js';
import { wordOf } from '../../cli/options/values.js';
import type { Io } from '../../cli/io.js';
import type { Answer } from '../../cli/running-emulator.js';
import { LIMIT_MS, openEmulator, RATE_MS, type Emulator } from './emulator.js';
import { EVENTS, type TriggerEvent } from './events.js';
import type { TriggerSettings } from './index.js';
import { forwardedReceiver, startReceiver, type Receiver } from './receiver.js';

/** For completion. */
export { EVENTS };

/** Of a job whose webhook is forwarded: it is not called. */
const SOME_WEBHOOK = 'https://app.example/webhook';
const GONE = 'answered 404';
const REFUSED = 'answered 429';
const ENDED = ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT', GONE];
/** More than the highest rate of /status. */
const BURST = { calls: 20_000, atOnce: 50 };
/** Why a job has not ended, by what /status says. */
const WHY_OPEN = new Map([
  ['IN_QUEUE', ': no worker takes it'],
  [REFUSED, ': the rate of /status is used up until 10 s have passed on the clock of the emulator'],
]);

export async function trigger(settings: TriggerSettings, io: Io): Promise<ExitCode> {
  const { event: name, webhook, input, job } = settings;
  if (name === undefined) {
    for (const [each, { sees }] of EVENTS) io.out(`${each.padEnd(16)} ${sees}\n`);
    return 0;
  }
  const event = EVENTS.get(wordOf('the event', name, [...EVENTS.keys()]))!;
  const { lostAnswers: lost, example } = event;
  if ((event.calls === 'receiver') !== (job !== undefined))
    throw new UsageError(
      job === undefined
        ? `trigger ${name} requires the id of a job that has ended and has a webhook: add --job ID`
        : `--job is for trigger resend-webhook: trigger ${name} submits a job of its own`,
    );
  if (job !== undefined && (webhook ?? input) !== undefined)
    throw new UsageError(`trigger ${name} sends what its job has: leave out --webhook and --input`);
  const emulator = await openEmulator(settings, io);
  const receiver = lost === undefined ? null : await receiverOf(name, lost, emulator, webhook);
  const body = {
    ...EXAMPLES[example].body,
    ...(input !== undefined && { input }),
    ...((receiver !== null || webhook !== undefined) && { webhook: receiver?.url ?? webhook }),
  };
  try {
    const { record, why } =
      job === undefined ? await play(event, emulator, body, receiver) : await resend(emulator, job);
    io.out(`${jsonText(record, 2)}\n`);
    if (emulator.isControlled && emulator.passedMs() > 0)
      io.note(`the clock of the emulator was advanced by ${formatDuration(emulator.passedMs())}\n`);
    const fast = emulator.speed > 1 ? `; at ${emulator.speed} times real time, calls may come too late` : '';
    if (why !== '') io.err(`${name} did not happen: ${escapeControls(why)}${fast}\n`);
    else io.note(`${name} happened: ${event.sees}\n`);
    if (why === '' && event.calls === 'status' && emulator.isControlled)
      io.note(
        `the 10 s pass on its clock, which stands until you advance it:\n  ${emulator.commandToAdvance(RATE_MS)}\n`,
      );
    return why === '' ? 0 : 1;
  } finally {
    await receiver?.close();
  }
}

/** Who tells what the user's receiver answers: the emulator, if it forwards webhooks, or else this command, which it calls. */
async function receiverOf(
  name: string,
  lost: number,
  emulator: Emulator,
  webhook: string | undefined,
): Promise<Receiver> {
  const { forwardedTo } = await emulator.webhooks();
  if (forwardedTo !== null) {
    if (lost === 0) return forwardedReceiver(webhook ?? SOME_WEBHOOK, emulator);
    throw new UsageError(
      `trigger ${name} loses an answer, which it cannot where the emulator forwards webhooks to ${forwardedTo}: start serve without --forward-webhooks, or with --fault 'webhook:#1=lost' and use trigger webhook`,
    );
  }
  if (webhook === undefined)
    throw new UsageError(
      `trigger ${name} requires the address of your receiver: add --webhook URL, or start serve with --forward-webhooks URL`,
    );
  if (!emulator.isHere)
    throw new UsageError(`trigger ${name} requires an emulator on this machine, which calls this command`);
  return startReceiver(webhook, lost, emulator.say);
}

/** What /status answered last, or else /run; and why the event did not happen, empty if it did. */
async function play(event: TriggerEvent, emulator: Emulator, job: object, receiver: Receiver | null) {
  const { status, body: submitted } = await emulator.ask('POST', 'run', job);
  const { id } = submitted;
  if (typeof id !== 'string') return { record: submitted, why: `/run answered ${status}` };
  emulator.say(`job ${id} at ${emulator.url}, followed for up to ${formatDuration(LIMIT_MS)}`);
  const { record, state, hasEnded } = await watch(event, emulator, id);
  const wanted = event.ends ?? GONE;
  if (hasEnded && state === wanted) return { record, why: await makeCalls(event, emulator, id, receiver) };
  const why = hasEnded
    ? `the job is ${state}, not ${wanted}. Its worker does not run the plan in its input as that of serve without --handler does, or serve has a --fault: --input FILE gives a handler of yours another input`
    : `the job is still ${state}${WHY_OPEN.get(state) ?? ''}`;
  return { record, why };
}

/** Sends the webhook of a job that has ended again; returns as `play`. */
async function resend(emulator: Emulator, job: string) {
  const id = await emulator.jobBeginning(job);
  let looked = await lookAt(emulator, id);
  const isTold = async (): Promise<boolean> => (looked = await lookAt(emulator, id)).state !== REFUSED;
  if (looked.state === REFUSED) await until(emulator, isTold, () => true);
  const { record, state } = looked;
  if (state === GONE) return { record, why: `there is no job ${id} at ${emulator.url}` };
  emulator.say(`job ${id} at ${emulator.url}`);
  emulator.say(state);
  if (record['status'] === undefined) return { record, why: `/status ${state}${WHY_OPEN.get(state) ?? ''}` };
  if (!ENDED.includes(state))
    return { record, why: `the job has not ended: it is ${state}${await emulator.endOf(id)}` };
  const { status, body } = await emulator.resendWebhook(id);
  // It is there, and has ended: nothing else is missing.
  if (status === 404) return { record, why: `job ${id} has no webhook` };
  if (status !== 200) return { record, why: String(body['error'] ?? `the emulator answered ${status}`) };
  emulator.say(`webhook answered ${String(body['status'] ?? 'not at all')}`);
  return { record, why: body['status'] === null ? 'your receiver did not answer' : '' };
}

/** What /status answers, and the state in it. */
async function lookAt(emulator: Emulator, id: string) {
  const { status, body: record } = await emulator.ask('GET', `status/${encodeURIComponent(id)}`);
  const state = typeof record['status'] === 'string' ? record['status'] : `answered ${status}`;
  return { record, state };
}

/** Looks at the job until it has ended; where the event says so, cancels it once it runs. */
async function watch(event: TriggerEvent, emulator: Emulator, id: string) {
  let [state, isCancelled] = ['', event.calls !== 'cancel'];
  let record: Answer['body'] = {};
  const look = async (): Promise<boolean> => {
    const before = state;
    ({ record, state } = await lookAt(emulator, id));
    if (state !== before) emulator.say(state);
    if (isCancelled || state !== 'IN_PROGRESS') return ENDED.includes(state);
    isCancelled = true;
    await emulator.ask('POST', `cancel/${id}`);
    return look();
  };
  const hasEnded = await until(emulator, look, () => state === REFUSED);
  return { record, state, hasEnded };
}

async function until(
  { pass }: Emulator,
  isSo: () => boolean | Promise<boolean>,
  isRefused = () => false,
): Promise<boolean> {
  while (!(await isSo())) if (!(await pass(isRefused()))) return isSo();
  return true;
}

/** What belongs to the event once its job has ended. Why that did not happen; empty: it did. */
async function makeCalls(event: TriggerEvent, emulator: Emulator, id: string, receiver: Receiver | null) {
  const { calls, lostAnswers = 0 } = event;
  if (calls === 'stream') {
    const { value, body } = await emulator.ask('GET', `stream/${id}`);
    // Edition runpod has them in an object.
    const stream = body['stream'] ?? value;
    emulator.say(`/stream answered ${jsonText(stream)}`);
    return Array.isArray(stream) && stream.length > 0 ? '' : '/stream has no results';
  }
  if (calls === 'status') {
    for (let made = 0; made < BURST.calls; made += BURST.atOnce) {
      const burst = Array.from({ length: BURST.atOnce }, () => emulator.ask('GET', `status/${id}`));
      const refused = (await Promise.all(burst)).find(({ status }) => status === 429);
      if (refused === undefined) continue;
      emulator.say(`/status answered 429, retry-after: ${refused.retryAfter ?? 'none'}`);
      return '';
    }
    return `none of ${BURST.calls} calls of /status was answered with 429`;
  }
  if (receiver === null) return '';
  let answers: readonly (number | null)[] = [];
  // The emulator calls again after an error, and nothing listens here once this command has ended.
  const isOver = (): boolean => (answers.at(-1) ?? 0) < 300 || answers.length >= WEBHOOK_ATTEMPTS_MAX;
  await until(emulator, async () => {
    answers = await receiver.answersFor(id);
    return answers.length > lostAnswers && isOver();
  });
  if (answers.length <= lostAnswers)
    return `the webhook was called ${answers.length} times: serve may have --forward-webhooks`;
  return answers.includes(null) ? 'your receiver did not answer' : '';
}
