/** Adds confirmed failures to the report. */
import type { Json } from '../../history/events.js';
import type { Failure } from '../../oracle/index.js';
import { packageVersion } from '../../package-files.js';
import { program } from '../../program-name.js';
import { jsonText } from '../../report/escape.js';
import { shortScript } from '../../report/calls/short-script.js';
import { failureFile, type FailureFile } from '../../report/failure-file.js';
import { replayCommand, type Report, type ReportFailure } from '../../report/index.js';
import type { Edition } from '../../spec/types.js';
import type { Concluded, RunToConclude } from '../../judging/conclude-run.js';
import { writeFailures } from '../../judging/replayed-scripts.js';
import type { ConfirmedFailure } from './confirmed-failures.js';

interface About {
  readonly run: RunToConclude;
  readonly edition: Edition;
  /** By id of a requirement: why none of its scripts was run again. */
  readonly notRunAgain?: ReadonlyMap<string, string>;
}

/**
 * Each confirmed failure is added to the first failure of its script and requirement, which comes first, with its steps: it is the
 * better example.
 */
export function withConfirmed(
  { report, findings, played }: Concluded,
  all: readonly ConfirmedFailure[],
  about: About,
): Report {
  const left = new Set(all);
  // Of an intermittent failure, a pass of none of its scripts proves that it is fixed.
  const rates = new Map(
    all.flatMap(({ requirement, ...one }) => {
      const { confirmed: rate } = rateOf(one);
      const { failures = [] } = findings.requirements.find(({ id }) => id === requirement) ?? {};
      return rate === undefined ? [] : failures.map(({ script }) => [script, rate] as const);
    }),
  );
  const tokens = rates.size === 0 ? null : writeFailures({ ...about.run, ...played }, findings, rates).tokens;
  const requirements = report.requirements.map((requirement, at) => {
    const failures = requirement.failures.map((given, nth): ReportFailure => {
      const failure = findings.requirements[at]!.failures[nth]!;
      const reported = withToken(given, tokens?.get(failure.script) ?? null, about);
      const confirmed = [...left].find(
        (one) => one.requirement === failure.requirement && one.number === failure.script,
      );
      const why = about.notRunAgain?.get(failure.requirement);
      if (confirmed === undefined) return why === undefined ? reported : { ...reported, notRunAgain: why };
      left.delete(confirmed);
      const steps = reported.steps ?? shortScript(played.events, failure.script, failure.calls);
      const told = steps && { steps: steps.map((step) => about.run.redactor.text(step)) };
      return withConfirmation({ ...reported, ...told }, confirmed, failure, report.target.name, about);
    });
    const rank = ({ confirmed }: ReportFailure): number => (confirmed === null ? 1 : 0);
    return { ...requirement, failures: failures.toSorted((a, b) => rank(a) - rank(b)) };
  });
  return { ...report, requirements };
}

const withToken = (
  reported: ReportFailure,
  token: string | null,
  { run: { replayArguments } }: About,
): ReportFailure => ({
  ...reported,
  replay: token === null ? reported.replay : replayCommand(program(), token, replayArguments),
});

/** Of an intermittent failure. */
const rateOf = ({
  failed,
  runs,
}: Pick<ConfirmedFailure, 'failed' | 'runs'>): Pick<FailureFile, 'confirmed'> =>
  failed < runs ? { confirmed: { failed, plays: runs } } : {};

function withConfirmation(
  reported: ReportFailure,
  confirmed: ConfirmedFailure,
  failure: Failure,
  target: string,
  about: About,
): ReportFailure {
  const { requirement, fault, failed, runs, script, stepsBefore } = confirmed;
  const counts = { steps: script.steps.length, of: stepsBefore, fault, failed, plays: runs };
  if (fault === null) return { ...reported, confirmed: { ...counts, script: null } };
  const { folder, redactor, tokenOf } = about.run;
  const name = `failures/${requirement.replace('/', '-')}-${confirmed.number}.small.json`;
  const shown = { runproof: packageVersion(), edition: about.edition, target, ...rateOf(confirmed) };
  const file = failureFile(shown, [failure], script as unknown as Json);
  folder?.write(name, redactor.text(`${jsonText(file, 2)}\n`));
  const text = JSON.stringify(script);
  const token =
    redactor.text(text) === text
      ? (tokenOf?.(script, [requirement], rateOf(confirmed).confirmed) ?? null)
      : null;
  return {
    ...withToken(reported, token, about),
    confirmed: { ...counts, script: folder === null ? null : name },
  };
}
