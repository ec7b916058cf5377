import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lifecycleMermaid } from '../../src/features/list/lifecycle-text.js';
import { transitions } from '../../src/oracle/index.js';
import { anchorsIn, anchorsOf, linksIn } from './links.js';
import { ROOT } from './sources.js';

const DOCUMENTS = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...['docs', 'examples'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
];

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

describe('documents', () => {
  it('link to nothing that is not there', () => {
    const broken = DOCUMENTS.flatMap((document) =>
      linksIn(read(document))
        .filter((link) => !existsSync(join(ROOT, dirname(document), link)))
        .map((link) => `${document} links to ${link}, which is not there: correct the path in ${document}`),
    );
    expect(broken, 'correct these links, or the paths that they name').toEqual([]);
    expect(linksIn('[a](src/cli/) [b](https://example.test) [c](gone.md#top)')).toEqual([
      'src/cli/',
      'gone.md',
    ]);
  });

  it('link to headings that are there', () => {
    const broken = DOCUMENTS.flatMap((document) =>
      anchorsIn(read(document))
        .map(({ file, anchor }) => ({ path: file === '' ? document : join(dirname(document), file), anchor }))
        .filter(({ path, anchor }) => path.endsWith('.md') && !anchorsOf(read(path)).includes(anchor))
        .map(({ path, anchor }) => `${document} links to ${path}#${anchor}: no heading there has that name`),
    );
    expect(broken).toEqual([]);
    expect(anchorsIn('[a](b.md#two-words) [c](#d) [e](https://example.test#f)')).toEqual([
      { file: 'b.md', anchor: 'two-words' },
      { file: '', anchor: 'd' },
    ]);
    expect(anchorsOf('## Two `words`, here\n```sh\n# not one\n```\n')).toEqual(['two-words-here']);
  });

  it('name every dependency with its reason', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json')) as {
      dependencies: Record<string, string>;
      devDependencies: Record<string, string>;
    };
    const table = read('CONTRIBUTING.md');
    const named = (name: string) => table.includes(name.startsWith('@types/') ? '`@types/*`' : `\`${name}\``);
    const all = [...Object.keys(dependencies), ...Object.keys(devDependencies)];
    const unnamed = all.filter((name) => !named(name));
    expect(unnamed, 'add a row with the reason to the table "Dependencies" of CONTRIBUTING.md').toEqual([]);
  });

  it('draw the life-cycle that the oracle uses', () => {
    const drawn = lifecycleMermaid(transitions());
    const document = 'docs/how-verdicts-are-reached.md';
    expect(read(document), 'copy there what `runproof list lifecycle --mermaid` prints').toContain(drawn);
  });

  it('have a section for this version in the changelog', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(read('CHANGELOG.md'), 'add a section for the version of package.json').toContain(`## ${version}`);
  });

  it('keep every registry out of the lock file', () => {
    const why = 'package-lock.json: install with `omit-lockfile-registry-resolved` (.npmrc)';
    expect(read('package-lock.json').includes('"resolved"'), why).toBe(false);
  });
});
