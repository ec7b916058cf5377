import { describe, expect, it } from 'vitest';
import { parseScript, ScriptError } from '../../src/scenario/index.js';

const good = {
  schema: 'runproof-script/1',
  scenario: '2.2/x',
  title: 'x',
  seed: 1,
  needs: ['scripted-worker'],
  workers: 1,
  exclusive: false,
  expectedMs: 0,
  steps: [{ do: 'run', job: 'a', plan: [{ hang: true }], policy: 'anything' }],
};

const withStep = (step: unknown) => ({ ...good, steps: [good.steps[0], step] });

function problems(value: unknown): readonly string[] {
  try {
    parseScript(value);
    return [];
  } catch (error) {
    if (error instanceof ScriptError) return error.problems;
    throw error;
  }
}

describe('a saved script', () => {
  it('is read as it was written', () => {
    expect(parseScript(good)).toBe(good);
  });

  it.each([
    ['no object', [], ['the file should hold one object, not []']],
    [
      'a newer schema',
      { ...good, schema: 'runproof-script/2' },
      ['script: "schema" should be "runproof-script/1"'],
    ],
    [
      'a capability that does not exist',
      { ...good, needs: ['magic'] },
      ['script: "needs" should be a list whose element 0 is one of'],
    ],
    [
      'a field that is missing',
      { ...good, title: undefined, seed: 1.5 },
      ['script: "title" should be a string', '"seed" should be a whole number'],
    ],
    ['a step of an unknown kind', withStep({ do: 'walk' }), ['steps[1].do should be one of run, runsync']],
    ['a step that is none', withStep(7), ['steps[1] should be an object with "do", not 7']],
    [
      'a misspelt field',
      withStep({ do: 'run', job: 'a', pan: [] }),
      ['steps[1] (run): "pan" is not a field here; remove it'],
    ],
    ['a step without its job', withStep({ do: 'status' }), ['steps[1] (status): "job" is missing']],
    [
      'a plan with an unknown instruction',
      withStep({ do: 'run', job: 'a', plan: [{ dance: 1 }] }),
      ['"plan" should be a list whose element 0'],
    ],
    [
      'an instruction with two members',
      withStep({ do: 'run', job: 'a', plan: [{ hang: true, fail: 'x' }] }),
      ['"plan"'],
    ],
    ['a time that is none', withStep({ do: 'pause', at: { waitMs: -1 } }), ['"at" should be {"waitMs": N}']],
    [
      'polls without a pause',
      withStep({ do: 'await', job: 'a', until: ['GONE'], everyMs: 0, timeoutMs: 1 }),
      ['"everyMs" should be a whole number, 1 or more'],
    ],
  ])('with %s is refused, and the message says where and what', (_, value, fragments) => {
    const found = problems(value);
    expect(found).toHaveLength(fragments.length);
    for (const [i, fragment] of fragments.entries()) expect(found[i]).toContain(fragment);
  });
});
