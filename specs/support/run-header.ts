import type { RunEvent } from '../../src/history/events.js';

/** The first line of a history: of a run under test control, unless said otherwise. */
export const runHeader = (of: Partial<RunEvent> & Pick<RunEvent, 'target' | 'capabilities'>): RunEvent => ({
  kind: 'run',
  schema: 'runproof-history/1',
  runproof: '0',
  seed: 1,
  edition: 'document',
  clock: 'controlled',
  graceMs: 2_000,
  earlyMs: 0,
  ...of,
});
