import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProgress } from '../../src/cli/progress.js';
import { fitted, roughly } from '../../src/cli/progress-line.js';
import type { RunProgress } from '../../src/target/port.js';
import { createFakeIo } from './fake-io.js';

describe('a line of progress', () => {
  const parts = ['26/34 scripts', '10 s', 'about 40 s left', '2.2/ttl-removes-whatever-became-of-it'];

  it.each([1, 5, 20, 36, 40, 80, 200])('fits a terminal of %i columns', (columns) => {
    const line = fitted(0.5, parts, columns);
    expect(line.length).toBeLessThanOrEqual(Math.max(1, columns - 1));
  });

  it('says the most important first, and has a bar where there is room', () => {
    expect(fitted(0.5, parts, 20)).toBe('26/34 scripts  10 …');
    expect(fitted(0.5, parts, 40)).toBe('████░░░░░ 26/34 scripts  10 s  about 4…');
    expect(fitted(0.5, parts, 200)).toBe(`${'█'.repeat(12)}${'░'.repeat(12)} ${parts.join('  ')}`);
    expect(fitted(null, ['judging', '2 s'], 80)).toBe('judging  2 s');
  });

  it.each([
    [4_000, 'a few seconds'],
    [38_000, 'about 40 s'],
    [170_000, 'about 3 min'],
    [80 * 60_000, 'about 1 h 20 min'],
    [119 * 60_000, 'about 2 h'],
  ])('calls %i ms %s', (ms, text) => expect(roughly(ms)).toBe(text));
});

describe('progress', () => {
  let nowMs = 0;
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
  afterEach(() => void vi.useRealTimers());
  const after = (ms: number): void => {
    nowMs += ms;
    vi.advanceTimersByTime(ms);
  };
  const at = (ended: number): RunProgress => ({
    ...{ kind: 'script-started', script: ended, scenario: `2.2/no-${ended}`, ended, total: 10 },
  });
  const fakeIo = (more = {}) => createFakeIo({ monotonicMs: () => nowMs, ...more });

  it('in a log is a dot every second, and a line every twentieth, with the time left as the pace tells', () => {
    const io = fakeIo();
    const progress = createProgress('auto', null, io);
    progress.onProgress(at(2));
    after(1_000);
    expect(io.complained()).toBe('.');
    after(19_000);
    const dots = '.'.repeat(19);
    const told = `${dots} playing 2/10 scripts after 20 s, about 80 s left, running: 2.2/no-2\n`;
    expect(io.complained()).toBe(told);
    progress.onPhase('judging', null);
    after(10_000);
    progress.onPhase('shrinking', 410);
    after(10_000);
    const judged = `${dots} shrinking for 10 s, 410 required rules decided\n`;
    expect(io.complained()).toBe(told + judged);
    after(2_000);
    progress.print('a line');
    expect(io.complained()).toBe(`${told + judged}..\na line\n`);
    progress.stop();
    expect(io.complained()).toBe(`${told + judged}..\na line\n`);
  });

  it('in a log says how much of the work is done where scripts run side by side, which tells no pace', () => {
    const io = fakeIo();
    const endsMs = Array.from({ length: 10 }, (_, nth) => (nth === 0 ? 55 : 55 + 5 * nth));
    const progress = createProgress('plain', { wallMs: null, endsMs }, io);
    for (const script of [0, 1, 2]) progress.onProgress({ ...at(0), script });
    progress.onProgress({ ...at(1), kind: 'script-ended', script: 0 });
    after(20_000);
    expect(io.complained()).toContain(' playing 1/10 scripts after 20 s, about 55 % done, running: ');
    progress.stop();
  });

  it('in a log ends the line of its dots', () => {
    const io = fakeIo();
    const progress = createProgress('plain', null, io, 'planning');
    after(3_000);
    progress.stop();
    progress.stop();
    expect(io.complained()).toBe('...\n');
  });

  it('names what the estimate leaves, and nothing when that has passed', () => {
    const io = fakeIo({ errIsTerminal: true, columns: 200 });
    const progress = createProgress('auto', { wallMs: 60_000, endsMs: [60_000] }, io);
    progress.onProgress(at(9));
    after(30_000);
    expect(io.complained()).toMatch(/9\/10 scripts {2}30 s {2}about 30 s left {2}2\.2\/no-9$/);
    progress.onProgress({ ...at(9), kind: 'script-ended', ended: 10 });
    after(40_000);
    expect(io.complained()).toMatch(/10\/10 scripts {2}1 min 10 s$/);
    progress.stop();
  });

  it('leaves more where scripts have taken longer than was estimated', () => {
    const io = fakeIo({ errIsTerminal: true, columns: 200 });
    const progress = createProgress('auto', { wallMs: 20_000, endsMs: [10_000, 20_000] }, io);
    progress.onProgress(at(0));
    after(30_000);
    progress.onProgress({ ...at(0), kind: 'script-ended', ended: 1 });
    after(500);
    expect(io.complained()).toMatch(/ {2}30\.5 s {2}about 30 s left$/);
    progress.stop();
  });

  it('on a terminal makes room for a line, and leaves nothing behind', () => {
    const io = fakeIo({ errIsTerminal: true });
    const progress = createProgress('auto', null, io);
    progress.onPhase('confirming', 7);
    progress.print('a line');
    expect(io.complained()).toMatch(/confirming {2}0 ms {2}7 required rules decided\r\u001b\[Ka line\n$/);
    progress.stop();
    expect(io.complained()).toMatch(/\n\r\u001b\[K$/);
  });
});
