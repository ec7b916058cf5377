/** The handler of `serve`, loaded again when its file changes. */
import { readFileSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Io } from '../../cli/io.js';
import { UsageError } from '../../util/errors.js';
import type { HandlerFunction } from '../../server/index.js';

export interface WatchedHandler {
  /** Runs the newest version; a job that runs already keeps the version that it was started with. */
  readonly handler: HandlerFunction;
  close(): void;
}

/** An editor writes a file in several steps. */
const SETTLE_MS = 100;
const WATCHED = /\.(?:[cm]?[jt]s|json)$/;

/**
 * @param io told, on standard error, of each new version, and of each that cannot be loaded: the version before stays
 * @throws {UsageError} when the file cannot be loaded at first
 */
export async function watchHandler(
  file: string,
  { err, library }: Pick<Io, 'err' | 'library'>,
): Promise<WatchedHandler> {
  const say = (line: string): void => err(`${line}\n`);
  // Loads the TypeScript compiler only if it is needed.
  const { lineOf, messageOf, moduleLoader } = await import('../../cli/load-module.js');
  const name = basename(file);

  async function load(): Promise<HandlerFunction> {
    // A loader of its own for each version: what the file imports is read again, too.
    const loadFile = await moduleLoader(dirname(file), library);
    let loaded: { readonly default?: unknown };
    try {
      loaded = (await loadFile(file, readFileSync(file, 'utf8'))) as typeof loaded;
    } catch (error) {
      throw new UsageError(`the handler ${file}${lineOf(error, file)} cannot be loaded: ${messageOf(error)}`);
    }
    if (typeof loaded.default !== 'function')
      throw new UsageError(`the handler ${file} has no function as its default export`);
    return loaded.default as HandlerFunction;
  }

  let current = await load();
  let timer: NodeJS.Timeout | undefined;
  let loading = Promise.resolve();
  const reload = async (): Promise<void> => {
    try {
      current = await load();
      say(`${name} has changed: new jobs run the new version`);
    } catch (error) {
      say(`${(error as Error).message}; the version before stays`);
    }
  };
  // The folder, not the file: many editors replace the file by a new one.
  const watcher = watch(dirname(file), (_event, changed) => {
    if (changed === null || !WATCHED.test(changed)) return;
    clearTimeout(timer);
    timer = setTimeout(() => void (loading = loading.then(reload)), SETTLE_MS);
  });
  return {
    handler: (job, context) => current(job, context),
    close() {
      clearTimeout(timer);
      watcher.close();
    },
  };
}
