/** Stands between the emulator and the user's receiver: sees each call and its answer, and loses some answers. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LOST } from '../../server/faults/faulty-webhooks.js';
import { callReceiver } from '../../wire/call-receiver.js';
import { listen } from '../../wire/listen.js';
import { readBody } from '../../wire/read-body.js';
import type { Emulator } from './emulator.js';

/** The emulator waits so long for an answer. */
const ANSWER_MAX_MS = 10_000;

export interface Receiver {
  /** Where the emulator calls it. */
  readonly url: string;
  /** What the user's receiver answered to each call for this job; null: nothing. */
  answersFor(job: string): Promise<readonly (number | null)[]>;
  close(): Promise<void>;
}

/** @param lost how many answers the emulator does not get */
export async function startReceiver(
  to: string,
  lost: number,
  say: (line: string) => void,
): Promise<Receiver> {
  const answers: (number | null)[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request, Infinity);
    if (body === null) return;
    const status = await callReceiver(to, body.kept.toString(), { withinMs: ANSWER_MAX_MS });
    answers.push(status);
    const isLost = answers.length <= lost;
    say(`webhook answered ${status ?? 'not at all'}${isLost ? ', which the emulator does not get' : ''}`);
    if (status === null || isLost) response.destroy();
    else response.writeHead(status).end();
  };
  const { url, close } = await listen(
    { host: '127.0.0.1', port: 0 },
    { answer: (request, response) => void answer(request, response) },
  );
  return { url: `${url}/`, answersFor: () => Promise.resolve(answers), close: () => close(0) };
}

/** The receiver to which the emulator forwards webhooks: its log tells the answers. @param url the webhook of the job */
export async function forwardedReceiver(url: string, { webhooks, say }: Emulator): Promise<Receiver> {
  const answers: (number | null)[] = [];
  let { last } = await webhooks();
  return {
    url,
    async answersFor(job) {
      const news = await webhooks(last);
      ({ last } = news);
      for (const { status, error } of news.calls.filter((call) => call.job === job)) {
        if (error !== LOST.error) answers.push(status);
        say(`webhook, forwarded to ${news.forwardedTo}: ${status === null ? error : `answered ${status}`}`);
      }
      return answers;
    },
    close: () => Promise.resolve(),
  };
}
