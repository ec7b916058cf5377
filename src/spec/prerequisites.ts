/**
 * Requirements on which the judgement of others depends. If a root failed in every decision, the requirements that depend
 * on it do not fail as well: they are inconclusive, because of the root.
 */
import type { RequirementId } from './requirements/index.js';

export interface Prerequisite {
  readonly root: RequirementId;
  /** Patterns of the ids that depend on it; `*` stands for any text. */
  readonly of: readonly string[];
  /** Patterns of ids that match `of` and do not depend on it all the same. */
  readonly except?: readonly string[];
}

/** What the answer of a submission itself shows. */
const SHOWN_BY_SUBMISSIONS = [
  '1/json-*-run',
  '1/json-*-runsync',
  '2.4/*-in-run',
  '2.4/*-in-runsync',
  '2.4/*-integer-runsync',
  '2.4/status-known-run',
  '2.4/status-known-runsync',
];
/** Requirements of section 5 that are shown by calls of /health. */
const KEYS_SHOWN_BY_HEALTH = [
  '5/empty-key',
  '5/key-compared-whole',
  '5/key-only-in-header',
  '5/other-scheme',
];

/** The requirements that need a job with a known id. */
const JOBS = [
  '1/*',
  '2.1/*',
  '2.2/*',
  '2.3/*',
  '2.4/*',
  '3/*',
  '4.3/*',
  '4.4/*',
  '4.5/*',
  '4.6/*',
  '4.7/*',
  '6/*',
];

/** The roots, those with the most dependents first. */
export const PREREQUISITES: readonly Prerequisite[] = [
  { root: '5/bare-or-bearer', of: ['*'] },
  {
    root: '4/operation-run',
    of: [...JOBS, '2.5/*', '2.6/*', '4.2/*', '4.8/*', '7/*', '8/*', '5/unauthorized-*', '5/key-*', '*-run'],
  },
  {
    root: '1/json-body-run',
    of: [
      ...JOBS,
      '2.5/*',
      '2.6/*',
      '4.2/*',
      '4.8/*',
      '7/*',
      '8/*',
      '5/unauthorized-*',
      '5/missing-key-*',
      '4/operation-run',
      '*-run',
    ],
  },
  {
    root: '4/operation-status',
    of: [
      '1/*',
      '2.2/*',
      '2.3/*',
      '2.4/*',
      '3/*',
      '4.1/retention-*',
      '4.2/retention-*',
      '4.3/*',
      '4.4/*',
      '4.5/*',
      '4.6/*',
      '4.7/*',
      '5/unauthorized-*',
      '6/*',
      '7/ttl-*',
      '7/result-*',
      '7/status-ttl-not-integer',
      '*-status',
    ],
    except: SHOWN_BY_SUBMISSIONS,
  },
  {
    root: '1/json-body-status',
    of: [
      '1/*',
      '2.2/*',
      '2.3/*',
      '2.4/*',
      '3/*',
      '4.2/retention-*',
      '4.3/*',
      '4.6/*',
      '4/operation-status',
      '*-status',
    ],
    except: SHOWN_BY_SUBMISSIONS,
  },
  { root: '4/operation-runsync', of: ['4.1/*', '7/wait-not-integer', '*-runsync'] },
  { root: '1/json-body-runsync', of: ['4.1/*', '4/operation-runsync', '*-runsync'] },
  { root: '4/operation-purge-queue', of: ['2.6/*', '4.7/*', '8/*-purge-queue-*', '*-purge-queue'] },
  { root: '1/json-body-purge-queue', of: ['2.6/*', '4.7/*', '4/operation-purge-queue', '*-purge-queue'] },
  { root: '4/operation-health', of: ['2.7/*', '4.8/*', '*-health', ...KEYS_SHOWN_BY_HEALTH] },
  { root: '4/operation-stream', of: ['2.5/*', '4.4/*', '*-stream'] },
  { root: '4/operation-cancel', of: ['4.5/*', '3/cancel-*', '3/cancelled-*', '*-cancel'] },
  { root: '4/operation-retry', of: ['3/retry-*', '4.6/*', '*-retry'] },
  {
    root: '1/json-body-health',
    of: [
      '2.7/*',
      '4.8/*',
      '4/operation-health',
      '*-health',
      '5/empty-key',
      '5/key-*',
      '5/other-scheme',
      '7/unknown-endpoint-*',
    ],
  },
  { root: '1/json-body-stream', of: ['2.5/*', '4.4/*', '4/operation-stream', '*-stream'] },
  { root: '4.4/answer-is-array', of: ['2.5/*', '4.4/*', '4/operation-stream'] },
  { root: '1/json-body-cancel', of: ['4/operation-cancel', '*-cancel'] },
  { root: '1/json-body-retry', of: ['4/operation-retry', '*-retry'] },
];

/** Whether the id matches `of` and not `except`. A root never depends on itself. */
export function dependsOn(id: string, { root, of, except = [] }: Prerequisite): boolean {
  const isAmong = (patterns: readonly string[]): boolean => patterns.some((pattern) => matches(id, pattern));
  return id !== root && isAmong(of) && !isAmong(except);
}

function matches(id: string, pattern: string): boolean {
  const parts = pattern.split('*');
  if (parts.length === 1) return id === pattern;
  if (!id.startsWith(parts[0]!) || !id.endsWith(parts.at(-1)!)) return false;
  let at = 0;
  return parts.every((part) => {
    const found = id.indexOf(part, at);
    at = found + part.length;
    return found !== -1;
  });
}
