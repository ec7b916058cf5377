/** A slice of `npm run proofs -- variants` that turns from day to day; `VARIANTS_SEED=N` repeats one. */
import { describe, expect, test } from 'vitest';
import { checkTarget } from '../../src/checking/check-target.js';
import { rulesFor } from '../../src/core/rules.js';
import {
  isQuestionId,
  question,
  QUESTIONS,
  requirement,
  requirementsOf,
  REQUIREMENTS,
  type OpenQuestion,
  type Requirement,
  type RequirementId,
} from '../../src/spec/index.js';
import { named as shippedScenarios } from '../../scenarios/index.js';
import { simulatorTarget } from '../../src/target/simulator/simulator-target.js';
import { createRandom } from '../../src/time/random.js';
import { conformers, type Conformer } from './correct-endpoints.js';
import { judged, type Alarm, type Judgement } from './judge-variant.js';
import { canBeJudged } from './play-variant.js';

const DAY_MS = 86_400_000;
const seed = Number(process.env['VARIANTS_SEED'] ?? Math.floor(Date.now() / DAY_MS));
const all = conformers(seed, 40);
const random = createRandom(seed).fork('slice');

const some = (count: number, of: readonly Conformer[]): readonly Conformer[] =>
  random.shuffle(of).slice(0, count);
const wrong = (alarms: readonly Alarm[]): readonly Alarm[] =>
  alarms.filter(({ level }) => level === 'must' || level === 'should');

describe(`no correct endpoint fails, and no open question is reported as bad practice (VARIANTS_SEED=${seed})`, () => {
  test.each(
    some(
      3,
      all.filter((each) => canBeJudged(each, 'simulator')),
    ).map((each) => [each.name, each] as const),
  )(
    '%s, on the simulator',
    async (_, conformer) => {
      const { alarms, decided } = await judged(conformer, 'simulator', { seed, runs: 1 });
      expect(wrong(alarms)).toEqual([]);
      expect(decided).toBeGreaterThan(200);
    },
    120_000,
  );

  // Thousands of calls for one rate limit are for the long run.
  const light = shippedScenarios.filter(({ needs }) => !needs.includes('load-allowed'));
  const core = some(
    1,
    all.filter((each) => each.simulated !== null && canBeJudged(each, 'controlled')),
  );
  const foreign = some(
    1,
    all.filter((each) => each.simulated === null && canBeJudged(each, 'controlled')),
  );
  test.each([...core, ...foreign].map((each) => [each.name, each] as const))(
    '%s, over HTTP under test control',
    async (_, conformer) => {
      const scenarios = random.shuffle(light).slice(0, 40);
      const { alarms, decided } = await judged(conformer, 'controlled', { seed, runs: 1, scenarios });
      expect(wrong(alarms)).toEqual([]);
      expect(decided).toBeGreaterThan(50);
    },
    120_000,
  );
});

test.each(['refused', 'as-given', 'raised', 'ignored'])(
  'a ttl of no length given to /status: %s is legal, and told',
  async (reading) => {
    const rules = rulesFor({ '4.3/ttl-not-positive': reading as 'refused' }, 'document');
    const scenarios = shippedScenarios.filter(({ name }) => name === '4.3/ttl-of-no-length');
    const target = simulatorTarget({ seed: 1, rules, graceMs: 2_000 });
    const { findings } = await checkTarget(target, { seed: 1, runs: 3, scenarios });
    expect(findings.openQuestions.find(({ id }) => id === '4.3/ttl-not-positive')?.readings).toEqual([
      reading,
    ]);
    expect(findings.requirements.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  },
);

describe('advice', () => {
  const yielding = (REQUIREMENTS as readonly Requirement[]).filter(
    ({ waivedBy: yieldsTo }) => yieldsTo !== undefined,
  );

  test('yields to readings that exist, and only where it is advice', () => {
    expect(yielding.length).toBeGreaterThan(5);
    expect(yielding.filter(({ level }) => level === 'must')).toEqual([]);
    for (const reading of yielding.flatMap(({ waivedBy: yieldsTo = [] }) => yieldsTo)) {
      const [id, name] = reading.split('=') as [string, string];
      expect(isQuestionId(id) && question(id).readings.map((each) => each.id)).toContain(name);
    }
  });

  test('is a must in edition runpod where clients need the prefix `Bearer `', () => {
    expect(requirementsOf('runpod').find(({ id }) => id === '5/bearer-accepted')?.level).toBe('must');
  });

  const advice = (name: string, scenario: string): Promise<Judgement> => {
    const conformer = all.find((each) => each.name === name)!;
    const scenarios = shippedScenarios.filter((each) => each.name === scenario);
    const unexcused = { ...conformer, advised: new Set<string>() };
    return judged(unexcused, 'simulator', { seed: 1, runs: 1, scenarios });
  };

  test.each([
    [
      '4.6/wrong-state-answer-completed=success-without-effect',
      '4.6/refused-for-completed',
      '4.6/retry-of-a-completed-job',
    ],
  ])('against %s is not given', async (variant, requirement, scenario) => {
    const { alarms } = await advice(`document ${variant}`, scenario);
    expect(wrong(alarms).filter((alarm) => alarm.requirement === requirement)).toEqual([]);
  });

  test.each([
    ['2.2/fractional-milliseconds=rounded', '2.2/ttl-integer', '2.2/policy-of-the-wrong-type'],
    ['2.2/numeric-string=taken', '2.2/execution-timeout-integer', '2.2/policy-of-the-wrong-type'],
    [
      '2.2/execution-timeout-after-retry=remaining',
      '4.6/whole-execution-timeout',
      '2.2/execution-timeout-and-a-retry',
    ],
    ['2.4/delay-time-in-queue=absent', '2.4/times-in-every-state', '1/endpoints-do-not-share-queues'],
    ['2.4/execution-time-in-progress=null', '2.4/times-in-every-state', '4.3/ttl-of-six-seconds'],
    ['2.4/output-size-limit=dropped', '2.4/large-output-whole', '2.4/output-large'],
    ['2.4/output-size-limit=failed', '2.4/large-output-whole', '2.4/output-large'],
    ['4.3/ttl-below-min=refused', '4.3/ttl-of-the-example', '4.3/ttl-of-six-seconds'],
    ['4.3/ttl-below-min=raised', '4.3/ttl-of-the-example', '4.3/ttl-of-six-seconds'],
    ['4.3/ttl-below-min=ignored', '4.3/ttl-of-the-example', '4.3/ttl-of-six-seconds'],
  ])('against %s is given, and nothing worse', async (variant, requirement, scenario) => {
    const { alarms } = await advice(`document ${variant}`, scenario);
    const given = wrong(alarms).map((alarm) => [alarm.requirement, alarm.level]);
    expect(given).toContainEqual([requirement, 'should']);
    expect(given.filter(([, level]) => level === 'must')).toEqual([]);
  });

  test('is given against readings that name a `should` that it does not yield to, and never the first ones', () => {
    for (const { id, readings } of QUESTIONS as readonly OpenQuestion[]) {
      expect(readings[0]?.against, id).toBeUndefined();
      for (const reading of readings)
        for (const name of reading.against ?? []) {
          const named: Requirement = requirement(name as RequirementId);
          expect([named.level, named.waivedBy?.includes(`${id}=${reading.id}`) ?? false]).toEqual([
            'should',
            false,
          ]);
        }
    }
  });

  test('is given where the answer is none of the readings', async () => {
    const base = rulesFor({}, 'document');
    const target = simulatorTarget({
      seed: 1,
      rules: { ...base, retryOfOther: () => 'done' },
      graceMs: 2_000,
    });
    const scenarios = shippedScenarios.filter(({ name }) => name === '4.6/retry-of-a-completed-job');
    const { findings } = await checkTarget(target, { seed: 1, runs: 1, scenarios });
    const finding = findings.requirements.find(({ id }) => id === '4.6/refused-for-completed');
    expect(finding?.verdict).toBe('fail');
  });
});
