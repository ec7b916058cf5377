/** One run as the page shows it, while it runs and once it has been judged. */
import type { CheckResult } from '../../../checking/check-target.js';
import { expectedRun, type RunPlan } from '../../../checking/plan/plan-run.js';
import type { CheckPhase } from '../../../judging/conclude.js';
import { causesIn } from '../../../report/causes.js';
import { isUnasked, markOf, type Mark } from '../../../report/formatting.js';
import { causeAnchor } from '../../../report/html/failure-list.js';
import { createRedactor, type Redactor, type Report } from '../../../report/index.js';
import type { RunProgress } from '../../../target/port.js';
import type { Io } from '../../../cli/io.js';
import { Course } from '../../../cli/progress.js';
import type { Onlooker } from '../check-display.js';
import { planLines, reasonOf } from '../describe-plan.js';
import type { Row } from './rows.js';

/** What the last run that concerned it found about a row. */
export interface Told {
  readonly mark: Mark;
  /** Where the report shows it: a fragment; null for what did not fail. */
  readonly anchor: string | null;
  /** Why the target cannot run it; absent: it ran. */
  readonly why?: string;
}

type Rules = ReadonlyMap<string, Told>;

/** How a row stands while it is played. */
export type Stage = 'waiting' | 'running' | 'played';

export class Run implements Onlooker {
  course: Course;
  /** In words; empty before it is known. */
  plan: readonly string[] = [];
  readonly messages: string[] = [];
  /** The number of its report; null before it is there. */
  report: number | null = null;
  result: Pick<CheckResult, 'findings' | 'report' | 'folder'> | null = null;
  readonly #nowMs: Io['monotonicMs'];
  /** Scripts that have not ended, by scenario. */
  readonly #left = new Map<string, number>();
  readonly #leftOut = new Map<string, string>();
  #redactor: Redactor = createRedactor([]);

  constructor({ monotonicMs }: Pick<Io, 'monotonicMs'>) {
    this.#nowMs = monotonicMs;
    this.course = new Course(null, 'planning', monotonicMs);
  }

  onOpened(redactor: Redactor): void {
    this.#redactor = redactor;
  }

  onPlan(plan: RunPlan): void {
    const { text } = this.#redactor;
    this.plan = planLines(plan).map(text);
    for (const one of plan.leftOut) this.#leftOut.set(one.scenario, text(reasonOf(one)));
    this.course = new Course(expectedRun(plan), null, this.#nowMs);
    for (const { scenario } of plan.scripts) this.#count(scenario, 1);
  }

  onProgress(progress: RunProgress): void {
    this.course.played(progress);
    if (progress.kind === 'script-ended') this.#count(progress.scenario, -1);
  }

  onPhase(phase: CheckPhase, decided: number | null): void {
    this.course.begin(phase, decided);
  }

  onMessage(line: string): void {
    this.messages.push(this.#redactor.text(line));
  }

  onResult({ findings, report, folder }: CheckResult): void {
    this.result = { findings, report: this.#redactor.value(report), folder };
  }

  /** The scenarios of the scripts that run, each once. */
  get running(): readonly string[] {
    return [...new Set(this.course.state().running)].map(this.#redactor.text);
  }

  #count(scenario: string, by: number): void {
    this.#left.set(scenario, (this.#left.get(scenario) ?? 0) + by);
  }

  /** Null: the run does not concern it. */
  stageOf({ scenarios }: Row): Stage | null {
    const planned = scenarios.filter((one) => this.#left.has(one));
    if (planned.length === 0) return null;
    const { running } = this.course.state();
    if (planned.some((one) => running.includes(one))) return 'running';
    return planned.some((one) => this.#left.get(one)! > 0) ? 'waiting' : 'played';
  }

  /** What it found about the rows that it concerns, by selector, and rules without a row that failed; nothing before it is judged. */
  found(rows: readonly Row[]): readonly (readonly [selector: string, told: Told])[] {
    if (this.result === null) return [];
    const { report, findings } = this.result;
    const anchors = anchorsOf(report);
    const rules: Rules = new Map(
      report.requirements
        .filter((one) => !isUnasked(one) && one.verdict !== 'not-exercised')
        .map((one) => [one.id, { mark: markOf(one), anchor: anchors.get(one.id) ?? null }]),
    );
    const failedIn: Rules = new Map(
      findings.requirements.flatMap(({ id, failures }) => {
        const told = rules.get(id);
        return told?.mark === 'fail' ? failures.map(({ scenario }) => [scenario, told] as const) : [];
      }),
    );
    const outside = [...rules].filter(
      ([id, { mark }]) => mark === 'fail' && rows.every(({ selector }) => selector !== id),
    );
    const inside = rows.flatMap((row) => {
      const isScenario = row.kind === 'scenarios';
      const told = isScenario ? this.#ofScenario(row, rules, failedIn) : this.#ofRule(row, rules);
      return told === null ? [] : [[row.selector, told] as const];
    });
    return [...inside, ...outside];
  }

  #ofScenario({ name, rules: exercised }: Row, rules: Rules, failedIn: Rules): Told | null {
    const [left, why] = [this.#left.get(name), this.#leftOut.get(name)];
    if (left === undefined) return why === undefined ? null : { mark: 'untestable', anchor: null, why };
    const isDecided = exercised.some((id) => ['pass', 'fail', 'known'].includes(rules.get(id)?.mark ?? ''));
    const mark = left === 0 && isDecided ? 'pass' : 'inconclusive';
    return failedIn.get(name) ?? { mark, anchor: null };
  }

  /** What stays open says something only about a rule that scenarios of the run exercise. */
  #ofRule({ name, scenarios }: Row, rules: Rules): Told | null {
    const told = rules.get(name) ?? null;
    const isClosed = told?.mark === 'pass' || (told !== null && told.anchor !== null);
    return isClosed || scenarios.some((one) => this.#left.has(one)) ? told : null;
  }
}

/** Where the report shows each failure. */
export function anchorsOf(report: Report): ReadonlyMap<string, string> {
  const ofCauses = causesIn(report).flatMap(({ requirement, sameAnswer, consequences }) => {
    const anchor = causeAnchor(requirement);
    return [
      [requirement, anchor] as const,
      ...sameAnswer.map((id) => [id, `${anchor}-same`] as const),
      ...consequences.map((id) => [id, `${anchor}-because`] as const),
    ];
  });
  const others = report.requirements
    .map((row) => [row.id, `${markOf(row)}-failures`] as const)
    .filter(([, anchor]) => anchor.startsWith('known') || anchor.startsWith('advice'));
  return new Map([...others, ...ofCauses]);
}
