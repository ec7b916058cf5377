/**
 * `server/` promises the core over HTTP: real or controlled time, handlers, webhooks, test control. It carries
 * requests and answers and never decides what the service answers.
 */
export type { Scaler, Scaling } from '../core/workers/scaling-settings.js';
export type { JobDetail } from '../core/job-detail.js';
export type { JobSnapshot } from '../core/saved/snapshot.js';
export type { InjectedFault } from './faults/faults.js';
export type { LoggedCall } from './logged-call.js';
export { createApp, type App } from './app.js';
export type { HandlerContext, HandlerFunction, HandlerJob } from './handlers/handler-api.js';
export { LOCAL_API_KEY, OptionsError, type AppOptions, type ServerOptions } from './options.js';
export { workerEnvironment } from './pull/environment.js';
export type { TestControls } from './clock/test-controls.js';
export { startServer, type ControlledOptions, type RunningServer } from './start-server.js';
