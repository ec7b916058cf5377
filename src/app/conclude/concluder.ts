/**
 * From a history to a report: judges it, shrinks failures, builds the report and renders it. It reads no
 * clock and writes no files, so that it can run in a thread (`conclude-thread.ts`) that may be ended at any
 * time.
 */
import type { HistoryEvent } from '../../history/events.js';
import { whatCounts, type RunSelection } from '../../history/selection.js';
import {
  judge,
  shrinkFailures,
  type Findings,
  type JudgeOptions,
  type RequirementFinding,
  type ShrunkHistory,
} from '../../oracle/index.js';
import {
  buildReport,
  createRedactor,
  renderFormat,
  type FormatName,
  type Redactor,
  type Report,
  type ReportInput,
} from '../../report/index.js';
import type { openMusts, PlayedScript } from './missed-musts.js';
import { renderContext } from './render-context.js';
import { COMPARED_MAX, simplestFirst } from './simplest-first.js';

/** Plain data. */
export interface ConcludeInput {
  readonly events: readonly HistoryEvent[];
  readonly judgeOptions: JudgeOptions;
  /** Values that no output may contain. */
  readonly secrets: readonly string[];
  /** By id: why a requirement was not exercised, if the run knows a reason. */
  readonly reasons: ReadonlyMap<string, string>;
  /** The requirements that the run is asked about. */
  readonly asked: RunSelection;
  /** By scenario, the requirements that it is about, as far as that is known. */
  readonly exercises: ReadonlyMap<string, readonly string[]>;
}

/**
 * The smallest history of a failure, redacted. The failure is number `nth` of the requirement at index `at`.
 */
export interface Shrunk {
  readonly at: number;
  readonly nth: number;
  readonly found: ShrunkHistory;
  /** The file for it, relative to the report; null if it is too long to be useful. */
  readonly file: string | null;
}

/** What the report needs besides the findings; plain data. */
export type BuildInput = Omit<ReportInput, 'findings' | 'history' | 'shrunk' | 'asked'>;

export interface RenderedFile {
  readonly file: string;
  readonly content: string;
}

/** A longer history is too long to read. */
const EVENTS_WRITTEN_MAX = 500;

export class Concluder {
  private input: ConcludeInput;
  private readonly redactor: Redactor;
  private readonly shrunk: Shrunk[] = [];
  private judged: Findings | null = null;
  private findings: Findings | null = null;
  private history: readonly HistoryEvent[] | null = null;

  constructor(input: ConcludeInput) {
    this.input = input;
    this.redactor = createRedactor(input.secrets);
  }

  /** The oracle judges the real history; the findings returned are redacted. */
  judge(): Findings {
    const { events, judgeOptions, reasons, exercises } = this.input;
    const findings = judge(events, { ...judgeOptions, failuresMax: COMPARED_MAX });
    this.judged = withReasons(simplestFirst(findings, events, exercises), reasons);
    return this.take(this.redactor.value(this.judged));
  }

  /** Further scripts were run, which are judged together with the others. */
  add(events: readonly HistoryEvent[]): void {
    this.input = { ...this.input, events: [...this.input.events, ...events] };
    this.history = null;
  }

  /** Adds why musts are open that the scripts played exercise. `find` is `openMusts`, which few runs need to load. */
  explain(played: readonly PlayedScript[], find: typeof openMusts): Findings {
    const findings = this.findings!;
    const why = find(this.input.events, findings, played);
    const requirements = findings.requirements.map((finding): RequirementFinding => {
      const open = why.get(finding.id);
      return open === undefined ? finding : { ...finding, verdict: 'inconclusive', ...open };
    });
    return this.take({ ...findings, requirements });
  }

  /** Uses findings that the thread has made. */
  take(findings: Findings): Findings {
    this.findings = findings;
    return findings;
  }

  /** Findings that decide nothing, for a history that was not judged. */
  unjudged(reason: string): Findings {
    const { events, judgeOptions } = this.input;
    const none = judge(events.slice(0, 1), judgeOptions);
    const requirements = none.requirements.map((finding) =>
      finding.verdict === 'not-exercised'
        ? { ...finding, verdict: 'inconclusive' as const, reason }
        : finding,
    );
    return this.take({ ...none, requirements });
  }

  /**
   * Finds the smallest history of each failure and passes it to `onFound`. Returns how many failures were not
   * shrunk because `stop` returned true.
   */
  shrink(stop: () => boolean, onFound: (shrunk: Shrunk) => void): number {
    const { judged, input } = this;
    if (judged === null) return 0;
    const places = new Map(
      judged.requirements.flatMap(({ failures }, at) =>
        failures.map((failure, nth) => [failure, { at, nth }] as const),
      ),
    );
    const counted = new Set(
      judged.requirements.filter(whatCounts(input.asked, judged.requirements)).map(({ id }) => id),
    );
    return shrinkFailures(input.events, judged, input.judgeOptions, {
      wanted: (id) => counted.has(id),
      stop,
      onFound: (failure, found) => {
        const events = found.events.map((event) => this.redactor.event(event));
        const redacted = { ...found, events, failure: this.redactor.value(found.failure) };
        onFound(this.found({ ...places.get(failure)!, found: redacted, file: fileOf(redacted) }));
      },
    }).unshrunk;
  }

  /** Adds a smallest history, found here or in the thread. */
  found(shrunk: Shrunk): Shrunk {
    this.shrunk.push(shrunk);
    return shrunk;
  }

  build(input: BuildInput): Report {
    const findings = this.findings!;
    return buildReport({
      ...input,
      findings,
      history: this.redacted(),
      shrunk: new Map(
        this.shrunk.map(({ at, nth, found, file }) => [
          findings.requirements[at]!.failures[nth]!,
          { found, file },
        ]),
      ),
      asked: this.input.asked,
    });
  }

  /** Every format of the report that is written to a file. */
  render(report: Report, formats: readonly FormatName[]): readonly RenderedFile[] {
    const context = renderContext(this.redacted());
    return formats.flatMap((format) => {
      if (format === 'terminal') return [];
      const { file, content } = renderFormat(format, report, context);
      return [{ file, content: this.redactor.text(content) }];
    });
  }

  private redacted(): readonly HistoryEvent[] {
    return (this.history ??= this.input.events.map((event) => this.redactor.event(event)));
  }
}

function withReasons(findings: Findings, reasons: ReadonlyMap<string, string>): Findings {
  const requirements = findings.requirements.map((finding) => {
    const reason = finding.verdict === 'not-exercised' ? reasons.get(finding.id) : undefined;
    return reason === undefined ? finding : { ...finding, reason };
  });
  return { ...findings, requirements };
}

function fileOf({ events, failure }: ShrunkHistory): string | null {
  if (events.length > EVENTS_WRITTEN_MAX) return null;
  const { requirement, script, calls } = failure;
  return `failures/${requirement.replace('/', '-')}-${script}-${calls.at(-1) ?? 0}.ndjson`;
}
