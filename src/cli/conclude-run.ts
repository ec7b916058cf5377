/** From a history to its report: judge, write, print, and the exit code. */
import type { BasePath } from '../history/served-path.js';
import type { HistoryEvent, Json } from '../history/events.js';
import {
  judge,
  shrinkFailures,
  type Failure,
  type Findings,
  type JudgeOptions,
  type ShrunkHistory,
} from '../oracle/index.js';
import {
  buildReport,
  failureFiles,
  renderFormat,
  renderTerminal,
  sectionTitles,
  type Ending,
  type MinDecided,
  type ExitCode,
  type Redactor,
  type RenderContext,
  type Report,
  type ReportInput,
} from '../report/index.js';
import { jsonText } from '../report/escape.js';
import { QUESTIONS, REQUIREMENTS, type Dialect } from '../spec/index.js';
import type { Script } from '../scenario/index.js';
import type { BaselineFile } from './baseline-file.js';
import { wantsColour, type Io } from './io.js';
import { documentText, packageVersion } from '../package-files.js';
import type { ReportFolder } from './report-folder.js';
import type { FormatName, OutputSettings } from './settings.js';

export interface RunToConclude {
  readonly events: readonly HistoryEvent[];
  /** By their number in the history; empty where only the history is at hand. */
  readonly scripts: readonly Script[];
  readonly url: string | null;
  readonly basePath?: BasePath | null;
  readonly replayArguments: readonly string[];
  readonly at: string | null;
  readonly wallMs: number;
  /** What the plan said it would come to; null where no plan was made. */
  readonly foreseen?: { readonly calls: number; readonly wallMs: number } | null;
  readonly ending: Ending;
  readonly warnings: readonly string[];
  /** Why a requirement that nothing brought about was not decided; null: for no reason that the run knows. */
  readonly whyUndecided?: (id: string) => string | null;
  readonly judges: (id: string) => boolean;
  readonly judgeOptions: JudgeOptions;
  readonly minDecided: MinDecided;
  readonly baseline?: BaselineFile | null;
  /** The day it is, `YYYY-MM-DD`. */
  readonly today?: string;
  /** The target is held to this dialect. */
  readonly dialect?: Dialect | null;
  readonly redactor: Redactor;
  /** The word by which `replay` plays a script again. */
  readonly tokenOf?: (script: Script, requirements: readonly string[]) => string | null;
  /** Null: nothing is written. */
  readonly folder: ReportFolder | null;
}

export interface Concluded {
  readonly findings: Findings;
  readonly report: Report;
  /** The smallest histories of failures, by the failures of the report's findings. */
  readonly shrunk: ReadonlyMap<Failure, ShrunkHistory>;
}

export const FORMATS_DEFAULT: readonly FormatName[] = ['terminal', 'json', 'html'];

/** Judges the run and builds its report. Nothing is written or printed yet. */
export function concludeRun(run: RunToConclude): Concluded {
  const target = run.events[0]?.kind === 'run' ? run.events[0].target.name : 'unknown';
  // The oracle sees what was really said; from here on only redacted values are known.
  const judged = withReasons(judge(run.events, run.judgeOptions), run.whyUndecided);
  const findings = run.redactor.value(judged);
  const shrunk = redacted(run, judged, findings);
  const scripts = new Map(run.scripts.map((script, number) => [number, script as unknown as Json]));
  const files = failureFiles(findings, scripts, {
    runproof: packageVersion(),
    target: run.redactor.text(target),
  });
  const report = buildReport({
    findings,
    history: run.events.map((event) => run.redactor.event(event)),
    url: run.url,
    basePath: run.basePath ?? null,
    replayArguments: run.replayArguments,
    runproof: packageVersion(),
    at: run.at,
    wallMs: run.wallMs,
    foreseen: run.foreseen ?? null,
    ending: run.ending,
    minDecided: run.minDecided,
    ...baselineOf(run, findings),
    scriptFiles: new Map([...files].map(([number, { name }]) => [number, name])),
    replayTokens: tokensOf(run, files),
    shrunk: new Map([...shrunk].map(([failure, found]) => [failure, { found, file: written(run, found) }])),
    selected: run.judges,
    dialect: run.dialect ?? null,
    warnings: run.warnings,
  });
  for (const { name, file } of files.values()) {
    run.folder?.write(name, run.redactor.text(`${jsonText(file, 2)}\n`));
  }
  return { findings, report, shrunk };
}

function withReasons(findings: Findings, why: RunToConclude['whyUndecided']): Findings {
  if (why === undefined) return findings;
  const requirements = findings.requirements.map((finding) => {
    const reason = finding.verdict === 'not-exercised' ? why(finding.id) : null;
    return reason === null ? finding : { ...finding, reason };
  });
  return { ...findings, requirements };
}

/** The smallest histories of failures by the failures as they are told. */
function redacted(
  { events, judgeOptions, judges, redactor }: RunToConclude,
  judged: Findings,
  findings: Findings,
): ReadonlyMap<Failure, ShrunkHistory> {
  const found = shrinkFailures(events, judged, judgeOptions, judges);
  return new Map(
    judged.requirements.flatMap(({ failures }, at) =>
      failures.flatMap((failure, nth): [Failure, ShrunkHistory][] => {
        const shrunk = found.get(failure);
        if (shrunk === undefined) return [];
        const part = shrunk.events.map((event) => redactor.event(event));
        const told = { ...shrunk, events: part, failure: redactor.value(shrunk.failure) };
        return [[findings.requirements[at]!.failures[nth]!, told]];
      }),
    ),
  );
}

/** More is nothing to look at. */
const EVENTS_WRITTEN_MAX = 500;

function written({ folder }: RunToConclude, { events, failure }: ShrunkHistory): string | null {
  if (folder === null || events.length > EVENTS_WRITTEN_MAX) return null;
  const { requirement, script, calls } = failure;
  const slug = `${requirement.replace('/', '-')}-${script}-${calls.at(-1) ?? 0}`;
  const name = `failures/${slug}.ndjson`;
  folder.write(name, events.map((event) => `${jsonText(event)}\n`).join(''));
  return name;
}

function baselineOf(
  { baseline, today, judges, ending }: RunToConclude,
  findings: Findings,
): Pick<ReportInput, 'baseline'> {
  if (baseline === undefined || baseline === null || today === undefined) return {};
  // What a run that was cut short has seen is no ground to write a failure down as known.
  const entries =
    ending === 'interrupted' || ending === 'target-gone' || ending === 'control-failed'
      ? baseline.baseline
      : baseline.updated(findings, judges);
  return { baseline: { entries, today } };
}

/** None for a script that holds a secret, which nobody could find in a token to take it out again. */
function tokensOf(
  { scripts, redactor, tokenOf }: RunToConclude,
  files: ReturnType<typeof failureFiles>,
): ReadonlyMap<number, string> {
  const tokens = new Map<number, string>();
  for (const [number, { file }] of files) {
    const script = scripts[number];
    const text = JSON.stringify(script);
    if (script === undefined || redactor.text(text) !== text) continue;
    const requirements = file.failures.map(({ requirement }) => requirement);
    const token = tokenOf?.(script, requirements) ?? null;
    if (token !== null) tokens.set(number, token);
  }
  return tokens;
}

/** Writes every form of the report that goes to a file. */
export function writeReport(
  report: Report,
  run: Pick<RunToConclude, 'events' | 'redactor' | 'folder'>,
  formats: readonly FormatName[],
): void {
  if (run.folder === null) return;
  const context: RenderContext = {
    documentText: documentText(),
    requirements: REQUIREMENTS,
    questions: QUESTIONS,
    history: run.events.map((event) => run.redactor.event(event)),
  };
  for (const format of formats) {
    if (format === 'terminal') continue;
    const { file, content } = renderFormat(format, report, context);
    run.folder.write(file, run.redactor.text(content));
  }
  run.folder.flush();
}

/** Prints what a person wants to see. */
export function printReport(
  report: Report,
  { redactor, folder }: Pick<RunToConclude, 'redactor' | 'folder'>,
  output: OutputSettings,
  formats: readonly FormatName[],
  io: Io,
): ExitCode {
  if (output.quiet || !formats.includes('terminal')) {
    io.out(redactor.text(`${report.verdict}  (exit ${report.exitCode})\n`));
    return report.exitCode;
  }
  const text = renderTerminal(report, {
    colour: wantsColour(io, output.noColor),
    verbose: output.verbose,
    titles: sectionTitles(documentText()),
    quotes: new Map(REQUIREMENTS.map(({ id, quote }) => [id, quote])),
    directory: folder?.name ?? null,
  });
  io.out(redactor.text(text));
  if (folder !== null) {
    const page = formats.includes('html') ? '/report.html' : '';
    io.err(`report: ${folder.name}${page}\n`);
  }
  return report.exitCode;
}
