/** A thread with an embedded endpoint of its own and the calls made to it. What it answers depends on its tasks alone. */
import { parentPort, workerData } from 'node:worker_threads';
import { MUTANTS } from '../../mutants/index.js';
import type { Script } from '../../scenario/index.js';
import { startServer, type ServerOptions } from '../../server/index.js';
import { httpTarget, type HttpTargetOptions } from '../../target/http/index.js';
import { playerOf, type Played } from './share-scripts.js';

/** How the endpoint is made and connected to; values that can be sent to a thread. */
export interface EmbeddedEndpoint {
  readonly server: ServerOptions;
  /** Id of its known fault; null: none. */
  readonly fault: string | null;
  /** To which endpoint they lead is found in the thread. */
  readonly connection: Omit<HttpTargetOptions, 'createdJobs' | 'signal'>;
}

export type PlayerTask = { readonly play: Script; readonly number: number } | { readonly stop: true };
export type PlayerAnswer = { readonly played: Played } | { readonly error: Error };

if (parentPort !== null) {
  const port = parentPort;
  const stop = new AbortController();
  const { server, fault, connection } = workerData as EmbeddedEndpoint;
  const rules = fault === null ? undefined : MUTANTS.find(({ id }) => id === fault)?.rules;
  const target = startServer({ ...server, rules }).then(({ url, controlUrl }) =>
    httpTarget({ ...connection, url, controlUrl: controlUrl!, signal: stop.signal }),
  );
  // Told to the one who asks for the first script.
  target.catch(() => undefined);
  const play = async (script: Script, number: number): Promise<PlayerAnswer> => {
    try {
      return { played: await playerOf(await target).play(script, number, stop.signal) };
    } catch (error) {
      return { error: error as Error };
    }
  };
  port.on('message', (task: PlayerTask) => {
    if ('stop' in task) stop.abort();
    else void play(task.play, task.number).then((answer) => port.postMessage(answer));
  });
}
