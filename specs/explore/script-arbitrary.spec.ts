import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scriptArbitrary } from '../../src/explore/script-arbitrary.js';
import { parseScript, type Script } from '../../src/scenario/index.js';
import { drawScripts, simulatorTestBed, ENVIRONMENT } from './test-bed.js';

const limits = simulatorTestBed().limitsIn(ENVIRONMENT);
const drawn = drawScripts(300);

describe('scripts drawn at random', () => {
  it('are the same for the same seed', () => {
    expect(drawScripts(20, 7)).toEqual(drawScripts(20, 7));
    expect(drawScripts(20, 7)).not.toEqual(drawScripts(20, 8));
  });

  it('are what a script file may hold', () => {
    for (const script of drawn) expect(parseScript(JSON.parse(JSON.stringify(script)))).toEqual(script);
  });

  it('are run to their end', () => {
    const ends = simulatorTestBed()
      .run(drawn.slice(0, 100), ENVIRONMENT)
      .filter((event) => event.kind === 'script-end');
    expect(ends).toHaveLength(100);
    expect(ends.filter(({ outcome }) => outcome !== 'played')).toEqual([]);
  });

  it('try something invalid about once in six steps', () => {
    const calls = simulatorTestBed()
      .run(drawn, ENVIRONMENT)
      .filter((event) => event.kind === 'call')
      // A burst is one step, and there to be refused in part.
      .filter(({ lane }) => !lane.includes('#'));
    const refused = calls.filter(({ reply }) => reply !== null && reply.status >= 400);
    expect(refused.length / calls.length).toBeGreaterThan(0.1);
    expect(refused.length / calls.length).toBeLessThan(0.4);
  });

  it('leave whole operations out', () => {
    const uses = (script: Script, op: string) => script.steps.some((step) => step.do === op);
    for (const op of ['cancel', 'retry', 'purge-queue', 'health', 'stream']) {
      const share = drawn.filter((script) => uses(script, op)).length / drawn.length;
      expect(share, op).toBeGreaterThan(0.05);
      expect(share, op).toBeLessThan(0.8);
    }
  });

  it('are shrunk by fast-check as well', () => {
    const cancels = fc.property(
      scriptArbitrary({ limits }),
      ({ steps }) => !steps.some((step) => step.do === 'cancel'),
    );
    const { failed, counterexample } = fc.check(cancels, { seed: 1 });
    expect(failed).toBe(true);
    expect(counterexample![0].steps).toEqual([{ do: 'cancel', job: expect.anything() }]);
  });
});
