import fc from 'fast-check';
import type { Json } from '../../history/events.js';
import type { Limits } from '../script.js';
import { executionTimeout } from './execution-timeout.js';
import { ttl } from './ttl.js';

/** A valid `policy` with any of its three fields (section 2.2). */
export function policy(limits: Limits): fc.Arbitrary<{ readonly [field: string]: Json }> {
  return fc.record(
    { executionTimeout: executionTimeout(limits), ttl: ttl(limits), lowPriority: fc.boolean() },
    { requiredKeys: [], noNullPrototype: true },
  );
}
