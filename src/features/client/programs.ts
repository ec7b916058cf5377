/** The kinds of clients that can be judged, and how each is started and ended. */
import type { ClientEnd } from '../../client/session.js';
import type { ClientOutput } from '../../client/report.js';
import { variablesOf, type ClientEnvironment } from './environment.js';
import { startProcess, type CommandProgram, type ProcessEnd } from './process.js';

export type ClientProgram =
  | CommandProgram
  | {
      readonly kind: 'function';
      readonly name: string;
      /** @param signal aborted when the weather is over */
      readonly run: (environment: ClientEnvironment, signal: AbortSignal) => unknown;
    }
  | { readonly kind: 'attached'; readonly onReady: (environment: ClientEnvironment) => void };

export interface RunningClient {
  /** Never rejects. */
  readonly ended: Promise<StartedEnd>;
  stop(): void;
  /** Once nothing of it is left. */
  readonly gone: Promise<unknown>;
  output(): ClientOutput;
}

export type StartedEnd =
  | Pick<ClientEnd & { kind: 'ended' }, 'kind' | 'success' | 'how' | 'exitCode'>
  | { readonly kind: 'stopped' }
  | { readonly kind: 'unstartable'; readonly why: string };

const NO_OUTPUT: ClientOutput = { stdout: '', stderr: '', leftOutBytes: 0 };
/** A function that was told to stop has this long to do so. */
const STOPS_MS = 500;

export function startClient(program: ClientProgram, environment: ClientEnvironment): RunningClient {
  if (program.kind === 'command') {
    const started = startProcess(program, variablesOf(environment));
    return { ...started, ended: started.ended.then(endOf), output: started.output };
  }
  if (program.kind === 'attached') {
    let end: () => void = () => undefined;
    const ended = new Promise<StartedEnd>((resolve) => (end = () => resolve({ kind: 'stopped' })));
    program.onReady(environment);
    return { ended, stop: end, gone: ended, output: () => NO_OUTPUT };
  }
  const stopped = new AbortController();
  let told = '';
  const run = async (): Promise<StartedEnd> => {
    try {
      await program.run(environment, stopped.signal);
      return { kind: 'ended', success: true, how: 'fulfilled' };
    } catch (error) {
      if (stopped.signal.aborted) return { kind: 'stopped' };
      told = String((error as Error | null)?.stack ?? error);
      return { kind: 'ended', success: false, how: `rejected: ${messageOf(error)}` };
    }
  };
  const atStop = new Promise<StartedEnd>((resolve) => {
    stopped.signal.addEventListener('abort', () =>
      setTimeout(() => resolve({ kind: 'stopped' }), STOPS_MS).unref(),
    );
  });
  const ended = Promise.race([run(), atStop]);
  return {
    ended,
    gone: ended,
    stop: () => stopped.abort(),
    output: () => ({ ...NO_OUTPUT, stderr: told }),
  };
}

function endOf(end: ProcessEnd): StartedEnd {
  switch (end.kind) {
    case 'exit':
      return { kind: 'ended', success: end.code === 0, how: `exit code ${end.code}`, exitCode: end.code };
    case 'signal':
      return { kind: 'ended', success: false, how: `ended by ${end.signal}` };
    case 'stopped':
    case 'unstartable':
      return end;
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
