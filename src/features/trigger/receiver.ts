/** Stands between the emulator and the user's receiver: sees each call and its answer, and loses some answers. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { callReceiver } from '../../wire/call-receiver.js';
import { listen } from '../../wire/listen.js';
import { readBody } from '../../wire/read-body.js';

/** The emulator waits so long for an answer. */
const ANSWER_MAX_MS = 10_000;

export interface Receiver {
  /** Where the emulator calls it. */
  readonly url: string;
  /** What the user's receiver answered to each call; null: nothing. */
  readonly answers: readonly (number | null)[];
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
  return { url: `${url}/`, answers, close: () => close(0) };
}
