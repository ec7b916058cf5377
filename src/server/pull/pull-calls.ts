import type { CoreReply, CoreRequest } from '../../core/api.js';
import type { WaitingCall } from '../waiting-calls.js';
import type { KeyCheck } from '../keys.js';
import { JSON_TYPE, type Refuse } from '../refusals.js';
import type { PullAdapter } from './pull-adapter.js';
import { pullRouteOf, type PullRoute } from './routes.js';
import { parseChunk, parseResult } from './worker-body.js';

export interface PullOptions {
  readonly pullAdapter: () => PullAdapter;
  readonly hasKey: KeyCheck;
  readonly hasEndpoint: (id: string) => boolean;
  readonly refuse: Refuse;
  /** A worker asks for jobs of this endpoint. */
  readonly onAsk: (endpoint: string) => void;
  readonly bodyBytesMax: number;
}

/** Answers the calls of workers. */
export interface PullCalls {
  /** Why such a call is refused whatever its body says, null where it is not; undefined where it is none of theirs. */
  refused(head: CoreRequest): CoreReply | null | undefined;
  /** Null where the request is none of theirs. */
  answer(request: CoreRequest): CoreReply | WaitingCall | null;
}

export function createPullCalls(options: PullOptions): PullCalls {
  const { refuse } = options;

  function post(route: Extract<PullRoute, { readonly job: string }>, request: CoreRequest): CoreReply {
    const { endpoint, worker, job } = route;
    const pullAdapter = options.pullAdapter();
    const unknown = () => refuse('no-such-job', `this worker has no such job under way: ${job}`);
    if (request.bodyBytes > options.bodyBytesMax) {
      const message = `the result takes more than ${options.bodyBytesMax} bytes`;
      // The worker will not try again: nothing else will ever end this job.
      const over =
        route.kind === 'result' && !pullAdapter.report(endpoint, worker, job, { kind: 'error', message });
      return over ? unknown() : refuse('too-large', message);
    }
    if (route.kind === 'chunk') {
      const chunk = parseChunk(request.body);
      if (chunk === null) return refuse('malformed', 'the body must be a JSON object with a member output');
      return pullAdapter.report(endpoint, worker, job, chunk) ? DONE : unknown();
    }
    const result = parseResult(request.body);
    if (result === null) return refuse('malformed', 'the body must be a JSON object');
    const counts = pullAdapter.report(endpoint, worker, job, result.report);
    if (result.stops) pullAdapter.leaveWhenIdle(endpoint, worker);
    return counts ? DONE : unknown();
  }

  function refused({ endpoint }: PullRoute, request: CoreRequest): CoreReply | null {
    if (!options.hasKey(request.headers['authorization']))
      return refuse('unauthorized', 'the API key is missing or wrong');
    return options.hasEndpoint(endpoint) ? null : refuse('no-such-endpoint', `no such endpoint: ${endpoint}`);
  }

  function answer(route: PullRoute, request: CoreRequest): CoreReply | WaitingCall {
    const { endpoint, worker } = route;
    const pullAdapter = options.pullAdapter();
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
