/**
 * Observations judged. usage: judge.js explored|one-endpoint SIZE, or judge.js FILE SRC: a history that history.js wrote, judged by
 * the compiled `src` of a version.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type * as Oracle from '../../src/oracle/index.js';
import { explored, onOneEndpoint, type Recorded } from '../histories.js';
import { measured } from './measured.js';

const [history = 'explored', size = '500'] = process.argv.slice(2);
const isFile = history.endsWith('.json');
const src = isFile ? size : fileURLToPath(new URL('../../src', import.meta.url));
const { judge } = (await import(pathToFileURL(join(src, 'oracle/index.js')).href)) as typeof Oracle;
const { events, calls } = recorded();
measured(calls, () => judge(events));

function recorded(): Recorded {
  if (isFile) return JSON.parse(readFileSync(history, 'utf8')) as Recorded;
  return history === 'explored' ? explored(Number(size)) : onOneEndpoint(Number(size), 4);
}
