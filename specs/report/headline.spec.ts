/** What a reader sees first of a failure: what the target does, in all cases; causes before what follows from them. */
import { describe, expect, it } from 'vitest';
import { renderFormat } from '../../src/report/formats/index.js';
import { FORMATS } from '../../src/report/formats/names.js';
import type { Report } from '../../src/report/index.js';
import { headlines } from '../../src/report/headline.js';
import { judge } from '../../src/oracle/index.js';
import { TraceBuilder } from '../oracle/support/trace-builder.js';
import { CONTEXT, madeUpReport } from './sample-report.js';

type Requirement = Report['requirements'][number];

const [FAILED] = madeUpReport().requirements;
const failing = (id: string, more: Partial<Requirement> = {}): Requirement => ({
  ...FAILED!,
  id,
  section: id.slice(0, id.indexOf('/')),
  text: `The sentence of ${id}.`,
  ...more,
});

const RUNNING = '2.2/ttl-removes-running';
const WEEK_MS = 7 * 86_400_000;

function headlineOf(one: Requirement, answer: string | null = null): string {
  const causes = [{ requirement: one.id, answer, sameAnswer: [], consequences: [] }];
  return headlines({ causes, requirements: [one] }).get(one.id)![0];
}

describe('a headline', () => {
  it('says of a missing operation that it is missing, and not which rule that breaks', () => {
    const one = failing('4/operation-runsync');
    const answer = '/runsync is missing: all 3 calls with a valid key were answered with 404';
    const causes = [{ requirement: one.id, answer, sameAnswer: [], consequences: [] }];
    const missing = [{ requirement: one.id, operation: 'runsync' as const, calls: 3, codes: [404] }];
    expect(headlines({ causes, missing, requirements: [one] }).get(one.id)).toEqual([answer]);
    expect(headlines({ causes, requirements: [one] }).get(one.id)![0]).toMatch(/^Rule: The sentence/);
  });

  const late = (failed: number, decided: number, after: string | null = null): string =>
    headlineOf(
      failing(RUNNING, {
        failed,
        decided,
        latest: {
          still: 'IN_PROGRESS',
          lateMs: WEEK_MS,
          text: 'still',
          timer: 'ttl',
          allowedMs: 2_000,
          after,
        },
      }),
    );

  it('says what happens in all cases, not by how little the smallest proof misses', () => {
    expect(late(27, 27)).toBe(
      'Running jobs are never deleted when their `ttl` ends (still IN_PROGRESS up to 7 d later, in 27 of 27 cases)',
    );
  });

  it('says never only of several cases, none of which was otherwise', () => {
    expect(late(1, 1)).toMatch(
      /^Running jobs are not deleted .*\(still IN_PROGRESS 7 d later, in 1 of 1 case\)$/u,
    );
    expect(late(3, 27)).toMatch(/^Running jobs are not always deleted /u);
    expect(late(27, 27, 'not found')).toMatch(
      /^Running jobs are not deleted .* 7 d later, then not found, /u,
    );
  });

  it('is otherwise the sentence, with the wrong answer', () => {
    const one = failing('5/missing-key-run', { failed: 3, decided: 3 });
    expect(headlineOf(one, 'answered 200 instead of 401')).toBe(
      'Rule: The sentence of 5/missing-key-run. Violated in 3 of 3 cases: answered 200 instead of 401',
    );
    expect(headlineOf({ ...one, level: 'should' })).toMatch(/^Advice: .* Not followed in 3 of 3 cases$/u);
    // A failure that no job outlived its time shows is none of lateness.
    expect(headlineOf(failing(RUNNING))).toMatch(/^Rule: .* Violated in /u);
  });

  it('takes the longest of all failures, those beyond the ones that are kept as well', () => {
    const trace = new TraceBuilder(30);
    for (let job = 0; job < 30; job += 1) {
      const name = `job ${job}`;
      trace.submitted(job, name, [{ hang: true }], { ttl: 10_000 }).seen(job + 500, name, 'IN_PROGRESS');
    }
    for (let job = 0; job < 30; job += 1) trace.seen(20_000 + 1_000 * job, `job ${job}`, 'IN_PROGRESS');
    const findings = judge(trace.history(60_000), { failuresMax: 2 });
    // A timer that is late by more than is allowed is the latest of its kind, too.
    expect(findings.lateness['ttl']!.maxMs).toBeGreaterThan(35_000);
    const found = findings.requirements.find(({ id }) => id === RUNNING)!;
    expect(found).toMatchObject({ failed: 30, latest: { still: 'IN_PROGRESS', after: null } });
    expect(found.failures).toHaveLength(2);
    expect(found.latest!.lateMs).toBeGreaterThan(35_000);
  });
});

describe('a format', () => {
  const ids = ['2.1/follows', '2.2/known', '3/cause', '4.1/advice', '4.2/same', '5/surest'];
  const report: Report = {
    ...madeUpReport(),
    requirements: ids.map((id) =>
      failing(id, {
        ...(id === '2.2/known' && { known: 'since 2020' }),
        ...(id === '4.1/advice' && { level: 'should' }),
      }),
    ),
    causes: [
      { requirement: '5/surest', answer: null, sameAnswer: [], consequences: [] },
      { requirement: '3/cause', answer: null, sameAnswer: ['4.2/same'], consequences: ['2.1/follows'] },
    ],
  };
  const READ = ['5/surest', '3/cause', '4.2/same', '2.1/follows', '2.2/known', '4.1/advice'];

  it.each(FORMATS.filter((format) => !['json', 'har', 'html', 'junit', 'sarif'].includes(format)))(
    '%s names causes first, then what follows from them, then what is known',
    (format) => {
      const { content } = renderFormat(format, report, CONTEXT);
      const places = READ.map((id) => [id, content.search(new RegExp(`[=\`" ]${id}[^,]`, 'u'))] as const);
      expect(places.toSorted(([, a], [, b]) => a - b).map(([id]) => id)).toEqual(READ);
    },
  );

  it('SARIF and JUnit do so, too', () => {
    const sarif = JSON.parse(renderFormat('sarif', report, CONTEXT).content) as {
      runs: { results: { ruleId: string; message: { text: string } }[] }[];
    };
    const results = sarif.runs[0]!.results;
    expect(results.map(({ ruleId }) => ruleId)).toEqual(READ);
    expect(results[3]!.message.text.split('\n')[1]).toBe('fails because of 3/cause');
    const names = [...renderFormat('junit', report, CONTEXT).content.matchAll(/ name="([^"§]+\/[^"]+)"/gu)];
    // By section, as suites are.
    expect(names.map(([, name]) => name).slice(0, 4)).toEqual(READ.slice(0, 4));
  });
});
