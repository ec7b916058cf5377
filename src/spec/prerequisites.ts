/**
 * Requirements on which the judgement of others depends. If a root failed in every decision, the requirements that depend
 * on it do not fail as well: they are inconclusive, because of the root.
 */
import type { RequirementId } from './requirements/index.js';

export interface Prerequisite {
  readonly root: RequirementId;
  /** Patterns of the ids that depend on it; `*` stands for any text. */
  readonly of: readonly string[];
}

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
      '*-status',
    ],
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
  },
  { root: '4/operation-runsync', of: ['4.1/*', '*-runsync'] },
  { root: '1/json-body-runsync', of: ['4.1/*', '4/operation-runsync', '*-runsync'] },
  { root: '4/operation-purge-queue', of: ['2.6/*', '4.7/*', '8/*-purge-queue-*', '*-purge-queue'] },
  { root: '1/json-body-purge-queue', of: ['2.6/*', '4.7/*', '4/operation-purge-queue', '*-purge-queue'] },
  { root: '4/operation-health', of: ['2.7/*', '4.8/*', '*-health'] },
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

/** Whether the id matches `of`. A root never depends on itself. */
export function dependsOn(id: string, { root, of }: Prerequisite): boolean {
  return id !== root && of.some((pattern) => matches(id, pattern));
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
