/**
 * Loads the user's files, TypeScript or JavaScript, with any version of Node. They may import `runproof`:
 * this package.
 */
import { createJiti } from 'jiti';
import type { Io } from './io.js';

/**
 * Loads modules below the folder from their source.
 *
 * @param library what they import as `runproof`
 */
export async function moduleLoader(
  root: string,
  library: Io['library'],
): Promise<(file: string, source: string) => Promise<unknown>> {
  const jiti = createJiti(root, {
    fsCache: false,
    moduleCache: false,
    interopDefault: false,
    virtualModules: { runproof: await library() },
  });
  return async (file, source) =>
    jiti.evalModule(source, { filename: file, async: true, forceTranspile: true });
}

/** The line of the error as `:LINE`: a parser has it in its message, other errors in their stack. */
export function lineOf(error: unknown, file: string): string {
  const text = error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : '';
  const at = text.indexOf(`${file}:`);
  const line = at < 0 ? null : /^\d+/.exec(text.slice(at + file.length + 1));
  return line === null ? '' : `:${line[0]}`;
}

/** The first line of the error message. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  // Undo how compiled code refers to imported names.
  return (text.split('\n', 1)[0] ?? '').replaceAll(/\(0 ?, ?_\w+\.(\w+)\)/g, '$1').trim();
}
