/** Of which faults the suite may say nothing, and why: no must fails, and none is left open unexplained. */
import { rowsOf, type BreaksList } from './list.js';

/**
 * The middle column is one of these words.
 *
 * - `unobservable`: no caller can tell the fault from a conformant endpoint.
 * - `elsewhere`: it shows, but not with the whole suite under test control; the reason says where.
 * - `unreached`: a must forbids it, and no shipped scenario comes so far. Such a row is a wish for a scenario.
 */
export const SILENT: BreaksList = {
  file: 'proof/breaks/silent.ts',
  rows: rowsOf(`
rate-runsync-unlimited | unobservable | at most 400 calls at a time that each wait a second are 4000 in ten: two windows may share them
rate-openai-unlimited | unobservable | where a worker runs, nobody knows how far it raises the limit
low-priority-wakes-workers low-priority-by-default | elsewhere | test control fixes the number of workers: the simulator, whose workers scale, shows it
`),
};
