import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Io } from '../../src/cli/io.js';

export interface FakeIo extends Io {
  readonly cwd: string;
  printed(): string;
  complained(): string;
  /** Ctrl-C. */
  interrupt(): void;
}

/** A world of its own for one test: an empty folder, no environment, nobody looking on. */
export function createFakeIo(more: Partial<Io> = {}): FakeIo {
  let out = '';
  let err = '';
  const cwd = more.cwd ?? ownFolder();
  const listeners = new Set<() => void>();
  return {
    cwd,
    env: {},
    outIsTerminal: false,
    errIsTerminal: false,
    columns: 80,
    ask: () => Promise.resolve(null),
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    note: (text) => void (err += text),
    onInterrupt(callback) {
      listeners.add(callback);
      return () => void listeners.delete(callback);
    },
    library: () => import('../../src/index.js'),
    monotonicMs: () => performance.now(),
    timestamp: () => '2001-02-03T04:05:06.000Z',
    ...more,
    printed: () => out,
    complained: () => err,
    interrupt: () => listeners.forEach((listener) => listener()),
  };
}

function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'runproof-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Every file below the folder, by its path. */
export function filesBelow(folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Map(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(folder.length + 1), readFileSync(path, 'utf8')];
    }),
  );
}
