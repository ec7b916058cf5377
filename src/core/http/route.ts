/** Section 4: from a path to an operation. */
import { isWaitingStatus, operationNamed } from '../../spec/operation-of.js';
import type { Operation } from '../../spec/types.js';
import type { Rules } from '../rules.js';
import type { Problem } from '../rules/http.js';

export interface Route {
  readonly endpoint: string;
  readonly op: Operation;
  /** Empty where the operation takes no job. */
  readonly job: string;
  readonly method: 'GET' | 'POST';
  /** The path below `/openai/`; empty for other operations. */
  readonly rest: string;
  /** True for `/status-sync` of edition `runpod`: `/status` that waits for the end of the job. */
  readonly waits: boolean;
}

/** The route, or why the path has none. */
export function routeOf(rules: Rules, path: string): Route | Problem {
  const parts = path.split('/');
  if (parts[0] !== '' || parts.length < 2) return 'no-such-path';
  if (!rules.versionServed(parts[1]!)) return 'no-such-version';
  if (parts.length < 4) return 'no-such-path';
  const endpoint = decoded(parts[2]!);
  const name = parts[3]!;
  if (endpoint === null || endpoint === '') return 'no-such-path';
  const operation = operationNamed(name, rules.hasStatusSync() ? 'runpod' : 'document');
  if (operation === null) return 'no-such-path';
  const { op, method } = operation;
  if (op === 'openai') {
    // Any path may follow it.
    const rest = parts.slice(4).join('/');
    return rest === '' ? 'no-such-path' : { endpoint, op, job: '', method, rest, waits: false };
  }
  if (operation.takesJob && (parts.length === 4 || (parts.length === 5 && parts[4] === '')))
    return 'missing-job-id';
  if (parts.length !== (operation.takesJob ? 5 : 4)) return 'no-such-path';
  const job = operation.takesJob ? decoded(parts[4]!) : '';
  if (job === null) return 'no-such-path';
  return { endpoint, op, job, method, rest: '', waits: isWaitingStatus(name) };
}

function decoded(part: string): string | null {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
