/**
 * The library's public face: everything that a program needs to check an implementation of the queue-based
 * endpoint job API, to write scenarios for it, and to run the endpoint itself inside a test.
 *
 * @example
 *     const result = await check('http://127.0.0.1:8080/v2/test', { apiKey: 'secret' });
 *     result.assertConforms(); // throws with the proof
 *
 * @packageDocumentation
 */
export { check, type CheckOptions } from './checking/check.js';
export { checkTarget, type CheckResult, type CheckTargetOptions } from './checking/check-target.js';
export type { CheckPhase } from './judging/conclude.js';
export { defineConfig, type Config } from './checking/config.js';
export { RunproofError, type ErrorCode } from './util/runproof-error.js';
export type { RunPlan } from './checking/plan/plan-run.js';
export type { PlannedTarget } from './checking/plan/plan-target.js';
export type { Baseline, Cause, FormatName, MinDecided, Report } from './report/index.js';

// Clients: what calls such an endpoint.
export {
  judgeClient,
  type ClientEnvironment,
  type ClientViolation,
  type JudgeClientOptions,
  type JudgedClient,
} from './features/client/index.js';

// Targets: what can be checked.
export type { HistorySink, RunOptions, RunProgress, RunSummary, Target } from './target/port.js';
export {
  httpTarget,
  type TargetError,
  type HttpTarget,
  type HttpTargetOptions,
  type TargetProblem,
} from './target/http/index.js';
export type { ConnectionOptions, Proxies } from './target/http/connection.js';
export {
  simulatorTarget,
  type SimulatorOptions,
  type SimulatorTarget,
} from './target/simulator/simulator-target.js';
export {
  fetchTarget,
  fromInject,
  fromNodeHandler,
  type FetchHandler,
  type FreshEndpoint,
  type FreshHandlers,
  type HandlerInstance,
  type HandlerTargetOptions,
  type InjectApp,
  type NodeHandler,
} from './target/handler/index.js';
export {
  runScriptedWorker,
  WorkerCrash,
  type ScriptedJob,
  type ScriptedRun,
} from './worker/run-scripted-worker.js';

// Scenarios and scripts: what is run.
export type { OwnDefinition, ScenarioDefinition, ScenarioFamily } from './scenario/scenario.js';
export {
  arb,
  assertWithinLimits,
  parseScript,
  scenario,
  scriptsOf,
  steps,
  type Arb,
  type Lack,
  type Limits,
  type NamedScenario,
  type Scenario,
  type Script,
  type Step,
  type StepTree,
  type Steps,
} from './scenario/index.js';
export type {
  AwaitStep,
  BurstStep,
  EndpointStep,
  JobRef,
  JobStep,
  Milestone,
  OpenaiStep,
  PauseStep,
  PlanStep,
  RawStep,
  SubmitStep,
  When,
  WorkersStep,
} from './scenario/script.js';
export { scriptArbitrary, type ScriptArbitraryOptions } from './explore/script-arbitrary.js';
export { drawPlan, type LeftOut, type Plan } from './schedule/draw-plan.js';
export { runScripts, type RunResult, type RunScriptsOptions } from './target/run-scripts.js';

// History and judgement: what happened, and what it means.
export type {
  AuthKind,
  Body,
  CallEvent,
  HarnessLag,
  HeldBack,
  HistoryEvent,
  Json,
  RunEvent,
  CleanupEvent,
  ScriptEndEvent,
  ScriptEvent,
  StorageEvent,
  WebhookEvent,
  WorkersEvent,
} from './history/events.js';
export type { Capture } from './history/capture.js';
export type { RunSelection } from './history/selection.js';
export { judge } from './oracle/index.js';
export type {
  Failure,
  Findings,
  JudgeOptions,
  MissingOperation,
  LatenessFinding,
  QuestionFinding,
  RequirementFinding,
  SeenTransition,
  Missed,
  OpenBecause,
  Verdict,
} from './oracle/index.js';
export type { Sharpness } from './oracle/observed/tolerance.js';
export type { Bound, Contradiction, Later } from './oracle/proof/contradiction.js';
export type { Hint } from './traffic/hints/hint.js';
export type { ReportedClient, ViolatedRule } from './report/client/seen.js';

// The document as data.
export { QUESTIONS, REQUIREMENTS } from './spec/index.js';
export type {
  Capability,
  Edition,
  JobStatus,
  Level,
  OpenQuestion,
  Operation,
  QuestionId,
  Reading,
  Requirement,
  RequirementId,
} from './spec/index.js';

// The endpoint itself.
export type { ControlledServer } from './server/start-server.js';
export {
  createApp,
  LOCAL_API_KEY,
  startServer,
  type App,
  type AppOptions,
  type HandlerContext,
  type HandlerFunction,
  type HandlerJob,
  type InjectedFault,
  type JobDetail,
  type JobSnapshot,
  type LoggedCall,
  type RunningServer,
  type ControlledOptions,
  type Scaler,
  type Scaling,
  type ServerOptions,
  type TestControls,
} from './server/index.js';
export type { FaultsByCall } from './server/faults/test-faults.js';
export type { LogEntry, LoggedWebhook } from './server/logged-call.js';
export type { SocketBindings } from './server/calls/read-json.js';
export type { WebhookReach } from './server/webhooks/webhook-reach.js';
