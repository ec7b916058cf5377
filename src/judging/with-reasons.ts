/** Why requirements are open, as a run knows it. */
import { judge, type Findings } from '../oracle/index.js';
import type { ConcludeInput } from './concluder.js';

/** Findings that decide nothing, for a history that was not judged. */
export function unjudged({ events, judgeOptions }: ConcludeInput, reason: string): Findings {
  const none = judge(events.slice(0, 1), judgeOptions);
  const requirements = none.requirements.map((finding) =>
    finding.verdict === 'not-exercised' ? { ...finding, verdict: 'inconclusive' as const, reason } : finding,
  );
  return { ...none, requirements };
}

/** @param reasons by id: why a requirement was not exercised */
export function withReasons(findings: Findings, reasons: ReadonlyMap<string, string>): Findings {
  const requirements = findings.requirements.map((finding) => {
    const reason = finding.verdict === 'not-exercised' ? reasons.get(finding.id) : undefined;
    return reason === undefined ? finding : { ...finding, reason };
  });
  return { ...findings, requirements };
}
