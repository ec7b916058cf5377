/** `client`: what it is, and what the library has of it. */
import { command, type CommandSettings } from '../../cli/options/command.js';
import type { ClientEnvironment } from './environment.js';
import type { JudgeClientOptions, JudgedClient } from './judge-client.js';
import { CLIENT_OPTIONS } from './options.js';

export type { ClientEnvironment } from './environment.js';
export type { ClientViolation, JudgeClientOptions, JudgedClient } from './judge-client.js';

export type ClientSettings = CommandSettings<typeof CLIENT_OPTIONS>;

export const client = command({
  usage: 'client',
  describe: 'Test a client under some sixty conditions: slow queues, lost replies, 429s, cancelled jobs',
  options: CLIENT_OPTIONS,
  examples: [
    ['runproof client -- node my-client.js', 'test a client under every condition'],
    ["runproof client --only 'read-*' --only job-fails -- python my_client.py", 'under some conditions'],
    ['runproof client --expect job-fails=3 -- ./my-client', 'expect exit code 3 when the job fails'],
    [
      'runproof client --attach --only rate-limited-once',
      'start no program; judge any client that calls, until Ctrl-C',
    ],
    ['runproof client --list', 'describe every condition and rule'],
  ],
  exits: [
    [0, 'the client survived: it broke no rule and exited as expected'],
    [1, 'the client broke a rule, or did not exit as expected'],
    [2, 'wrong usage, or the client cannot start or makes no call'],
    [4, 'internal error of Runproof, or its emulator gave a wrong answer'],
    [5, 'an entry of the baseline has expired, or its rule is no longer broken'],
    [6, 'nothing was decided'],
    [130, 'interrupted; the results so far are printed'],
  ],
  takesCommand: true,
  run: async (settings, io, given) => (await import('./client-command.js')).client(settings, io, given),
});

/**
 * Runs a client of the API in every weather, each with an emulator of its own, and judges what it did by the rules for
 * clients. docs/judge-a-client.md describes both.
 *
 * @param run the client, which calls the given address; its promise is fulfilled if its job has completed, and rejected if
 *   not. It is called once for each weather, side by side. `signal` is aborted at the limit
 * @throws {RunproofError} `usage` if the options make no sense, or if it makes no call
 *
 * @example
 *     import { judgeClient } from 'runproof';
 *
 *     const judged = await judgeClient(
 *       async ({ url, endpoint, apiKey }) => {
 *         const reply = await fetch(`${url}/v2/${endpoint}/runsync`, {
 *           method: 'POST',
 *           headers: { authorization: apiKey, 'content-type': 'application/json' },
 *           body: JSON.stringify({ input: { name: 'Ada' } }),
 *         });
 *         const { status } = await reply.json();
 *         if (status !== 'COMPLETED') throw new Error(`the job is ${status}`);
 *       },
 *       { weather: ['clear', 'job-fails'] },
 *     );
 *     judged.assertSurvived();
 *
 * @public
 */
export async function judgeClient(
  run: (environment: ClientEnvironment, signal: AbortSignal) => unknown,
  options: JudgeClientOptions = {},
): Promise<JudgedClient> {
  // Loaded only here: a program that judges no client needs no proxy and no reader of traffic.
  return (await import('./judge-client.js')).judgeClient(run, options);
}
