import type { CoreReply, CoreRequest } from '../../core/api.js';
import type { WaitingCall } from '../waiting-calls.js';
import type { KeyCheck } from '../keys.js';
import { JSON_TYPE, type Refuse } from '../refusals.js';
import type { PullDesk } from './pull-desk.js';
import { pullRouteOf, type PullRoute } from './routes.js';
import { chunkIn, resultIn } from './worker-body.js';

export interface PullOptions {
  readonly desk: () => PullDesk;
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
    const { endpoint, pod, job } = route;
    const desk = options.desk();
    const unknown = () => refuse('no-such-job', `this worker has no such job under way: ${job}`);
    if (request.bodyBytes > options.bodyBytesMax) {
      const message = `the result takes more than ${options.bodyBytesMax} bytes`;
      // The worker will not try again: nothing else will ever end this job.
      const over = route.kind === 'result' && !desk.report(endpoint, pod, job, { kind: 'error', message });
      return over ? unknown() : refuse('too-large', message);
    }
    if (route.kind === 'chunk') {
      const chunk = chunkIn(request.body);
      if (chunk === null) return refuse('malformed', 'the body must be a JSON object with a member output');
      return desk.report(endpoint, pod, job, chunk) ? DONE : unknown();
    }
    const result = resultIn(request.body);
    if (result === null) return refuse('malformed', 'the body must be a JSON object');
    const counts = desk.report(endpoint, pod, job, result.report);
    if (result.stops) desk.stopsSoon(endpoint, pod);
    return counts ? DONE : unknown();
  }

  function refused({ endpoint }: PullRoute, request: CoreRequest): CoreReply | null {
    if (!options.hasKey(request.headers['authorization']))
      return refuse('unauthorized', 'the API key is missing or wrong');
    return options.hasEndpoint(endpoint) ? null : refuse('no-such-endpoint', `no such endpoint: ${endpoint}`);
  }

  function answer(route: PullRoute, request: CoreRequest): CoreReply | WaitingCall {
    const { endpoint, pod } = route;
    const desk = options.desk();
    switch (route.kind) {
      case 'take':
        options.onAsk(endpoint);
        return desk.take(route);
      case 'stops':
        return desk.stops(endpoint, pod);
      case 'ping':
        desk.ping(endpoint, pod, route.jobs);
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
