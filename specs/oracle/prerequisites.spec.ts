import { describe, expect, it } from 'vitest';
import { afterPrerequisites } from '../../src/oracle/ledger/verdicts.js';
import type { RequirementFinding } from '../../src/oracle/ledger/findings.js';
import { MAIN_OPERATIONS, PREREQUISITES, REQUIREMENTS } from '../../src/spec/index.js';

const finding = (id: string, decided: number, failed: number): RequirementFinding => ({
  id,
  section: id.slice(0, id.indexOf('/')),
  level: 'must',
  text: '',
  decided,
  failed,
  verdict: failed > 0 ? 'fail' : decided > 0 ? 'pass' : 'not-exercised',
  reason: null,
  failures: [],
});
const verdicts = (...findings: readonly RequirementFinding[]): readonly string[] =>
  afterPrerequisites(findings).map(({ verdict, reason }) =>
    reason === null ? verdict : `${verdict} ${reason}`,
  );

describe('one cause', () => {
  it('is reported once: what depends on a requirement that always failed is inconclusive, unless it passed', () => {
    expect(
      verdicts(
        finding('4/operation-run', 7, 7),
        finding('2.1/input-missing-refused-run', 2, 2),
        finding('2.2/ttl-removes-running', 0, 0),
        finding('5/missing-key-health', 1, 0),
      ),
    ).toEqual([
      'fail',
      'inconclusive because 4/operation-run failed',
      'inconclusive because 4/operation-run failed',
      'pass',
    ]);
  });

  it('is a page that answers every call, with or without a key', () => {
    expect(verdicts(finding('1/json-body-run', 76, 76), finding('5/missing-key-status', 1, 1))).toEqual([
      'fail',
      'inconclusive because 1/json-body-run failed',
    ]);
  });

  it('hides nothing if it failed only sometimes', () => {
    expect(verdicts(finding('4/operation-run', 7, 6), finding('2.2/ttl-removes-running', 1, 1))).toEqual([
      'fail',
      'fail',
    ]);
  });

  it('is an operation without a route, of which nothing else can be right', () => {
    const missing = (op: string, ...ids: readonly string[]): readonly string[] =>
      verdicts(finding(`4/operation-${op}`, 1, 1), ...ids.map((id) => finding(id, 2, 2))).slice(1);
    for (const [op, ...ids] of [
      ['runsync', '7/wait-not-integer', '5/missing-key-runsync'],
      ['status', '7/status-ttl-not-integer', '2.4/delay-time-in-status'],
      ['health', '5/key-compared-whole', '5/empty-key', '7/unknown-endpoint-health'],
      ['cancel', '3/cancel-queued', '4.5/returns-at-once', '5/wrong-key-cancel'],
      ['retry', '4.6/keeps-input', '5/missing-key-retry'],
      ['stream', '4.4/chunks-not-lost', '5/wrong-key-stream'],
    ] as const)
      expect(missing(op, ...ids)).toEqual(ids.map(() => `inconclusive because 4/operation-${op} failed`));
  });

  it('does not take with it what other operations show', () => {
    const ids = ['2.4/delay-time-in-runsync', '2.4/output-in-runsync', '2.4/id-in-run'];
    expect(verdicts(finding('4/operation-status', 3, 3), ...ids.map((id) => finding(id, 9, 9)))).toEqual([
      'fail',
      ...ids.map(() => 'fail'),
    ]);
  });

  it('exists, and each root has dependent requirements', () => {
    for (const { root, dependents } of PREREQUISITES) {
      expect(dependents.size, root).toBeGreaterThan(0);
      expect(dependents.has(root), root).toBe(false);
    }
  });

  it('takes with it whatever is about the calls of a missing operation', () => {
    for (const op of MAIN_OPERATIONS) {
      const missed = PREREQUISITES.find(({ root }) => root === `4/operation-${op}`)!;
      const own = REQUIREMENTS.map(({ id }) => id).filter(
        (id) => id.endsWith(`-${op}`) && id !== missed.root,
      );
      expect(own.length).toBeGreaterThan(4);
      expect(own.filter((id) => !missed.dependents.has(id))).toEqual([]);
    }
  });
});
