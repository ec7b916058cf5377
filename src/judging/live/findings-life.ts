/** What has failed, since when, and whether it still does. */

/** `new`: it failed for the first time; `ongoing`: again; `resolved`: it passed for an hour; `regressed`: it fails after that. */
type LifeState = 'new' | 'ongoing' | 'resolved' | 'regressed';

export interface Finding {
  readonly requirement: string;
  readonly level: string;
  readonly text: string;
  state: LifeState;
  /** ms since 1970. */
  readonly firstMs: number;
  lastMs: number;
  /** Jobs and calls that failed it. */
  times: number;
  /** What was required and what was seen, of the last one. */
  expected: string;
  actual: string;
  proof: readonly string[];
  /** The id of the job of the last one; null: its calls are on none. Absent in state files of before. */
  job?: string | null;
}

/** A failure as it was seen. */
export type Failed = Pick<
  Finding,
  'requirement' | 'level' | 'text' | 'expected' | 'actual' | 'proof' | 'job'
>;

/** So long nothing failed, and something was decided: it is taken for fixed. */
const RESOLVED_AFTER_MS = 3_600_000;

export class FindingsLife {
  readonly #findings = new Map<string, Finding>();

  constructor(earlier: readonly Finding[] = []) {
    for (const finding of earlier) this.#findings.set(finding.requirement, { ...finding });
  }

  get all(): readonly Finding[] {
    return [...this.#findings.values()];
  }

  /** The finding if it is new or regressed: the others are known. */
  failed(failure: Failed, nowMs: number): Finding | null {
    const known = this.#findings.get(failure.requirement);
    if (known === undefined) {
      const finding: Finding = { ...failure, state: 'new', firstMs: nowMs, lastMs: nowMs, times: 1 };
      this.#findings.set(failure.requirement, finding);
      return finding;
    }
    const isBack = known.state === 'resolved';
    Object.assign(known, failure, { state: isBack ? 'regressed' : 'ongoing', lastMs: nowMs });
    known.times += 1;
    return isBack ? known : null;
  }

  /** The findings that are resolved by this. */
  passed(requirement: string, nowMs: number): Finding | null {
    const known = this.#findings.get(requirement);
    if (known === undefined || known.state === 'resolved') return null;
    if (nowMs - known.lastMs < RESOLVED_AFTER_MS) return null;
    known.state = 'resolved';
    return known;
  }
}
