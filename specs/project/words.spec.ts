import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, sourcesIn, type Source } from './sources.js';
import { commentsOf, habitsIn, linesOf, literalsOf, replacedWordsIn } from './words.js';

const read = (path: string): Source => ({ path, text: readFileSync(join(ROOT, path), 'utf8') });

/** The document is quoted, the list of requirements is generated. */
const NOT_OURS = ['queue-endpoint-api.md', 'requirements.md'];
const DOCUMENTS = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).flatMap((name) =>
    NOT_OURS.includes(name) || !name.endsWith('.md') ? [] : [`docs/${name}`],
  ),
].map(read);
const SOURCES = sourcesIn('src');
/** What a command is, and its options; `serve` also says what to type. */
const HELP = SOURCES.filter(({ path }) =>
  /^src\/(features\/[^/]+\/(index|options|serve-command)|cli\/(option-table|exit-codes)|shell\/completion-script)\.ts$/.test(
    path,
  ),
);
/** Pages for users. Contracts are for implementers, the others are generated or measured. */
const PAGES = DOCUMENTS.filter(
  ({ path }) =>
    path === 'README.md' || (/^docs\/[^/]*$/.test(path) && !/\/(api|performance)\.md$/.test(path)),
);
/** What clients are to do, and under which conditions. */
const CLIENT_RULES = SOURCES.filter(({ path }) => /^src\/client\/(rules|weather)\//.test(path));
const TEXTS = [...sourcesIn('src/report'), ...sourcesIn('src/spec')];

const GLOSSARY = 'docs/glossary.md';
const glossaryWords = (text: string): readonly string[] =>
  [...text.matchAll(/^\| ([a-z][a-z -]*?) +\| [A-Z]/gm)].map(([, word]) => word!);

describe('replaced words', () => {
  it.each([
    ['documents', DOCUMENTS.flatMap(linesOf)],
    ['comments', SOURCES.flatMap(commentsOf)],
    ['help texts', HELP.flatMap(literalsOf)],
    ['texts of requirements, questions and reports', TEXTS.flatMap(literalsOf)],
  ])('do not occur in %s', (_, prose) => {
    expect(prose.length).toBeGreaterThan(100);
    expect(replacedWordsIn(prose)).toEqual([]);
  });

  it('are looked for in the help of every command', () => {
    const without = readdirSync(join(ROOT, 'src/features')).filter(
      (feature) => !HELP.some(({ path }) => path === `src/features/${feature}/index.ts`),
    );
    expect(without).toEqual([]);
    expect(HELP.map(({ path }) => path)).toContain('src/features/serve/options.ts');
  });

  it('has no habit of speech in pages, help and rules for clients that stops a reader', () => {
    expect(PAGES.length).toBeGreaterThan(20);
    expect(CLIENT_RULES.length).toBeGreaterThan(10);
    const literals = [...HELP, ...CLIENT_RULES].flatMap(literalsOf);
    expect(habitsIn([...PAGES.flatMap(linesOf), ...literals])).toEqual([]);
    expect(habitsIn(linesOf({ path: 'a.md', text: '10 musts stay open' }))).toHaveLength(2);
  });

  it('would be noticed', () => {
    const text = 'const a = 1;\n/**\n * A ghost does it.\n */\nconst b = `hog`; // `hog`\n';
    const messages = replacedWordsIn([
      ...commentsOf({ path: 'src/a.ts', text }),
      ...linesOf({ path: 'b.md', text: '```sh\nhog\n```\nHogs `ghost`\n' }),
      ...literalsOf({ path: 'src/c.ts', text: "help('a hog');" }),
    ]);
    expect(messages.map((message) => message.split(': ')[0])).toEqual(['src/a.ts:3', 'b.md:4', 'src/c.ts:1']);
    expect(messages[0]).toContain('instead of "ghost"');
  });
});

describe('the glossary', () => {
  const { text } = read(GLOSSARY);
  const words = glossaryWords(text);

  it('has each word once, in the order of the alphabet', () => {
    expect(words.length).toBeGreaterThan(30);
    expect(words).toEqual([...new Set(words)].toSorted((one, other) => (one < other ? -1 : 1)));
  });

  it('has every term that a page or a report uses in a sense of its own', () => {
    const terms = ['cause', 'condition', 'decided', 'edition', 'grace', 'mutant', 'reading', 'undecided'];
    expect(words).toEqual(expect.arrayContaining([...terms, 'untestable', 'weather', 'world']));
  });

  it('has only words that are still used', () => {
    const used = [...DOCUMENTS.filter(({ path }) => path !== GLOSSARY), ...SOURCES]
      .map((source) => source.text.toLowerCase().replace(/[-_]/g, ' '))
      .join('\n');
    const unused = words.filter((word) => !used.includes(word.replace(/-/g, ' ')));
    expect(unused, `${GLOSSARY}: remove these words`).toEqual([]);
  });

  it.each(['README.md', 'ARCHITECTURE.md'])('is linked from %s', (path) => {
    expect(read(path).text, `${path}: link to ${GLOSSARY}`).toContain(`](${GLOSSARY})`);
  });
});
