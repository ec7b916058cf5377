/** The endpoints with their jobs. */
import type { JobSnapshot } from '../../core/saved/snapshot.js';
import type { PageEndpoint } from '../../server/page/page-state.js';
import { Depth } from './depth.js';
import { page } from './page.js';
import { Button, JobName, Pill, STATUS, Table, type Look } from './parts.js';
import { callApi } from './server.js';
import { span } from './times.js';

const COLUMNS = ['Job', 'Status', 'By', 'Waited', 'Ran', 'Run limit', 'ttl left', 'Kept for'];

const WORKERS: { readonly [state in keyof PageEndpoint['workers']]: Look } = {
  starting: ['wait', '◐'],
  idle: ['good', '○'],
  running: ['run', '●'],
  restarting: ['wait', '↻'],
};

interface CountsParts<Name extends string> {
  readonly counts: { readonly [name in Name]: number };
  readonly looks: { readonly [name in Name]: Look };
  readonly hidden?: readonly Name[];
}

/** @param props `hidden`: not shown while there is none */
function Counts<Name extends string>({ counts, looks, hidden = [] }: CountsParts<Name>) {
  const shown = (Object.keys(looks) as Name[]).filter((name) => counts[name] > 0 || !hidden.includes(name));
  return (
    <ul class="chips">
      {shown.map((name) => (
        <li key={name} class={`chip ${counts[name] > 0 ? looks[name][0] : 'none'}`}>
          {`${looks[name][1]} ${counts[name]} ${name}`}
        </li>
      ))}
    </ul>
  );
}

/** What each worker runs, and how many there may be. */
function Workers({ endpoint: { id, workers, workersMax, pool } }: { readonly endpoint: PageEndpoint }) {
  const all = Object.values(workers).reduce((sum, count) => sum + count, 0);
  if (all === 0 && workersMax === 0) return null;
  return (
    <ul class="chips workers" aria-label={`Workers of ${id}`}>
      {pool.map((worker) => (
        <li key={worker.id} class={`chip ${WORKERS[worker.state][0]}`} title={worker.state}>
          {`${WORKERS[worker.state][1]} ${worker.id}`}
          {worker.jobs.map((job) => (
            <span key={job} title={job}>
              {' '}
              <JobName endpoint={id} id={job} text={job.slice(0, 8)} />
            </span>
          ))}
        </li>
      ))}
      {(all > pool.length || workersMax > all) && (
        <li class="soft">
          {[
            ...(all > pool.length ? [`and ${all - pool.length} more`] : []),
            ...(workersMax > all ? [`at most ${workersMax}`] : []),
          ].join(', ')}
        </li>
      )}
    </ul>
  );
}

export function Endpoint({ endpoint }: { readonly endpoint: PageEndpoint }) {
  const { id, held, workers, jobs, depth } = endpoint;
  const all = Object.values(held).reduce((sum, count) => sum + count, 0);
  const curl = `curl -X POST -H "authorization: ${page.state!.keyInShell}" -d '{"input":{"plan":[{"sleepMs":5000},{"return":"done"}]}}'`;
  return (
    <section class="card endpoint">
      <div class="head">
        <h2>{id}</h2>
        <Counts counts={workers} looks={WORKERS} hidden={['starting', 'restarting']} />
        <Counts counts={held} looks={STATUS} />
        <Button
          class="small acts"
          off={held.IN_QUEUE === 0}
          press={() => callApi(`purge-queue of ${id}`, id, 'purge-queue')}
        >
          Purge the queue
        </Button>
      </div>
      <Workers endpoint={endpoint} />
      <Depth points={depth} />
      {all === 0 ? (
        <p class="soft empty">
          No jobs. To submit one:
          <code>{`${curl} ${location.origin}/v2/${encodeURIComponent(id)}/run`}</code>
        </p>
      ) : (
        <Table class="jobs" label={`Jobs of ${id}`} columns={COLUMNS} numbersFrom={3}>
          {jobs.map((job) => (
            <Job key={job.id} endpoint={id} job={job} />
          ))}
        </Table>
      )}
      {all > jobs.length && (
        <p class="soft more">
          {page.filter === '' ? `and ${all - jobs.length} more` : `${jobs.length} of ${all} jobs shown`}
        </p>
      )}
    </section>
  );
}

function Job({ endpoint, job }: { readonly endpoint: string; readonly job: JobSnapshot }) {
  const { id, op, status, worker, submittedMs, startedMs, endedMs, ttlEndMs } = job;
  const { nowMs } = page.state!;
  const until = (atMs: number | null): number | null => (atMs === null ? null : atMs - nowMs);
  return (
    <tr>
      <td class="id" title={id}>
        <JobName endpoint={endpoint} id={id} text={id} />
      </td>
      <td title={worker === null ? '' : `on ${worker}`}>
        <Pill look={STATUS[status]} words={status} />
      </td>
      <td>{`/${op}`}</td>
      <td class="number">{span((startedMs ?? endedMs ?? nowMs) - submittedMs)}</td>
      <td class="number">{span(startedMs === null ? null : (endedMs ?? nowMs) - startedMs)}</td>
      <td class="number">{span(until(job.runEndMs))}</td>
      <td class="number">
        <span>{span(until(ttlEndMs))}</span>
        {ttlEndMs !== null && (
          <progress class="bar" max={ttlEndMs - submittedMs} value={ttlEndMs - nowMs} aria-hidden="true" />
        )}
      </td>
      <td class="number">{span(until(job.keptUntilMs))}</td>
    </tr>
  );
}
