import type { ClientReport } from '../../client/report.js';
import { MASK } from '../redact.js';

/** Keys that `runproof client` gives to clients, whatever stands around them. */
const KEY = /rp_[0-9a-f]{16,}/gi;

/** The same report without the keys that its clients were given: a client may print them, or send them anywhere. */
export const withoutKeys = (report: ClientReport): ClientReport => masked(report);

function masked<T>(value: T): T {
  if (typeof value === 'string') return value.replace(KEY, MASK) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(masked) as T;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name.replace(KEY, MASK), masked(member)]),
  ) as T;
}
