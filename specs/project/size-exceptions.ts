/** Files that may have more than 300 lines: a path or a folder, and the reason. */
export const ROOMY: readonly { readonly path: string; readonly reason: string }[] = [
  { path: 'src/target/http/test-control-driver.ts', reason: 'one driver: each step of the clock in turn' },
  { path: 'src/target/simulator/script-run.ts', reason: 'one run: each kind of call in turn' },
  { path: 'src/spec/', reason: 'data: one entry per sentence of the document, read from top to bottom' },
  { path: 'src/mutants/', reason: 'data: one small fault after the other, by the sections of the document' },
  { path: 'scenarios/index.ts', reason: 'data: one line per shipped scenario' },
  { path: 'specs/naive/faults/table.ts', reason: 'data: one row per wrong that the naive server can do' },
  { path: 'specs/naive/legal-variants.ts', reason: 'data: one variant after the other, each a few lines' },
  { path: 'specs/naive/naive.waits.spec.ts', reason: 'one story per operation' },
  {
    path: 'specs/oracle/lifecycle-boundaries.spec.ts',
    reason: 'data: one history per bound of the life-cycle',
  },
  {
    path: 'specs/spec/excluded.ts',
    reason: 'data: one entry per sentence of the document that requires nothing',
  },
  { path: 'specs/mutants/exercise.ts', reason: 'data: one exercise per fault' },
  { path: 'specs/runner/script-runner.spec.ts', reason: 'one story per step of a script' },
  { path: 'specs/server/page-browser.long.spec.ts', reason: 'one story per thing that the page does' },
  { path: 'specs/server/control-contract.ts', reason: 'one story per rule of the contract of test control' },
  {
    path: 'src/oracle/model/lifecycle.ts',
    reason: 'data: the timers of a job as one table, beside the document',
  },
  { path: 'src/explore/step-generator.ts', reason: 'one move of a client after the other, each a few lines' },
  { path: 'src/oracle/model/operations.ts', reason: 'one operation after the other, each a few lines' },
  { path: 'src/target/session/script-session.ts', reason: 'one session: its calls, its jobs, its events' },
  {
    path: 'specs/target-http/controlled-time.long.spec.ts',
    reason: 'one story per thing that a clock may do',
  },
  { path: 'src/runner/script-runner.ts', reason: 'one state machine: a case per step of a script' },
  { path: 'src/sim/engine.ts', reason: 'one event queue: a case per kind of event' },
];
