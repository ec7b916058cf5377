/** The user's own files, TypeScript or JavaScript, loaded on any Node. They may import `runproof`: this very program. */
import { createJiti } from 'jiti';

/** Loads modules below the folder from their source. */
export async function moduleLoader(
  root: string,
): Promise<(file: string, source: string) => Promise<unknown>> {
  const jiti = createJiti(root, {
    fsCache: false,
    moduleCache: false,
    interopDefault: false,
    virtualModules: { runproof: await import('../index.js') },
  });
  return async (file, source) =>
    jiti.evalModule(source, { filename: file, async: true, forceTranspile: true });
}

/** Where in the file it went wrong, as `:LINE`: a parser says it in its message, all else in its stack. */
export function lineOf(error: unknown, file: string): string {
  const text = error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : '';
  const at = text.indexOf(`${file}:`);
  const line = at < 0 ? null : /^\d+/.exec(text.slice(at + file.length + 1));
  return line === null ? '' : `:${line[0]}`;
}

/** In one line. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  // A name imported from elsewhere appears as the compiled code has it.
  return (text.split('\n', 1)[0] ?? '').replaceAll(/\(0 ?, ?_\w+\.(\w+)\)/g, '$1').trim();
}
