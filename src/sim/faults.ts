import type { RandomStream } from '../time/random.js';
import { segmentAt } from '../util/path.js';

/** What happens to a call on the network. */
export type FaultAction =
  | { readonly do: 'pass' }
  /** Added to the latency. */
  | { readonly do: 'delay'; readonly requestMs?: number; readonly replyMs?: number }
  /**
   * The request never reaches the service. The client sees a reset connection, or waits until its own
   * timeout.
   */
  | { readonly do: 'drop-request'; readonly seen: 'reset' | 'timeout' }
  /** The service handles the request, but its reply is lost. */
  | { readonly do: 'drop-reply'; readonly seen: 'reset' | 'timeout' }
  /** The client disconnects `afterMs` after sending. */
  | { readonly do: 'hang-up'; readonly afterMs: number };

/**
 * One rule of an ordered list. The first rule that matches a call decides; a call without a match passes. A
 * rule matches when all its members do.
 */
export interface FaultRule {
  /** The path segment after the endpoint: `run`, `status`, …, or any other name. */
  readonly op?: string;
  /** Only the n-th call (from 1) that matches `op`. */
  readonly nth?: number;
  /** Probability in thousandths, from 0 to 1000. */
  readonly perMille?: number;
  readonly action: FaultAction;
}

const PASS: FaultAction = { do: 'pass' };

/** The rules, each with the number of calls that it has matched. */
export class FaultRules {
  private readonly rules: readonly FaultRule[];
  private readonly matchCounts: number[];

  constructor(rules: readonly FaultRule[]) {
    this.rules = rules;
    this.matchCounts = rules.map(() => 0);
  }

  /** Resets the counts. */
  restart(): void {
    this.matchCounts.fill(0);
  }

  decide(op: string, random: RandomStream): FaultAction {
    for (const [index, rule] of this.rules.entries()) {
      if (rule.op !== undefined && rule.op !== op) continue;
      this.matchCounts[index]! += 1;
      if (rule.nth !== undefined && rule.nth !== this.matchCounts[index]) continue;
      if (rule.perMille !== undefined && !random.chance(rule.perMille)) continue;
      return rule.action;
    }
    return PASS;
  }
}

/** The operation named by a path, whether or not the path is valid. */
export function opOfPath(path: string): string {
  return segmentAt(path, 3);
}
