/**
 * Parses JSON with duplicate keys: `JSON.parse` takes the last value; other parsers take the first, or
 * refuse.
 */
import type { Json } from '../../history/events.js';

export type DuplicateKeys = 'last-wins' | 'first-wins' | 'refused';

const SPACE = /[ \t\n\r]*/y;
const COLON = /[ \t\n\r]*:/y;
const BETWEEN = /[ \t\n\r,]*/y;
const SCALAR = /[^\s,\]}]+/y;

/** @throws {SyntaxError} when the text is not JSON, or has a duplicate key and `duplicates` is `refused` */
export function parseJson(text: string, duplicates: DuplicateKeys): Json {
  // This also validates the text, so the parser below does not have to.
  const value = JSON.parse(text) as Json;
  return duplicates === 'last-wins' ? value : new DuplicateKeyParser(text, duplicates).value();
}

class DuplicateKeyParser {
  private at = 0;
  private readonly text: string;
  private readonly duplicates: DuplicateKeys;

  constructor(text: string, duplicates: DuplicateKeys) {
    this.text = text;
    this.duplicates = duplicates;
  }

  value(): Json {
    this.take(SPACE);
    const first = this.text[this.at];
    if (first === '{' || first === '[') {
      this.at += 1;
      return first === '{' ? this.object() : this.array();
    }
    return JSON.parse(first === '"' ? this.string() : this.take(SCALAR)) as Json;
  }

  private object(): Json {
    const members = new Map<string, Json>();
    while (this.next('}')) {
      const key = JSON.parse(this.string()) as string;
      this.take(COLON);
      const value = this.value();
      if (!members.has(key)) members.set(key, value);
      else if (this.duplicates === 'refused') throw new SyntaxError(`${key} is named twice`);
    }
    return Object.fromEntries(members);
  }

  private array(): Json {
    const items: Json[] = [];
    while (this.next(']')) items.push(this.value());
    return items;
  }

  /** Moves to the next element; false after the last one. */
  private next(close: '}' | ']'): boolean {
    this.take(BETWEEN);
    if (this.text[this.at] !== close) return true;
    this.at += 1;
    return false;
  }

  /** Without a regular expression: one with alternatives overflows the stack on a string of megabytes. */
  private string(): string {
    const start = this.at;
    for (this.at += 1; this.text[this.at] !== '"'; this.at += 1)
      if (this.text[this.at] === '\\') this.at += 1;
    this.at += 1;
    return this.text.slice(start, this.at);
  }

  private take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? '';
    this.at += found.length;
    return found;
  }
}
