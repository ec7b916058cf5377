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
