/** Adds confirmed failures to the report. */
import type { Json } from '../../history/events.js';
import type { Failure } from '../../oracle/index.js';
import { packageVersion } from '../../package-files.js';
import { program } from '../../program-name.js';
import { jsonText } from '../../report/escape.js';
import { failureFile, type FailureFile } from '../../report/failure-file.js';
import { replayCommand, type Report, type ReportFailure } from '../../report/index.js';
import type { Edition } from '../../spec/types.js';
import type { Concluded, RunToConclude } from '../../judging/conclude-run.js';
import { writeFailures } from '../../judging/replayed-scripts.js';
import type { ConfirmedFailure } from './confirmed-failures.js';

interface About {
  readonly run: RunToConclude;
  readonly edition: Edition;
  /** Of scripts whose files say how often they fail, by their number. */
  readonly tokens: ReadonlyMap<number, string>;
}

/** Each confirmed failure is added to the first failure of its script and requirement. */
export function withConfirmed(
  { report, findings, played }: Concluded,
  all: readonly ConfirmedFailure[],
  { run, edition }: Pick<About, 'run' | 'edition'>,
): Report {
  const left = new Set(all);
  const rates = all.flatMap((one) => {
    const { confirmed: rate } = rateOf(one);
    return one.fault === null && rate !== undefined ? [[one.number, rate] as const] : [];
  });
  const tokens =
    rates.length === 0
      ? new Map<number, string>()
      : writeFailures({ ...run, ...played }, findings, new Map(rates)).tokens;
  const about = { run, edition, tokens };
  const requirements = report.requirements.map((requirement, at) => ({
    ...requirement,
    failures: requirement.failures.map((reported, nth): ReportFailure => {
      const failure = findings.requirements[at]!.failures[nth]!;
      const confirmed = [...left].find(
        (one) => one.requirement === failure.requirement && one.number === failure.script,
      );
      if (confirmed === undefined) return reported;
      left.delete(confirmed);
      return withConfirmation(reported, confirmed, failure, report.target.name, about);
    }),
  }));
  return { ...report, requirements };
}

/** Of an intermittent failure. */
const rateOf = ({ failed, runs }: ConfirmedFailure): Pick<FailureFile, 'confirmed'> =>
  failed < runs ? { confirmed: { failed, plays: runs } } : {};

function withConfirmation(
  reported: ReportFailure,
  confirmed: ConfirmedFailure,
  failure: Failure,
  target: string,
  { run: { folder, redactor, tokenOf, replayArguments }, edition, tokens }: About,
): ReportFailure {
  const { requirement, fault, failed, runs, script, stepsBefore } = confirmed;
  const counts = { steps: script.steps.length, of: stepsBefore, fault, failed, plays: runs };
  const replayed = (token: string | null): string | null =>
    token === null ? reported.replay : replayCommand(program(), token, replayArguments);
  if (fault === null) {
    const replay = replayed(tokens.get(confirmed.number) ?? null);
    return { ...reported, replay, confirmed: { ...counts, script: null } };
  }
  const name = `failures/${requirement.replace('/', '-')}-${confirmed.number}.small.json`;
  const shown = { runproof: packageVersion(), edition, target, ...rateOf(confirmed) };
  const file = failureFile(shown, [failure], script as unknown as Json);
  folder?.write(name, redactor.text(`${jsonText(file, 2)}\n`));
  const text = JSON.stringify(script);
  const token =
    redactor.text(text) === text
      ? (tokenOf?.(script, [requirement], rateOf(confirmed).confirmed) ?? null)
      : null;
  return {
    ...reported,
    replay: replayed(token),
    confirmed: { ...counts, script: folder === null ? null : name },
  };
}
