/** Adds confirmed failures to the report. */
import type { Json } from '../../history/events.js';
import type { Failure } from '../../oracle/index.js';
import { packageVersion } from '../../package-files.js';
import { program } from '../../program-name.js';
import { jsonText } from '../../report/escape.js';
import { failureFile } from '../../report/failure-file.js';
import { replayCommand, type Report, type ReportFailure } from '../../report/index.js';
import type { Edition } from '../../spec/types.js';
import type { Concluded, RunToConclude } from '../../judging/conclude-run.js';
import type { ConfirmedFailure } from './confirmed-failures.js';

type About = Pick<RunToConclude, 'folder' | 'redactor' | 'tokenOf' | 'replayArguments'> & {
  readonly edition: Edition;
};

/** Each confirmed failure is added to the first failure of its script and requirement. */
export function withConfirmed(
  { report, findings }: Concluded,
  all: readonly ConfirmedFailure[],
  about: About,
): Report {
  const left = new Set(all);
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
  const { folder, redactor, tokenOf, replayArguments } = about;
  const name = `failures/${requirement.replace('/', '-')}-${confirmed.number}.small.json`;
  const shown = { runproof: packageVersion(), edition: about.edition, target };
  const file = failureFile(shown, [failure], script as unknown as Json);
  folder?.write(name, redactor.text(`${jsonText(file, 2)}\n`));
  const text = JSON.stringify(script);
  const token = redactor.text(text) === text ? (tokenOf?.(script, [requirement]) ?? null) : null;
  return {
    ...reported,
    replay: token === null ? reported.replay : replayCommand(program(), token, replayArguments),
    confirmed: { ...counts, script: folder === null ? null : name },
  };
}
