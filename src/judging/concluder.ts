/**
 * From a history to a report: judges it, shrinks failures, builds the report and renders it. It reads no
 * clock and writes no files, so that it can run in a thread (`conclude-thread.ts`) that may be ended at any
 * time.
 */
import type { HistoryEvent, RunEvent } from '../history/events.js';
import { whatCounts, WHOLE, type RunSelection } from '../history/selection.js';
import {
  judge,
  Judging,
  PartsJudge,
  shrinkFailures,
  type Findings,
  type JudgeOptions,
  type RequirementFinding,
  type ShrunkHistory,
} from '../oracle/index.js';
import type { RenderedFile } from '../report/formats/context.js';
import { renderFormat } from '../report/formats/index.js';
import {
  buildReport,
  createRedactor,
  type FormatName,
  type Reader,
  type Redactor,
  type Report,
  type ReportInput,
} from '../report/index.js';
import type { Script } from '../scenario/index.js';
import type { KnownTarget, Reproduced } from '../test-bed/reproduce.js';
import { Parts } from '../traffic/parts.js';
import { weighed, type Weighed } from './assumption-costs.js';
import type { PlayedScript } from './missed-musts.js';
import { renderContext } from './render-context.js';
import { withReasons } from './with-reasons.js';
import { COMPARED_MAX, scriptCosts, simplestFirst } from './simplest-first.js';

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

/** What is known of a run so far; plain data, with which another thread can go on. */
export interface Known {
  input: ConcludeInput;
  /** Redacted. */
  findings?: Findings;
  readonly shrunk: Shrunk[];
}

/** Before the first step, which judges. */
export const nothingKnown = (): Known => ({
  input: {
    events: [],
    judgeOptions: {},
    secrets: [],
    reasons: new Map(),
    asked: WHOLE,
    exercises: new Map(),
  },
  shrunk: [],
});

/** What the report needs besides the findings; plain data. */
export type BuildInput = Omit<ReportInput, 'findings' | 'history' | 'shrunk' | 'asked'>;

/**
 * Of a recording in parts, so many calls are judged again to find what assumptions cost: with a whole part, this took more than
 * judging several others.
 */
const WEIGHED_CALLS = 1_000;

/** A longer history is too long to read. */
const EVENTS_WRITTEN_MAX = 500;

export class Concluder {
  private readonly known: Known;
  private judged: Findings | null = null;
  /** Of recorded traffic in parts: their judge, and by the number of a script that failed, how much it takes to follow it. */
  private parts: PartsJudge | null = null;
  private costs: ReadonlyMap<number, number> = new Map();
  private heard: { readonly events: HistoryEvent[]; judging: Judging | null } | null = null;
  private cache: { readonly redactor: Redactor; history?: readonly HistoryEvent[] } | null = null;

  constructor(known = nothingKnown()) {
    this.known = known;
  }

  /** Further events of a run that goes on, which are judged at once. */
  hear(events: readonly HistoryEvent[], judgeOptions: JudgeOptions): void {
    const isFirst = this.heard === null;
    const heard = (this.heard ??= { events: [], judging: null });
    heard.events.push(...events);
    try {
      if (isFirst) heard.judging = new Judging(events[0], { ...judgeOptions, failuresMax: COMPARED_MAX });
      for (const event of isFirst ? events.slice(1) : events) heard.judging?.see(event);
    } catch {
      // Thrown again when the run is judged.
      heard.judging = null;
    }
  }

  /** As `judge`, of the events that were heard. */
  judgeHeard(input: Omit<ConcludeInput, 'events'>): Findings {
    const { events, judging } = this.heard!;
    return this.concluded({ ...input, events }, judging);
  }

  /** The oracle judges the real history; the findings returned are redacted. */
  judge(input: ConcludeInput): Findings {
    return this.concluded(input, null);
  }

  private concluded(input: ConcludeInput, judging: Judging | null): Findings {
    this.heard = null;
    const { events, judgeOptions, reasons, exercises } = input;
    const findings = judging?.findings() ?? judge(events, { ...judgeOptions, failuresMax: COMPARED_MAX });
    return this.know(
      input,
      withReasons(
        simplestFirst(findings, () => scriptCosts(events), exercises),
        reasons,
      ),
    );
  }

  private know(input: ConcludeInput, judged: Findings): Findings {
    this.known.input = input;
    this.known.shrunk.length = 0;
    this.cache = null;
    this.judged = judged;
    return (this.known.findings = this.redactor.value(judged));
  }

  /** The next part of recorded traffic: what it and those before it show together. */
  judgePart(input: ConcludeInput): Findings {
    const { events, judgeOptions, reasons, exercises } = input;
    this.parts ??= new PartsJudge(judgeOptions);
    this.parts.take(events);
    const findings = this.parts.conclude()!;
    const known = new Map([...this.costs, ...scriptCosts(events)]);
    const failing = findings.requirements.flatMap(({ failures }) => failures.map(({ script }) => script));
    const costs = new Map(failing.map((script) => [script, known.get(script) ?? 0]));
    this.costs = costs;
    return this.know(
      input,
      withReasons(
        simplestFirst(findings, () => costs, exercises),
        reasons,
      ),
    );
  }

  /** What is reported on: findings of several parts, `input` with the events that show something of them. */
  take(input: ConcludeInput, findings: Findings, shrunk: readonly Shrunk[]): void {
    this.known.input = input;
    this.known.findings = findings;
    this.known.shrunk.splice(0, Infinity, ...shrunk);
    this.cache = null;
  }

  /** Further scripts were run, which are judged together with the others. */
  judgeMore(events: readonly HistoryEvent[]): Findings {
    const { input } = this.known;
    return this.judge({ ...input, events: [...input.events, ...events] });
  }

  /** Adds why musts are open that the scripts played exercise. */
  async explain(played: readonly PlayedScript[]): Promise<Findings> {
    // Loads the simulator, which few runs need.
    const { openMusts } = await import('./missed-musts.js');
    const findings = this.known.findings!;
    const { musts, warning } = openMusts(this.known.input.events, findings, played);
    const requirements = findings.requirements.map((finding): RequirementFinding => {
      const open = musts.get(finding.id);
      return open === undefined ? finding : { ...finding, verdict: 'inconclusive', ...open };
    });
    const warnings = [...findings.warnings, ...(warning === null ? [] : [warning])];
    return (this.known.findings = { ...findings, requirements, warnings });
  }

  /** What the assumptions about recorded traffic cost; null: nothing weak is assumed, or another thread has judged. */
  weigh(isWhole: boolean): Weighed | null {
    if (this.judged === null) return null;
    const { events, judgeOptions, asked } = this.known.input;
    const some = this.parts === null ? events : beginningOf(events);
    const found = weighed(some, this.known.findings!, judgeOptions, asked, isWhole);
    if (found !== null) this.known.findings = found.findings;
    return found;
  }

  /**
   * Finds the smallest history of each failure. Returns how many were not shrunk because `stop` returned true.
   *
   * @param only of these requirements; null: of all
   */
  shrink(
    stop: () => boolean,
    onFound: (shrunk: Shrunk) => void = () => undefined,
    only: readonly string[] | null = null,
  ): number {
    const { judged } = this;
    if (judged === null) return 0;
    const { events: history, asked, judgeOptions } = this.known.input;
    const places = new Map(
      judged.requirements.flatMap(({ failures }, at) =>
        failures.map((failure, nth) => [failure, { at, nth }] as const),
      ),
    );
    const counted = new Set(
      judged.requirements.filter(whatCounts(asked, judged.requirements)).map(({ id }) => id),
    );
    return shrinkFailures(history, judged, judgeOptions, {
      wanted: ({ id }) => counted.has(id) && (only?.includes(id) ?? true),
      stop,
      onFound: (failure, found) => {
        const events = found.events.map((event) => this.redactor.event(event));
        const redacted = { ...found, events, failure: this.redactor.value(found.failure) };
        const shrunk = { ...places.get(failure)!, found: redacted, file: fileOf(redacted) };
        this.known.shrunk.push(shrunk);
        onFound(shrunk);
      },
    }).unshrunk;
  }

  build(input: BuildInput): Report {
    const { findings, shrunk } = this.known;
    return buildReport({
      ...input,
      findings: findings!,
      history: this.redacted(),
      shrunk: new Map(
        shrunk.map(({ at, nth, found, file }) => [
          findings!.requirements[at]!.failures[nth]!,
          { found, file },
        ]),
      ),
      asked: this.known.input.asked,
    });
  }

  /**
   * Every format of the report that is written to a file.
   *
   * @param reader for whom it is written
   */
  render(report: Report, formats: readonly FormatName[], reader: Reader): readonly RenderedFile[] {
    const context = renderContext(this.redacted(), reader);
    return formats.flatMap((format) => {
      if (format === 'terminal') return [];
      const { pages, ...first } = renderFormat(format, report, context);
      return [first, ...pages].map(({ file, content }) => ({ file, content: this.redactor.text(content) }));
    });
  }

  /** Looks for a failure of the target on the simulator. */
  async reproduce(
    script: Script,
    requirement: string,
    alike: readonly Script[],
    around: KnownTarget,
  ): Promise<Reproduced | null> {
    // Loads the simulator and its faults, which few runs need.
    const { reproduce } = await import('../test-bed/reproduce.js');
    return reproduce(script, requirement, alike, around);
  }

  private get redactor(): Redactor {
    return (this.cache ??= { redactor: createRedactor(this.known.input.secrets) }).redactor;
  }

  private redacted(): readonly HistoryEvent[] {
    const { redactor } = this;
    return (this.cache!.history ??= this.known.input.events.map((event) => redactor.event(event)));
  }
}

/** The scripts of a part that ended first, as a smaller part would have them. */
function beginningOf([run, ...rest]: readonly HistoryEvent[]): readonly HistoryEvent[] {
  const [first] = new Parts(run as RunEvent, WEIGHED_CALLS).of(rest);
  return first!;
}

function fileOf({ events, failure }: ShrunkHistory): string | null {
  if (events.length > EVENTS_WRITTEN_MAX) return null;
  const { requirement, script, calls } = failure;
  return `failures/${requirement.replace('/', '-')}-${script}-${calls.at(-1) ?? 0}.ndjson`;
}
