/**
 * Section 4: which operation a method and a path are. Edition `runpod` has one name more, `/status-sync`, which is a `/status` that
 * waits, and answers POST on reads (spec/runpod.ts).
 */
import { ALL_OPERATIONS, METHOD_OF, type OperationSpec } from './operations.js';
import type { Edition, Operation } from './types.js';

const WAITING_STATUS = 'status-sync';
const READS: readonly Operation[] = ['status', 'stream'];
const BY_NAME: ReadonlyMap<string, OperationSpec> = new Map(ALL_OPERATIONS.map((each) => [each.op, each]));
const STATUS = BY_NAME.get('status')!;

/** What may stand in a path after the endpoint, in either edition. */
export const NAMES_IN_PATHS: readonly string[] = [...BY_NAME.keys(), WAITING_STATUS];

/** The operation that a segment of a path names, whatever the method; null: none. */
export function operationNamed(segment: string, edition: Edition): OperationSpec | null {
  return BY_NAME.get(segment) ?? (edition === 'runpod' && segment === WAITING_STATUS ? STATUS : null);
}

/** Whether a segment that names an operation asks it to wait for the end of the job. */
export const isWaitingStatus = (segment: string): boolean => segment === WAITING_STATUS;

/** Whether an operation is called with the method. */
export const isMethodOf = (op: Operation, method: string, edition: Edition): boolean =>
  method === METHOD_OF[op] || (edition === 'runpod' && method === 'POST' && READS.includes(op));

/** The last segment of a path that follows the name of an operation on a job, in either edition: the job's id, encoded. Null: none. */
export function jobSegmentIn(path: string): string | null {
  const pairs = [...path.matchAll(/\/([^/?]+)(?=\/([^/?]+))/g)];
  return pairs.findLast(([, name]) => operationNamed(name!, 'runpod')?.takesJob === true)?.[2] ?? null;
}

/** What an address says of a call. */
export interface Names {
  /** What stands before the operation: the origin, where the address has one, and a path. */
  readonly base: string;
  readonly operation: Operation;
  /** The job in the path, decoded; null for an operation without a job. */
  readonly job: string | null;
  /** False for an address with a slash too many, which a service may take for another one. */
  readonly isExact: boolean;
  /** Whether the method is the operation's, too. */
  readonly hasItsMethod: boolean;
}

/** All of several but the last, and the one at the end. */
const SLASHES_TOO_MANY = /\/(?=\/)|\/$/gu;

/**
 * What a path names, whatever stands before the operation; null: none.
 *
 * @param origin what stands before the path; it becomes a part of `base`
 */
export function namesIn(method: string, origin: string, pathname: string, edition: Edition): Names | null {
  const path = pathname.replaceAll(SLASHES_TOO_MANY, '');
  const lastAt = path.lastIndexOf('/');
  const last = path.slice(lastAt + 1);
  const beforeAt = path.lastIndexOf('/', lastAt - 1);
  const before = operationNamed(path.slice(beforeAt + 1, Math.max(0, lastAt)), edition);
  const takesJob = before?.takesJob === true;
  const named = takesJob ? before : operationNamed(last, edition);
  if (named === null || named.takesJob !== takesJob) return null;
  return {
    base: origin + path.slice(0, takesJob ? beforeAt : lastAt),
    operation: named.op,
    job: takesJob ? decodedSegment(last) : null,
    isExact: path === pathname,
    hasItsMethod: isMethodOf(named.op, method, edition),
  };
}

/** What a segment of a path says. */
export function decodedSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
