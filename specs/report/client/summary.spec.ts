import { describe, expect, it } from 'vitest';
import type { ClientRule } from '../../../src/client/rule.js';
import { asksOn, exits, MIXED, polls, reportOf, result, submission, written } from './sample.js';

const WRONG_SUCCESS = 'it ended with exit code 0, although its job did not complete';
const unexpected = (text: string) => ({ kind: 'unexpected', text }) as const;
const headlineOf = (...results: Parameters<typeof reportOf>) => written(reportOf(...results)).verdict;
const violation = (text: string) => ({ calls: [2], text });

/** As if the rules of the samples did this harm. */
const HARMS: { readonly [rule: string]: Pick<ClientRule, 'harm'> } = {
  'client/poll-pause': { harm: 'money' },
  'client/stops-at-failed': { harm: 'endless' },
  'client/reads-all-chunks': { harm: 'wrong result' },
};

describe('the first line', () => {
  it('says what the violated rule is about, with the weather that is made for it', () => {
    expect(headlineOf([result('clear'), asksOn('worker-crashes', 3), asksOn('job-fails')])).toBe(
      'FAILED client/stops-at-failed under 2 of 3 conditions: it asked 17 times more after it had been told FAILED, until it was stopped (job-fails)',
    );
  });

  it('names what is done for ever before what is done once, in however many weathers', () => {
    const busy = { states: { pause: violation('it did not pause') } };
    expect(headlineOf([result('clear', busy), result('long-run', busy), asksOn('job-fails')])).toMatch(
      /^FAILED client\/stops-at-failed under 1 of 3 conditions: .* FAILED, until it was stopped \(job-fails\)$/,
    );
  });

  it('never names what follows from another violation in the same weather', () => {
    const both = { states: { chunks: violation('it left its job'), pause: violation('it gave up') } };
    const all = [result('clear', both), result('long-run', both), asksOn('job-fails')];
    const consequence = (one: (typeof all)[number]): (typeof all)[number] => ({
      ...one,
      verdicts: one.verdicts.map((verdict) =>
        verdict.rule.id === 'client/reads-all-chunks'
          ? { ...verdict, rule: { ...verdict.rule, isConsequence: true as const } }
          : verdict,
      ),
    });
    const ids = (results: typeof all): readonly string[] =>
      (written(reportOf(results)).causes ?? []).map(({ requirement }) => requirement);
    expect(ids(all.slice(0, 2))).toEqual(['client/poll-pause', 'client/reads-all-chunks']);
    expect(ids(all.map(consequence))).toEqual([
      'client/stops-at-failed',
      'client/poll-pause',
      'client/reads-all-chunks',
    ]);
    // Where nothing else is violated, it is the cause.
    const alone = result('long-run', { states: { chunks: violation('it left its job') } });
    expect(ids([consequence(alone)])).toEqual(['client/reads-all-chunks']);
  });

  it('begins with a client that does not work in clear weather, whatever else is violated', () => {
    const clear = result('clear', {
      end: exits(1),
      ending: unexpected('it ended with exit code 1'),
      states: { key: violation('it sent no key') },
    });
    expect(headlineOf([clear, asksOn('job-fails')])).toBe(
      'IT DOES NOT WORK: with nothing going wrong, it ended with exit code 1; client/key-in-header: it sent no key',
    );
  });

  it('does not say that a client that succeeds in clear weather does not work', () => {
    const clear = result('clear', { ending: unexpected('it ended with exit code 0 instead of exit code 3') });
    expect(headlineOf([clear])).toBe(
      'FAILED client/ending under 1 of 1 condition: it ended with exit code 0 instead of exit code 3 (clear)',
    );
  });

  it('names a must before a should that is violated in more weathers', () => {
    const keyless = result('long-run', { states: { key: violation('it sent no key') } });
    expect(headlineOf([asksOn('job-fails'), asksOn('worker-crashes'), keyless])).toMatch(
      /^FAILED client\/key-in-header under 1 of 3 conditions: it sent no key \(long-run\)$/,
    );
  });

  it('names of two shoulds the one that is violated in more weathers', () => {
    const busy = { states: { pause: violation('it did not pause') } };
    const once = result('job-fails', { states: { stops: violation('it asked once more') } });
    expect(headlineOf([once, result('clear', busy), result('long-run', busy)])).toMatch(
      /^FAILED client\/poll-pause under 2 of 3 conditions: it did not pause \(clear\)$/,
    );
  });

  it('names what costs most first: money, then a loop without end, then a wrong result, then a must', () => {
    const violating = (weather: string, name: string) =>
      result(weather, { states: { [name]: violation('x') } });
    const all = [
      violating('clear', 'key'),
      violating('long-run', 'key'),
      violating('read-half', 'chunks'),
      asksOn('job-fails'),
      violating('read-reset', 'pause'),
    ].map((one) => ({
      ...one,
      verdicts: one.verdicts.map((each) => ({ ...each, rule: { ...each.rule, ...HARMS[each.rule.id] } })),
    }));
    expect((written(reportOf(all)).causes ?? []).map(({ requirement }) => requirement)).toEqual([
      'client/poll-pause',
      'client/stops-at-failed',
      'client/reads-all-chunks',
      'client/key-in-header',
    ]);
  });

  it('names a success that is none before the way to it', () => {
    const wrong = result('key-revoked', { ending: unexpected(WRONG_SUCCESS) });
    expect(headlineOf([asksOn('job-fails'), asksOn('worker-crashes'), wrong])).toBe(
      `FAILED client/ending under 1 of 3 conditions: ${WRONG_SUCCESS} (key-revoked)`,
    );
  });

  it('does not count a failure with a success that is none', () => {
    const gaveUp = { end: exits(1), ending: unexpected('it ended with exit code 1, although …') };
    const wrong = result('key-revoked', { ending: unexpected(WRONG_SUCCESS) });
    const report = reportOf([wrong, result('read-half', gaveUp), result('read-reset', gaveUp)]);
    expect(written(report).verdict).toBe(
      `FAILED client/ending under 1 of 3 conditions: ${WRONG_SUCCESS} (key-revoked); ` +
        'under 2 of 3 conditions: it ended with exit code 1, although … (read-half)',
    );
  });

  it('shortens the ids of jobs', () => {
    const id = '514e28b7-36de-4503-9e96-ab0341f402a4';
    const left = result('clear', { states: { pause: violation(`it left job ${id}-u1 alone`) } });
    expect(headlineOf([left])).toContain('it left job 514e28b7… alone (clear)');
  });

  it('says how much was kept, and how much no weather has put to the test', () => {
    expect(headlineOf([result('clear'), result('long-run')])).toBe(
      'SURVIVED 2 conditions: 2 rules kept, 2 never put to the test',
    );
  });

  it('says that nothing was decided where nothing was', () => {
    const idle = result('clear', {
      states: { key: 'open', pause: 'open' },
      ending: { kind: 'not-judged', why: 'it was attached' },
    });
    const { verdict: headline, exitCode } = written(reportOf([idle]));
    expect([headline, exitCode]).toEqual([
      'NOTHING WAS DECIDED under 1 condition: no rule was put to the test',
      6,
    ]);
  });

  it('says that it was interrupted, unless there is worse to say', () => {
    const untried = { untried: ['job-fails', 'read-half'] };
    expect(headlineOf([result('clear')], untried)).toBe(
      'INTERRUPTED after 1 of 3 conditions: no violation so far',
    );
    expect(headlineOf([asksOn('job-fails')], untried)).toMatch(/^FAILED /);
    expect(written(reportOf([asksOn('job-fails')], untried)).exitCode).toBe(130);
  });
});

describe('a weather in which Runproof itself was wrong', () => {
  const wrong = { ...asksOn('job-fails'), selfCheck: ['4.3/x failed'] };

  it('accuses no client', () => {
    const { verdict: headline, exitCode, causes } = written(reportOf([result('clear'), wrong]));
    expect(headline).toBe('NOT JUDGED: Runproof itself was wrong under 1 of 2 conditions: please report it');
    expect([exitCode, causes]).toEqual([4, []]);
  });

  it('hides nothing that was found in others', () => {
    const { verdict: headline, exitCode } = written(reportOf([asksOn('worker-crashes'), wrong]));
    expect(headline).toMatch(/^FAILED client\/stops-at-failed under 1 of 2 conditions: /);
    expect(exitCode).toBe(1);
  });
});

describe('the exit code', () => {
  it('is 0 for a client that keeps all rules, and 1 for one that violates any', () => {
    expect(written(reportOf([result('clear')])).exitCode).toBe(0);
    expect(written(MIXED).exitCode).toBe(1);
    const ended = result('read-half', {
      calls: [submission, ...polls(1)],
      end: exits(1),
      ending: unexpected('it ended with exit code 1'),
    });
    expect(written(reportOf([ended])).exitCode).toBe(1);
  });
});
