import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../project/sources.js';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Each example of code that names its file in the first line, and the rest of it. */
function quotedIn(text: string): readonly { readonly path: string; readonly code: string }[] {
  const blocks = text.matchAll(/^```ts\n\/\/ (\S+)\n([^]*?)^```$/gm);
  return [...blocks].map(([, path, code]) => ({ path: path!, code: code! }));
}

const fileOf = ({ path }: { readonly path: string }): string => path;

describe('the example of CONTRIBUTING.md', () => {
  const quoted = quotedIn(read('CONTRIBUTING.md'));

  it('takes four files', () => {
    expect(new Set(quoted.map(fileOf)).size).toBe(4);
  });

  it.each(quoted)('stands letter by letter in $path', ({ path, code }) => {
    expect(read(path).includes(code), `CONTRIBUTING.md quotes what ${path} no longer says:\n${code}`).toBe(
      true,
    );
  });

  it('would be noticed where it does not', () => {
    expect(quotedIn('```ts\n// a/b.ts\nx\n  y\n```\n')).toEqual([{ path: 'a/b.ts', code: 'x\n  y\n' }]);
  });
});
