import type { RandomStream } from '../time/random.js';

/** What happens to a call on its way. */
export type FaultAction =
  | { readonly do: 'pass' }
  /** Longer on the way, on top of the latency. */
  | { readonly do: 'delay'; readonly requestMs?: number; readonly replyMs?: number }
  /** The service never hears of it. The client sees the connection reset, or waits until its own timeout. */
  | { readonly do: 'drop-request'; readonly seen: 'reset' | 'timeout' }
  /** The service has done it, and the client never hears. */
  | { readonly do: 'drop-reply'; readonly seen: 'reset' | 'timeout' }
  /** The client goes away so long after sending. */
  | { readonly do: 'hang-up'; readonly afterMs: number };

/**
 * One rule of an ordered list; the first that fits a call decides, and without any the call passes.
 * All members given have to fit.
 */
export interface FaultRule {
  /** First segment below the endpoint: `run`, `status`, …; also names no operation has. */
  readonly op?: string;
  /** Only the n-th call (from 1) that reaches this rule and fits the rest of it. */
  readonly nth?: number;
  /** In so many of a thousand cases. */
  readonly perMille?: number;
  readonly action: FaultAction;
}

const PASS: FaultAction = { do: 'pass' };

/** The rules with the count of the calls each has met. */
export class FaultRules {
  private readonly rules: readonly FaultRule[];
  private readonly met: number[];

  constructor(rules: readonly FaultRule[]) {
    this.rules = rules;
    this.met = rules.map(() => 0);
  }

  /** Counts start again. */
  restart(): void {
    this.met.fill(0);
  }

  decide(op: string, random: RandomStream): FaultAction {
    for (const [index, rule] of this.rules.entries()) {
      if (rule.op !== undefined && rule.op !== op) continue;
      this.met[index]! += 1;
      if (rule.nth !== undefined && rule.nth !== this.met[index]) continue;
      if (rule.perMille !== undefined && !random.chance(rule.perMille)) continue;
      return rule.action;
    }
    return PASS;
  }
}

/** The operation's name in a path, for rules only: whether the path is any good is the service's business. */
export function opOfPath(path: string): string {
  return path.split('/', 4)[3] ?? '';
}
