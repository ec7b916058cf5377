/** What a language has to say so that a plan becomes a test in it. */
import type { Json } from '../../../history/events.js';
import { wholeText } from '../../../history/long-text.js';
import type { Value } from './expectation.js';
import { withoutRuns, type TestPlan, type TestStep, type Text } from './plan.js';

export interface About {
  readonly sentence: string;
  /** Comment lines. */
  readonly notes: readonly string[];
  /** Where the test looks unless the environment says otherwise. */
  readonly url: string;
  readonly control: Text;
  readonly key: string;
}

export interface Tongue {
  /** Why it cannot tell this plan; absent: it can tell all. */
  refuses?(plan: TestPlan): string | null;
  /** Everything before the first step. */
  head(plan: TestPlan, about: About, has: Has): readonly string[];
  step(step: TestStep, plan: TestPlan): readonly string[];
  check(plan: TestPlan): readonly string[];
  readonly foot: readonly string[];
}

/** How values are written where a literal of JSON is an expression. */
export interface Literals {
  text(pieces: Text): string;
  /** The name of a member. */
  member(name: string): string;
  readonly words: { readonly true: string; readonly false: string; readonly null: string };
}

/** Of which helpers a test has need. */
export interface Has {
  readonly later: boolean;
  readonly time: boolean;
  readonly hooks: boolean;
  readonly member: boolean;
  readonly answer: boolean;
  readonly type: boolean;
  readonly code: boolean;
}

export function hasOf({ steps, check: { subject }, hooks }: TestPlan): Has {
  const of = subject.of;
  return {
    later: steps.some((step) => step.do === 'call' && step.call.isLater),
    time: steps.some((step) => step.do === 'at'),
    hooks: hooks.size > 0,
    member: typeof of === 'object',
    answer: of === 'answer' || of === 'tally',
    type: of === 'type',
    code: of === 'code',
  };
}

/** The name of what the nth call returned. */
export const nameOf = (nth: number): string => `call${nth + 1}`;

/** The endpoints that the test makes, and removes. */
export const namesIn = ({ endpoint, hasSecond }: TestPlan): readonly string[] => [
  endpoint,
  ...(hasSecond ? [`${endpoint}-second`] : []),
];

/** The lines of the test. */
export function linesOf(tongue: Tongue, plan: TestPlan, about: About): readonly string[] {
  return [
    ...tongue.head(plan, about, hasOf(plan)),
    ...plan.steps.flatMap((step) => tongue.step(step, plan)),
    ...tongue.check(plan),
    ...tongue.foot,
  ];
}

function literal(value: Json, tongue: Literals): string {
  if (typeof value === 'string') return tongue.text(withoutRuns(wholeText(value) ?? value));
  if (value === null) return tongue.words.null;
  if (typeof value === 'boolean') return tongue.words[`${value}`];
  if (typeof value === 'number') return `${value}`;
  if (Array.isArray(value)) return `[${value.map((one) => literal(one as Json, tongue)).join(', ')}]`;
  const members = Object.entries(value as { readonly [name: string]: Json });
  if (members.length === 0) return '{}';
  return `{ ${members.map(([name, one]) => `${tongue.member(name)}: ${literal(one, tongue)}`).join(', ')} }`;
}

export const valueIn = (value: Value, tongue: Literals): string =>
  'idOf' in value ? tongue.text([{ idOf: value.idOf }]) : literal(value.json, tongue);
