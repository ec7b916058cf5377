import { describe, expect, it } from 'vitest';
import { OBSERVERS } from '../../src/oracle/questions/judge-questions.js';
import { sourcesIn, type Source } from './sources.js';

const observers = Object.entries<{ readonly in?: string | undefined }>(OBSERVERS);

/** The id stands there in quotes, or a pattern of ids does that is filled with a word. */
function names({ text }: Source, id: string): boolean {
  if (text.includes(`'${id}'`)) return true;
  return [...text.matchAll(/'([^'\s]+)\*([^'\s]*)'|`([^`\s]+)\$\{[^}]*\}([^`\s]*)`/g)].some(
    ([, before = '', after = '', head = before, tail = after]) => id.startsWith(head) && id.endsWith(tail),
  );
}

describe('observers of open questions', () => {
  it('stand in the folder that they are said to stand in: if this fails, edit the file of the section in src/oracle/questions/', () => {
    const lost = observers.filter(
      ([id, { in: folder }]) =>
        folder !== undefined && !sourcesIn(`src/oracle/${folder}`).some((source) => names(source, id)),
    );
    expect(lost.map(([id, { in: folder }]) => `${id}: nothing in src/oracle/${folder}/ names it`)).toEqual(
      [],
    );
  });

  it('would notice one that stands nowhere', () => {
    const text = `scene.ledger.observe('1/queue-order', told); idsFor('4/success-code-*', MAIN_OPERATIONS);`;
    const source = { path: 'src/oracle/calls/planted.ts', text };
    expect(names(source, '1/queue-order')).toBe(true);
    expect(names(source, '4/success-code-run')).toBe(true);
    expect(names(source, '8/megabyte')).toBe(false);
  });
});
