import type { CoreReply, CoreRequest } from '../../core/api.js';
import type { WaitingCall } from '../calls/waiting-calls.js';
import type { KeyCheck } from '../calls/keys.js';
import { JSON_TYPE, type Refuse } from '../calls/refusals.js';
import type { PullAdapter } from './pull-adapter.js';
import { pullRouteOf, type PullRoute } from './routes.js';
import { parseChunk, parseResult } from './worker-body.js';

export interface PullOptions {
  readonly pullAdapter: (endpoint: string) => PullAdapter;
  readonly hasKey: KeyCheck;
  readonly hasEndpoint: (id: string) => boolean;
  readonly refuse: Refuse;
  /** Called when a worker asks for jobs of this endpoint. */
  readonly onAsk: (endpoint: string) => void;
  readonly bodyBytesMax: number;
}

/** Answers the calls of remote workers. */
export interface PullCalls {
  /**
   * The refusal that the header fields decide, null where there is none; undefined where it is not a worker's
   * call.
   */
  refused(head: CoreRequest): CoreReply | null | undefined;
  /** Null where it is not a worker's call. */
  answer(request: CoreRequest): CoreReply | WaitingCall | null;
}

export function createPullCalls(options: PullOptions): PullCalls {
  const { refuse } = options;

  function post(route: Extract<PullRoute, { readonly job: string }>, request: CoreRequest): CoreReply {
    const { endpoint, worker, job } = route;
    const pullAdapter = options.pullAdapter(endpoint);
    const unknown = () => refuse('no-such-job', `this worker is not running this job: ${job}`);
    if (request.bodyBytes > options.bodyBytesMax) {
      const message = `the result takes more than ${options.bodyBytesMax} bytes`;
      // The worker will not send it again, and nothing else would end this job.
      const isUnknown =
        route.kind === 'result' && !pullAdapter.report(endpoint, worker, job, { kind: 'error', message });
      return isUnknown ? unknown() : refuse('too-large', message);
    }
    if (route.kind === 'chunk') {
      const chunk = parseChunk(request.body);
      if (chunk === null) return refuse('malformed', 'the body must be a JSON object with a member output');
      return pullAdapter.report(endpoint, worker, job, chunk) ? DONE : unknown();
    }
    const result = parseResult(request.body);
    if (result === null) return refuse('malformed', 'the body must be a JSON object');
    const accepted = pullAdapter.report(endpoint, worker, job, result.report);
    if (result.stops) pullAdapter.leaveWhenIdle(endpoint, worker);
    return accepted ? DONE : unknown();
  }

  function refused({ endpoint }: PullRoute, request: CoreRequest): CoreReply | null {
    if (!options.hasKey(request.headers['authorization']))
      return refuse('unauthorized', 'the API key is missing or wrong');
    return options.hasEndpoint(endpoint) ? null : refuse('no-such-endpoint', `no such endpoint: ${endpoint}`);
  }

  function answer(route: PullRoute, request: CoreRequest): CoreReply | WaitingCall {
    const { endpoint, worker } = route;
    const pullAdapter = options.pullAdapter(endpoint);
    switch (route.kind) {
      case 'claim':
        options.onAsk(endpoint);
        return pullAdapter.claim(route);
      case 'stops':
        return pullAdapter.pollStops(endpoint, worker);
      case 'ping':
        pullAdapter.ping(endpoint, worker, route.jobs);
        return DONE;
      default:
        return post(route, request);
    }
  }

  return {
    refused(head) {
      const route = pullRouteOf(head);
      return route === null ? undefined : refused(route, head);
    },
    answer(request) {
      const route = pullRouteOf(request);
      return route === null ? null : (refused(route, request) ?? answer(route, request));
    },
  };
}

const DONE: CoreReply = { status: 200, headers: { 'content-type': JSON_TYPE }, body: {} };
