/**
 * `faults/` injects faults on demand, so that the author of a client can test it: by rules with a share of the
 * calls, or by a header of one request. The same seed and the same order of requests give the same faults.
 */
import { createRandom, type RandomStream } from '../../time/random.js';
import {
  faultText,
  FaultSyntaxError,
  parseEffects,
  parseRule,
  type Effect,
  type FaultRule,
  type Place,
} from './grammar.js';
import { FaultsOfTests, type TestEndpoints } from './test-faults.js';

/** A request names its fault in this header, or its test; an answer tells by it which fault was injected. */
export const FAULT_HEADER = 'x-runproof-fault';

/** A fault that is injected now. */
export interface Fault {
  /** Such as `+300ms,503`. */
  readonly text: string;
  readonly delayMs: number;
  readonly effect: Effect | null;
}

/** A fault that was injected. @public */
export interface InjectedFault {
  /** Grows by one with every fault. */
  readonly number: number;
  /** On the endpoint's clock. */
  readonly atMs: number;
  /** The operation of a call, `worker` or `webhook`. */
  readonly on: string;
  /** The job; null for calls. */
  readonly job: string | null;
  /** Such as `+300ms,503`. */
  readonly fault: string;
  /** The rule, several separated by blanks, or the id of a test; null where the request asked for it by its header. */
  readonly rule: string | null;
}

interface RuleState {
  readonly id: number;
  readonly text: string;
  readonly on: boolean;
  /** Calls, runs or webhook calls that it applied to while it was on. */
  readonly seen: number;
  /** How many of these got the fault. */
  readonly injected: number;
}

export interface Faults {
  readonly seed: number;
  /**
   * The fault of an API call, null for none; a text where the header is wrong.
   * @param asked the header of the request; it exempts the call from the rules, and so does a test that the call is of
   * @param endpoint that it names
   */
  ofCall(operation: string, asked: string | undefined, endpoint: string): Fault | string | null;
  readonly ofTests: FaultsOfTests;
  /** The fault of a run of a job. Not recorded before `record`: the job may end before the fault. */
  ofRun(): Fault | null;
  ofWebhook(): Fault | null;
  record(on: string, job: string | null, fault: Fault): void;
  rules(): readonly RuleState[];
  /** The id of the new rule. @throws FaultSyntaxError */
  add(text: string): number;
  /** Unknown ids are ignored, here and below. */
  remove(id: number): void;
  /** A rule that is off sees no calls and draws no random numbers. */
  turn(id: number, on: boolean): void;
  /** The last faults, the newest first. */
  recent(): readonly InjectedFault[];
}

interface ActiveRule {
  readonly id: number;
  readonly rule: FaultRule;
  readonly random: RandomStream;
  on: boolean;
  seen: number;
  /** When it saw the first one; null: none yet. */
  firstMs: number | null;
  injected: number;
}

const RECENT_MAX = 40;
const RULES_MAX = 50;
/** As the header of a request: it is exempt from the rules. */
const NO_FAULT = 'none';

/** @throws FaultSyntaxError */
export function createFaults(
  texts: readonly string[],
  seed: number,
  nowMs: () => number,
  onFault: (fault: InjectedFault) => void = () => {},
  endpoints: TestEndpoints = { put: () => {}, delete: () => {} },
): Faults {
  const ofTests = new FaultsOfTests(endpoints);
  const root = createRandom(seed);
  const active: ActiveRule[] = [];
  const recent: InjectedFault[] = [];
  /** The rules of each injected fault, until it is recorded. */
  const rulesOf = new WeakMap<Fault, string>();
  let lastId = 0;
  let lastNumber = 0;

  function add(text: string): number {
    if (active.length >= RULES_MAX)
      throw new FaultSyntaxError(`there are ${RULES_MAX} faults already: remove some`);
    const rule = parseRule(text);
    // The stream depends on the rule alone, so other rules do not change what this one does.
    const same = active.filter((other) => other.rule.text === rule.text).length;
    const random = root.fork(`fault ${rule.text}`).fork(String(same));
    active.push({ id: ++lastId, rule, random, on: true, seen: 0, firstMs: null, injected: 0 });
    return lastId;
  }

  function decide(place: Place, operation: string | null): Fault | null {
    const hits: FaultRule[] = [];
    let delayMs = 0;
    let effect: Effect | null = null;
    for (const each of active) {
      const { rule } = each;
      if (!each.on || rule.place !== place) continue;
      if (operation !== null && rule.operations?.has(operation) !== true) continue;
      each.seen++;
      if (!isHit(each, nowMs)) continue;
      each.injected++;
      hits.push(rule);
      const [min, max] = rule.delayMs;
      delayMs += max === 0 ? 0 : each.random.intBetween(min, max);
      effect ??= rule.effect;
    }
    return hits.length === 0 ? null : made(delayMs, effect, hits.map(({ text }) => text).join(' '));
  }

  function made(delayMs: number, effect: Effect | null, rules: string | null): Fault {
    const fault = { text: faultText(delayMs, effect), delayMs, effect };
    if (rules !== null) rulesOf.set(fault, rules);
    return fault;
  }

  function asRequested(asked: string, operation: string): Fault | string | null {
    if (asked.trim() === NO_FAULT) return null;
    try {
      if (ofTests.isNamedBy(asked)) return inTest(asked, operation);
      const { delayMs, effect } = parseEffects(asked, 'call');
      return made(delayMs[0], effect, null);
    } catch (error) {
      if (error instanceof FaultSyntaxError)
        return `${FAULT_HEADER}: ${error.message}; none exempts this request`;
      throw error;
    }
  }

  function inTest(id: string, operation: string): Fault | null {
    const found = ofTests.take(id, operation);
    return found === null ? null : made(found.delayMs[0], found.effect, id);
  }

  for (const text of texts) add(text);
  return {
    seed,
    ofCall(operation, asked, endpoint) {
      if (asked !== undefined) return asRequested(asked, operation);
      return ofTests.has(endpoint) ? inTest(endpoint, operation) : decide('call', operation);
    },
    ofTests,
    ofRun: () => decide('worker', null),
    ofWebhook: () => decide('webhook', null),
    record(on, job, fault) {
      const rule = rulesOf.get(fault) ?? null;
      const injected = { number: ++lastNumber, atMs: nowMs(), on, job, fault: fault.text, rule };
      recent.unshift(injected);
      if (recent.length > RECENT_MAX) recent.pop();
      onFault(injected);
    },
    rules: () =>
      active.map(({ id, rule, on, seen, injected }) => ({ id, text: rule.text, on, seen, injected })),
    add,
    remove(id) {
      const index = active.findIndex((each) => each.id === id);
      if (index >= 0) active.splice(index, 1);
    },
    turn(id, on) {
      const found = active.find((each) => each.id === id);
      if (found !== undefined) found.on = on;
    },
    recent: () => recent,
  };
}

function isHit(each: ActiveRule, nowMs: () => number): boolean {
  const { share } = each.rule;
  if (share.kind === 'numbers') return each.seen >= share.first && each.seen <= share.last;
  if (share.kind === 'chance') return share.perMille === 1000 || each.random.chance(share.perMille);
  each.firstMs ??= nowMs();
  return nowMs() - each.firstMs < share.forMs;
}
