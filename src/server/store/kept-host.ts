import type { CoreReply } from '../../core/api.js';
import type { KeptService } from '../../core/service.js';
import type { SavedState } from '../../core/saved.js';
import type { Host } from '../host.js';
import { createJournal, type Journal } from './journal.js';
import type { Store } from './store.js';

export type MakeHost = (service: KeptService, journal: Journal) => Host;

export interface KeptHostOptions {
  readonly store: Store;
  /** What is kept, as the service is to have it. */
  readonly read: () => SavedState | null;
  /** Makes the service, from what is kept where something is. */
  readonly makeService: (kept: SavedState | null) => KeptService;
  readonly makeHost: MakeHost;
  readonly onError: (error: unknown) => void;
}

/** How long after a failed write another one is tried. */
const TRY_AGAIN_MS = 1_000;

/**
 * A host whose service is kept. When a write fails, what happened since the last one has never happened: every call
 * is answered 500, all work stops, and the service goes on from what is on disk once something can be written.
 */
export function keptHost({ store, read, makeService, makeHost, onError }: KeptHostOptions): Host {
  const journalOf = (service: KeptService): Journal => createJournal({ service, store, onFailure, onError });

  function onFailure(error: unknown): void {
    const why = `the data folder ${store.folder} cannot be written: ${(error as Error).message}`;
    onError(new Error(`${why}; all calls are answered 500 until it can be`, { cause: error }));
    host.close(CANNOT_BE_KEPT);
    tryAgainLater();
  }

  function tryAgainLater(): void {
    setTimeout(() => {
      if (!store.isClosed()) store.probe().then(goOn).catch(tryAgainLater);
    }, TRY_AGAIN_MS).unref();
  }

  function goOn(): void {
    if (store.isClosed()) return;
    const kept = read();
    const service = makeService(kept);
    adopt(host, kept);
    host.goOn(service, journalOf(service));
  }

  const kept = read();
  const service = makeService(kept);
  const host = makeHost(service, journalOf(service));
  adopt(host, kept);
  host.resume();
  return host;
}

function adopt(host: Host, kept: SavedState | null): void {
  host.endpoints.adopt((kept?.endpoints ?? []).map(({ id, workers }) => ({ id, workers: workers.max })));
}

const CANNOT_BE_KEPT: CoreReply = {
  status: 500,
  headers: { 'content-type': 'application/json' },
  body: { error: 'the server cannot write its data folder: nothing was done' },
};
