/** What happens next, and why. */
import type { PageEvent, PageState } from '../../server/page/page-state.js';
import { page } from './page.js';
import { Button, JobName, short } from './parts.js';
import { advance } from './server.js';
import { brief } from './times.js';

/** The server tells so many. */
const EVENTS_MAX = 9;

/** What each kind of event means. JOB stands for the job, WORKER for the worker. */
const SENTENCES: { readonly [kind in PageEvent['kind']]: string } = {
  ttl: 'JOB expires: its ttl ends',
  'execution-timeout': 'JOB times out: its executionTimeout ends',
  retention: 'JOB is deleted: its retention ends',
  wait: 'the call that waits for JOB is answered: its wait ends',
  webhook: 'webhook attempt ATTEMPT for JOB',
  dispatch: 'waiting jobs are given to free workers',
  scale: 'JOB has waited so long that the scaler may start a worker',
  'worker-loss': 'JOB counts as lost: its worker does not report',
  'cold-start': 'WORKER is ready: its cold start ends',
  'idle-stop': 'WORKER stops: it has been idle for too long',
  restart: 'WORKER is ready again',
  heartbeat: 'WORKER counts as lost, unless it calls before',
  'worker-stream': 'WORKER streams a result of JOB',
  'worker-progress': 'WORKER reports the progress of JOB',
  'worker-success': 'WORKER completes JOB',
  'worker-error': 'WORKER fails JOB',
  'worker-crash': 'WORKER crashes while it runs JOB',
  'worker-not-delivered': 'JOB returns to the queue',
  'worker-wake': 'the handler of JOB continues after its sleep',
  'worker-start': 'WORKER starts JOB, late because of a fault on demand',
  'worker-fault': 'a fault on demand ends the run of JOB',
};

interface EventParts {
  readonly event: PageEvent;
  /** It is shown with its job. */
  readonly isOpen: boolean;
}

function Word({ word, event, isOpen }: EventParts & { readonly word: string }) {
  const { endpoint, job, worker, attempt } = event;
  if (word === 'ATTEMPT') return attempt;
  if (word === 'WORKER') return worker?.replace(`${endpoint}-worker-`, 'worker ') ?? 'the worker';
  if (word !== 'JOB') return word;
  if (isOpen) return 'this job';
  return (
    <>
      job <JobName endpoint={endpoint!} id={job!} text={short(job!)} />
    </>
  );
}

function Event({ event, isOpen }: EventParts) {
  const inMs = Math.max(0, event.atMs - page.state!.nowMs);
  return (
    <li>
      <span class="when">{inMs === 0 ? 'now' : `in ${brief(inMs)}`}</span>
      <span class="what">
        {SENTENCES[event.kind].split(/(JOB|WORKER|ATTEMPT)/).map((word) => (
          <Word word={word} event={event} isOpen={isOpen} />
        ))}
      </span>
      {page.state!.clock === 'controlled' && (
        <Button
          class="small acts"
          label="Go: advance the clock to this event"
          off={page.busy}
          press={() => advance({ by: inMs })}
        >
          Go
        </Button>
      )}
    </li>
  );
}

interface EventsParts {
  readonly events: readonly PageEvent[];
  readonly isOpen?: boolean;
  /** Why more is to come, at no known instant. */
  readonly whys?: readonly string[];
}

export const Events = ({ events, isOpen = false, whys = [] }: EventsParts) => (
  <ol class="events">
    {whys.map((why) => (
      <li key={why} class="why">
        <span class="when">–</span>
        <span class="what">{why}</span>
      </li>
    ))}
    {events.map((event) => (
      <Event key={JSON.stringify(event)} event={event} isOpen={isOpen} />
    ))}
  </ol>
);

/** Why waiting jobs wait. */
const waits = ({ endpoints }: PageState): readonly string[] =>
  endpoints.flatMap(({ id, held, workers }) => {
    const count = held.IN_QUEUE;
    const all = Object.values(workers).reduce((sum, each) => sum + each, 0);
    if (count === 0 || workers.idle > 0) return [];
    const jobs = `${count === 1 ? '1 job waits' : `${count} jobs wait`} in ${id}`;
    if (all === 0) return [`${jobs}: there is no worker`];
    return [`${jobs} until ${all === 1 ? 'its worker is free' : `one of its ${all} workers is free`}`];
  });

/** Jobs that run until their handler decides. */
function openEnded({ next, endpoints }: PageState): readonly string[] {
  if (next.length >= EVENTS_MAX) return [];
  const known = new Set(next.flatMap(({ kind, job }) => (kind.startsWith('worker-') ? [job] : [])));
  return endpoints
    .flatMap(({ jobs }) => jobs)
    .filter(({ id, status }) => status === 'IN_PROGRESS' && !known.has(id))
    .slice(0, 3)
    .map(({ id, worker }) => `job ${short(id)} runs on ${worker} until its handler returns`);
}

export function Next({ state }: { readonly state: PageState }) {
  const whys = [...waits(state), ...openEnded(state)];
  return (
    <section class="card" aria-label="What happens next">
      <h2>What happens next</h2>
      <Events events={state.next} whys={whys} />
      {state.next.length + whys.length === 0 && <p class="soft">Nothing is due. Submit a job.</p>}
      {state.clock === 'real' && state.acts && (
        <p class="soft">
          {state.speed === 1 ? 'Time is real.' : `Time runs ${state.speed} times as fast as real time.`} With{' '}
          <code>serve --clock controlled</code> you can jump.
        </p>
      )}
    </section>
  );
}
