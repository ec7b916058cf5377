import { randomBytes } from 'node:crypto';
import { isObject } from '../../util/json.js';
import { FaultSyntaxError, operationsIn, parseEffects, type Effects } from './grammar.js';

/**
 * For each operation, what happens to its first call, its second, and so on: effects as in a fault on demand, such as
 * `503`, `429:2s` or `+1s,lost-reply`, or `none`. A key is one operation, such as `status`. @public
 */
export interface FaultsByCall {
  readonly [operation: string]: readonly string[];
}

/** The faults of one test. @public */
export interface TestFaults {
  /** The id of an endpoint of their own, and a value of the header `x-runproof-fault`: by either a call is of this test. */
  readonly id: string;
  /** Those that no call has met yet. A test that leaves any has not tested what it says. */
  readonly pending: FaultsByCall;
}

/** Makes and removes the endpoints that calls of a test may name. */
export interface TestEndpoints {
  put(id: string): void;
  delete(id: string): void;
}

interface Step {
  readonly text: string;
  /** Null: the call gets no fault. */
  readonly effects: Effects | null;
}

const PREFIX = 'faults-';
const NO_FAULT = 'none';
/** More are a mistake: tests that never remove theirs, or a list that a program made. */
const TESTS_MAX = 1_000;
const STEPS_MAX = 100;

/** The faults that tests have asked for, each by its own id. */
export class FaultsOfTests {
  /** What is left for each operation. */
  readonly #left = new Map<string, Map<string, Step[]>>();
  readonly #endpoints: TestEndpoints;

  constructor(endpoints: TestEndpoints) {
    this.#endpoints = endpoints;
  }

  /** @param given `FaultsByCall`, not checked yet @throws FaultSyntaxError */
  add(given: unknown): TestFaults {
    if (this.#left.size >= TESTS_MAX)
      throw new FaultSyntaxError(`there are faults for ${TESTS_MAX} tests already: remove some`);
    const steps = stepsIn(given);
    // An id of an earlier test, or of a server that has ended, must not name these.
    const id = PREFIX + randomBytes(6).toString('hex');
    this.#left.set(id, steps);
    this.#endpoints.put(id);
    return this.get(id)!;
  }

  /** Whether calls that name this as their endpoint are of a test. */
  has(id: string): boolean {
    return this.#left.has(id);
  }

  /** The same of a header that a call has. @throws FaultSyntaxError if it can only mean a test, which is not there */
  isNamedBy(header: string): boolean {
    if (!header.startsWith(PREFIX) || this.#left.has(header)) return this.#left.has(header);
    throw new FaultSyntaxError(`no test has the faults ${JSON.stringify(header)}, or no longer`);
  }

  get(id: string): TestFaults | null {
    const left = this.#left.get(id);
    if (left === undefined) return null;
    const pending = [...left].filter(([, steps]) => steps.length > 0);
    return {
      id,
      pending: Object.fromEntries(pending.map(([op, steps]) => [op, steps.map(({ text }) => text)])),
    };
  }

  all(): readonly TestFaults[] {
    return [...this.#left.keys()].map((id) => this.get(id)!);
  }

  /** What happens to the next call; null: nothing. */
  take(id: string, operation: string): Effects | null {
    return this.#left.get(id)?.get(operation)?.shift()?.effects ?? null;
  }

  /** Also removes their endpoint. False: there are none. */
  remove(id: string): boolean {
    if (!this.#left.delete(id)) return false;
    this.#endpoints.delete(id);
    return true;
  }
}

function stepsIn(given: unknown): Map<string, Step[]> {
  if (!isObject(given) || Object.keys(given).length === 0)
    throw new FaultSyntaxError('the faults of a test are an object such as {"status": ["503", "429:2s"]}');
  return new Map(
    Object.entries(given).map(([op, effects]) => {
      if (operationsIn(op).size !== 1)
        throw new FaultSyntaxError(`${JSON.stringify(op)} is several operations; give each its own list`);
      if (!Array.isArray(effects) || effects.length > STEPS_MAX)
        throw new FaultSyntaxError(
          `${op} has a list of at most ${STEPS_MAX} faults, such as ["503", "none"]`,
        );
      return [op, effects.map((effect) => stepOf(String(effect).trim()))];
    }),
  );
}

const stepOf = (text: string): Step => ({
  text,
  effects: text === NO_FAULT ? null : parseEffects(text, 'call'),
});
