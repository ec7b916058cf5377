/** Section 4: which operation a path names. */
import type { Operation } from '../../spec/types.js';
import type { Rules } from '../rules.js';
import type { Problem } from '../rules/http.js';

export interface Route {
  readonly endpoint: string;
  readonly op: Operation;
  /** Empty where the operation takes no job. */
  readonly job: string;
  readonly method: 'GET' | 'POST';
  /** Below `/openai/`. */
  readonly rest: string;
  /** `/status-sync` of edition `runpod`: `/status` that waits for the job's end. */
  readonly waits: boolean;
}

interface Shape {
  readonly op: Operation;
  readonly method: 'GET' | 'POST';
  readonly takesJob: boolean;
}

const SHAPES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['run', { op: 'run', method: 'POST', takesJob: false }],
  ['runsync', { op: 'runsync', method: 'POST', takesJob: false }],
  ['status', { op: 'status', method: 'GET', takesJob: true }],
  ['status-sync', { op: 'status', method: 'GET', takesJob: true }],
  ['stream', { op: 'stream', method: 'GET', takesJob: true }],
  ['cancel', { op: 'cancel', method: 'POST', takesJob: true }],
  ['retry', { op: 'retry', method: 'POST', takesJob: true }],
  ['purge-queue', { op: 'purge-queue', method: 'POST', takesJob: false }],
  ['health', { op: 'health', method: 'GET', takesJob: false }],
  ['requests', { op: 'requests', method: 'GET', takesJob: false }],
]);

/** The route, or why the path names nothing. */
export function routeOf(rules: Rules, path: string): Route | Problem {
  const parts = path.split('/');
  if (parts[0] !== '' || parts.length < 2) return 'no-such-path';
  if (!rules.versionServed(parts[1]!)) return 'no-such-version';
  if (parts.length < 4) return 'no-such-path';
  const endpoint = decoded(parts[2]!);
  const name = parts[3]!;
  if (endpoint === null || endpoint === '') return 'no-such-path';
  if (name === 'openai') {
    const rest = parts.slice(4).join('/');
    return rest === ''
      ? 'no-such-path'
      : { endpoint, op: 'openai', job: '', method: 'POST', rest, waits: false };
  }
  const shape = SHAPES.get(name);
  const waits = name === 'status-sync';
  if (shape === undefined || (waits && !rules.hasStatusSync())) return 'no-such-path';
  if (shape.takesJob && (parts.length === 4 || (parts.length === 5 && parts[4] === '')))
    return 'missing-job-id';
  if (parts.length !== (shape.takesJob ? 5 : 4)) return 'no-such-path';
  const job = shape.takesJob ? decoded(parts[4]!) : '';
  if (job === null) return 'no-such-path';
  return { endpoint, op: shape.op, job, method: shape.method, rest: '', waits };
}

function decoded(part: string): string | null {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
