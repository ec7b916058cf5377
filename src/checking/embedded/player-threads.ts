/** A thread with an embedded endpoint of its own and the calls made to it. What it answers depends on its tasks alone. */
import { availableParallelism } from 'node:os';
import type { Script } from '../../scenario/index.js';
import { startServer, type ServerOptions } from '../../server/index.js';
import { httpTarget, type HttpTarget, type HttpTargetOptions } from '../../target/http/index.js';
import { isBuilt, startThread, threadKind, type Outside, type Thread } from '../../threads/thread.js';
import { playerOf, type Played, type Player } from './share-scripts.js';

/** With the thread that asks them: more are idle while the longest scripts end. */
const PLAYERS_MAX = 4;

/** How the endpoint is made and connected to; values that can be sent to a thread. */
export interface EmbeddedEndpoint {
  readonly server: ServerOptions;
  /** Id of its known fault; null: none. */
  readonly fault: string | null;
  /** To which endpoint they lead is found in the thread. */
  readonly connection: Omit<HttpTargetOptions, 'createdJobs' | 'signal'>;
}

interface Playing {
  play(script: Script, number: number): Promise<Played>;
}

function playing({ server, fault, connection }: EmbeddedEndpoint, { stopped }: Outside<never>): Playing {
  const open = async (): Promise<HttpTarget> => {
    // Loaded only where there is one.
    const known = fault === null ? [] : (await import('../../mutants/index.js')).MUTANTS;
    const rules = known.find(({ id }) => id === fault)?.rules;
    const { url, controlUrl } = await startServer({ ...server, rules });
    return httpTarget({ ...connection, url, controlUrl: controlUrl!, signal: stopped });
  };
  const target = open();
  // Told to the one who asks for the first script.
  target.catch(() => undefined);
  return { play: async (script, number) => playerOf(await target).play(script, number, stopped) };
}

const PLAYING = threadKind({
  name: 'player',
  file: new URL('./player-threads.js', import.meta.url),
  create: playing,
});

/** One for each processor: a third of a thread's time is spent waiting. None where the code was not built. */
export function playerThreads(endpoint: EmbeddedEndpoint): readonly Player[] {
  if (!isBuilt(PLAYING)) return [];
  const threads = Math.min(PLAYERS_MAX - 1, availableParallelism());
  return Array.from({ length: threads }, () => playerIn(startThread(PLAYING, endpoint)));
}

/** @internal */
export const playerIn = (thread: Pick<Thread<Playing>, 'ask' | 'stop' | 'end'>): Player => ({
  async play(script, number, signal) {
    const stop = (): void => thread.stop();
    signal?.addEventListener('abort', stop);
    try {
      return await thread.ask('play', [script, number]);
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  },
  close: () => thread.end(),
});
