/** One cause is told once: what depends on a requirement that failed throughout is not judged by the same calls again. */
import { PREREQUISITES, dependsOn, type RequirementId } from '../../spec/index.js';
import type { RequirementFinding } from './findings.js';

export function afterPrerequisites(findings: readonly RequirementFinding[]): readonly RequirementFinding[] {
  let result = findings;
  for (const prerequisite of PREREQUISITES) {
    const root = findings.find(({ id }) => id === prerequisite.root);
    if (root === undefined || root.verdict !== 'fail') continue;
    if (root.failed < root.decided) continue;
    result = result.map((finding) =>
      dependsOn(finding.id, prerequisite) ? because(finding, prerequisite.root) : finding,
    );
  }
  return result;
}

/** What was kept all the same stays kept; what could not be tested on this target at all stays so. */
function because(finding: RequirementFinding, root: RequirementId): RequirementFinding {
  const { verdict } = finding;
  if (verdict !== 'fail' && verdict !== 'not-exercised' && verdict !== 'inconclusive') return finding;
  if (finding.reason?.startsWith('because ') === true) return finding;
  return {
    ...finding,
    verdict: 'inconclusive',
    decided: 0,
    failed: 0,
    failures: [],
    reason: `because ${root} failed`,
  };
}
