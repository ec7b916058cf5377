import fc from 'fast-check';
import type { Limits, PlanStep } from '../script.js';
import { json } from './json.js';
import { sleep } from './sleep.js';

/** A plan of the scripted worker: any instructions that end by themselves, short enough to be waited for. */
export function plan(limits: Limits): fc.Arbitrary<readonly PlanStep[]> {
  const before = fc.array(
    fc.oneof(
      sleep(limits).map((sleepMs): PlanStep => ({ sleepMs })),
      json().map((chunk): PlanStep => ({ stream: chunk })),
    ),
    { maxLength: 3 },
  );
  return fc.tuple(before, ending()).map(([steps, last]) => [...steps, last]);
}

function ending(): fc.Arbitrary<PlanStep> {
  return fc.oneof(
    { weight: 3, arbitrary: json().map((output): PlanStep => ({ return: output })) },
    { weight: 1, arbitrary: fc.constant<PlanStep>({ echo: true }) },
    { weight: 2, arbitrary: fc.string({ minLength: 1, maxLength: 20 }).map((fail): PlanStep => ({ fail })) },
  );
}
