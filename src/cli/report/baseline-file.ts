/** `--baseline FILE`: the known failures, read before the run and updated after it. */
import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { BASELINE_SCHEMA, BaselineError, parseBaseline } from '../../report/compare/baseline.js';
import type { Baseline } from '../../report/index.js';
import { jsonText } from '../../report/escape.js';
import { pluralize } from '../../report/formatting.js';
import { REQUIREMENTS } from '../../spec/index.js';
import type { Settings } from '../options/option.js';
import type { BASELINE } from '../options/option-table.js';
import { UsageError } from '../../util/errors.js';
import { readUserJson, whyUnusable } from '../../files/user-file.js';
import type { Io } from '../io.js';
import { didYouMean } from '../../util/suggest.js';

const EMPTY: Baseline = { schema: BASELINE_SCHEMA, known: [] };

/**
 * The known failures, and with `--update-baseline` a callback that updates the file; nothing without
 * `--baseline`. Only `--update-baseline` may name a file that does not exist yet.
 *
 * @param ids those that it may name
 * @throws {UsageError}
 */
export function baselineFile(
  { baseline: name, updateBaseline: updates }: Settings<typeof BASELINE>,
  io: Io,
  ids: readonly string[] = REQUIREMENTS.map(({ id }) => id),
): { readonly baseline?: Baseline; readonly onBaseline?: (updated: Baseline) => void } {
  if (name === undefined) {
    if (updates) throw new UsageError('--update-baseline also requires --baseline FILE');
    return {};
  }
  const baseline = readBaseline(name, io.cwd, updates, ids);
  if (!updates) return { baseline };
  return {
    baseline,
    onBaseline(updated) {
      write(name, io.cwd, updated);
      io.note(`${name}: ${changes(baseline, updated)}\n`);
    },
  };
}

function readBaseline(name: string, cwd: string, mayBeMissing: boolean, ids: readonly string[]): Baseline {
  const errorOf = (what: string): UsageError => new UsageError(`--baseline ${name}: ${what}`);
  if (!existsSync(resolve(cwd, name))) {
    if (mayBeMissing) return EMPTY;
    throw new UsageError(`--baseline ${name} does not exist: --update-baseline creates it`);
  }
  const value = readUserJson(name, cwd, 'baseline');
  try {
    const baseline = parseBaseline(value);
    const known = new Set(ids);
    const unknown = baseline.known.find(({ requirement }) => !known.has(requirement))?.requirement;
    if (unknown !== undefined)
      throw errorOf(`there is no requirement "${unknown}".${didYouMean(unknown, ids)}`);
    return baseline;
  } catch (error) {
    throw error instanceof BaselineError ? errorOf(error.message) : error;
  }
}

function write(name: string, cwd: string, baseline: Baseline): void {
  try {
    writeFileSync(resolve(cwd, name), `${jsonText(baseline, 2)}\n`);
  } catch (error) {
    throw new UsageError(`--baseline ${name} cannot be written: it ${whyUnusable(error)}`);
  }
}

function changes(before: Baseline, after: Baseline): string {
  const had = new Set(before.known.map(({ requirement }) => requirement));
  const has = new Set(after.known.map(({ requirement }) => requirement));
  const added = [...has].filter((id) => !had.has(id));
  const removed = [...had].filter((id) => !has.has(id));
  const parts = [
    pluralize(has.size, 'known failure'),
    ...(added.length === 0 ? [] : [`new: ${added.join(', ')} (add the reason as "reason")`]),
    ...(removed.length === 0 ? [] : [`gone: ${removed.join(', ')}`]),
  ];
  return parts.join('; ');
}
