/** Digests of code: of a module with all that it imports, as far as it is not left out. */
import { createHash } from 'node:crypto';
import { posix } from 'node:path';

const DIGEST_CHARS = 8;

export function digestOf(...parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:${part}`);
  return hash.digest('hex').slice(0, DIGEST_CHARS);
}

/** Imports and re-exports of values; types do nothing. */
const IMPORT = /^(?:import|export)\s+(?!type\s)(?:[^'"`;]*?\sfrom\s+)?'(\.[^']+)'/gm;

export class Code {
  readonly #sources: ReadonlyMap<string, string>;
  readonly #digests = new Map<string, string>();
  readonly #imports = new Map<string, readonly string[]>();

  /** @param sources the text of each file by its path */
  constructor(sources: ReadonlyMap<string, string>) {
    this.#sources = sources;
  }

  /** Paths of the folder, in their order. */
  in(folder: string): readonly string[] {
    return [...this.#sources.keys()].filter((path) => path.startsWith(`${folder}/`)).sort();
  }

  textOf(path: string): string {
    const text = this.#sources.get(path);
    if (text === undefined) throw new Error(`there is no ${path}`);
    return text;
  }

  /** Files that these import, directly or not, and themselves. */
  reached(roots: readonly string[], isPart: (path: string) => boolean): readonly string[] {
    const found = new Set<string>();
    const left = [...roots];
    for (let path = left.pop(); path !== undefined; path = left.pop()) {
      if (found.has(path)) continue;
      found.add(path);
      left.push(...this.#importsOf(path).filter(isPart));
    }
    return [...found].sort();
  }

  digest(paths: readonly string[]): string {
    return digestOf(
      ...paths.flatMap((path) => {
        const known = this.#digests.get(path) ?? digestOf(this.textOf(path));
        this.#digests.set(path, known);
        return [path, known];
      }),
    );
  }

  #importsOf(path: string): readonly string[] {
    const known = this.#imports.get(path);
    if (known !== undefined) return known;
    const folder = posix.dirname(path);
    const found = [...this.textOf(path).matchAll(IMPORT)].flatMap(([, specifier = '']) => {
      const stem = posix.join(folder, specifier).replace(/\.js$/, '');
      const file = [`${stem}.ts`, `${stem}.tsx`, stem].find((one) => this.#sources.has(one));
      return file === undefined ? [] : [file];
    });
    this.#imports.set(path, found);
    return found;
  }
}
