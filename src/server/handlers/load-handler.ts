import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { HandlerFunction } from './handler-api.js';

/**
 * Loads the module's default export, which must be a function.
 * @param file path, relative to the working directory
 */
export async function loadHandler(file: string): Promise<HandlerFunction> {
  const path = resolve(file);
  let loaded: { readonly default?: unknown };
  try {
    loaded = (await import(pathToFileURL(path).href)) as typeof loaded;
  } catch (error) {
    throw new Error(`the handler ${file} cannot be loaded: ${(error as Error).message}`, { cause: error });
  }
  if (typeof loaded.default !== 'function') {
    throw new Error(`the handler ${file} has no function as its default export`);
  }
  return loaded.default as HandlerFunction;
}
