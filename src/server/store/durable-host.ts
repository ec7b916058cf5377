import type { CoreReply } from '../../core/api.js';
import type { DurableService } from '../../core/service.js';
import type { SavedState } from '../../core/saved/saved.js';
import type { Host } from '../host.js';
import { createJournal, type Journal } from './journal.js';
import { WriterEnded, type Store } from './store.js';

export type MakeHost = (service: DurableService, journal: Journal) => Host;

export interface DurableHostOptions {
  readonly store: Store;
  /** Reads the stored state for the service. */
  readonly read: () => SavedState | null;
  /** Creates the service, from the stored state if there is one. */
  readonly makeService: (saved: SavedState | null) => DurableService;
  readonly makeHost: MakeHost;
  readonly onError: (error: unknown) => void;
}

/** How long after a failed write the next attempt is made. */
const RETRY_AFTER_MS = 1_000;

/**
 * A host whose service is stored on disk. When a write fails, all changes since the last successful write are
 * discarded: every call is answered with 500, all work stops, and the service continues from the stored state once
 * the disk can be written again. So it does when the thread that writes ends by itself: it is started again, and what it had
 * written is read anew.
 */
export function createDurableHost({ store, read, makeService, makeHost, onError }: DurableHostOptions): Host {
  const journalOf = (service: DurableService): Journal =>
    createJournal({ service, store, onFailure, onError });

  function onFailure(error: unknown): void {
    const why = `the data folder ${store.folder} cannot be written: ${(error as Error).message}`;
    onError(new Error(`${why}; all calls are answered with 500 until it can be`, { cause: error }));
    host.close(refusalFor(error));
    retryLater();
  }

  function retryLater(): void {
    setTimeout(() => {
      if (!store.isClosed()) store.probe().then(restart).catch(retryLater);
    }, RETRY_AFTER_MS).unref();
  }

  function restart(): void {
    if (store.isClosed()) return;
    const saved = read();
    const service = makeService(saved);
    adopt(host, saved);
    host.replaceService(service, journalOf(service));
  }

  const saved = read();
  const service = makeService(saved);
  const host = makeHost(service, journalOf(service));
  adopt(host, saved);
  host.resume();
  return host;
}

function adopt(host: Host, saved: SavedState | null): void {
  host.endpoints.adopt((saved?.endpoints ?? []).map(({ id, workers }) => ({ id, workers: workers.max })));
}

function refusalFor(error: unknown): CoreReply {
  const effect =
    error instanceof WriterEnded
      ? 'a call that was waiting for it may have had its effect, and no other has one'
      : 'the call had no effect';
  return {
    status: 500,
    headers: { 'content-type': 'application/json' },
    body: { error: `the server cannot write its data folder; ${effect}` },
  };
}
