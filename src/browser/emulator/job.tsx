/** One job, in a dialog. */
import type { JobState } from '../../server/page/page-state.js';
import { Events } from './next.js';
import { page, type OpenedJob } from './page.js';
import { Button, Dialog, Lines, Part, Pill, STATUS, Value } from './parts.js';
import { advance, callApi, closeJob, resendWebhook } from './server.js';
import { span } from './times.js';

/** Of the results of a stream, and how much of each. */
const CHUNKS_SHOWN = 100;
const CHUNK_LENGTH_MAX = 500;

export const JobDialog = ({ opened: { id, job, why } }: { readonly opened: OpenedJob }) => (
  <Dialog title={id} pill={job && <Pill look={STATUS[job.status]} words={job.status} />} close={closeJob}>
    {why !== null && (
      <p class="gone" role="status">
        {why}
      </p>
    )}
    {job !== null && <Acts job={job} isSeen={why === null} />}
    {job !== null && <Detail job={job} />}
  </Dialog>
);

function Acts({ job, isSeen }: { readonly job: JobState; readonly isSeen: boolean }) {
  const { endpoint, id, status, endedMs } = job;
  const mayEnd = isSeen && endedMs === null;
  const mayRetry = isSeen && (status === 'FAILED' || status === 'TIMED_OUT');
  const call = (op: string) => () => callApi(op, endpoint, `${op}/${encodeURIComponent(id)}`);
  return (
    <div class="buttons" role="group" aria-label="Acts on this job">
      {page.state!.clock === 'controlled' && (
        <Button
          key="until"
          class="first"
          off={!mayEnd || page.busy}
          press={() => advance({ until: id, endpoint })}
        >
          Advance until it ends
        </Button>
      )}
      <Button key="cancel" off={!mayEnd} press={call('cancel')}>
        Cancel
      </Button>
      <Button key="retry" off={!mayRetry} press={call('retry')}>
        Retry
      </Button>
    </div>
  );
}

function Detail({ job }: { readonly job: JobState }) {
  const { nowMs, input, error, output, hasOutput, progress, chunks, chunksRead, webhooks, faults, next } =
    job;
  const ago = (atMs: number): string => `${span(nowMs - atMs)} ago`;
  const webhookLines = webhooks.map(({ attempt, atMs, status, url, forwardedTo }) => {
    const which = attempt === null ? 'resent' : `attempt ${attempt}`;
    const to = forwardedTo === null ? `– ${url}` : `→ ${forwardedTo} (for ${url})`;
    return `${which}, ${ago(atMs)}: ${answerOf(status)} ${to}`;
  });
  const faultLines = faults.map(
    ({ on, fault, atMs, rule }) => `${on} ${fault}, ${ago(atMs)}, by ${rule ?? 'request'}`,
  );
  const values = [
    { title: 'Input', id: 'job-input', value: input, isShown: true },
    { title: 'Error', id: 'job-error', value: error, isShown: error !== null },
    { title: 'Output', id: 'job-output', value: output, isShown: hasOutput },
    { title: 'Progress', id: 'job-progress', value: progress, isShown: progress !== null },
  ];
  return (
    <>
      <Facts job={job} />
      {next.length > 0 && (
        <Part key="next" title="What happens next">
          <Events events={next} isOpen />
        </Part>
      )}
      {values.map(
        ({ title, id, value, isShown }) =>
          isShown && (
            <Part key={id} title={title}>
              <Value id={id} value={value} />
            </Part>
          ),
      )}
      {chunks.length > 0 && (
        <Part key="stream" title={`Stream: ${chunks.length} results, ${chunksRead} delivered by /stream`}>
          <ol class="chunks" start={Math.max(1, chunks.length - CHUNKS_SHOWN + 1)}>
            {chunks.slice(-CHUNKS_SHOWN).map((chunk) => (
              <li>{JSON.stringify(chunk).slice(0, CHUNK_LENGTH_MAX)}</li>
            ))}
          </ol>
        </Part>
      )}
      {job.webhook !== null && (
        <Part key="webhooks" title="Webhook calls">
          <Lines lines={webhookLines} />
          <Button class="small" off={job.endedMs === null} press={() => resendWebhook(job.endpoint, job.id)}>
            Send again
          </Button>
        </Part>
      )}
      {faults.length > 0 && (
        <Part key="faults" title="Injected faults">
          <Lines lines={faultLines} />
        </Part>
      )}
    </>
  );
}

const answerOf = (status: number | null): string =>
  status === null ? 'no answer yet' : status === 0 ? 'no answer' : `answered ${status}`;

function Facts({ job }: { readonly job: JobState }) {
  const { policy, startedMs, endedMs, nowMs } = job;
  const spanOf = (ms: number | null): string | null => (ms === null ? null : span(ms));
  const facts: { readonly [name: string]: string | number | null } = {
    Endpoint: job.endpoint,
    Operation: `/${job.op}`,
    'Place in the queue': job.place,
    Worker: job.worker,
    Submitted: `${span(nowMs - job.submittedMs)} ago`,
    Waited: span((startedMs ?? endedMs ?? nowMs) - job.queuedMs),
    Ran: startedMs === null ? null : span((endedMs ?? nowMs) - startedMs),
    Retries: job.retries || null,
    'Run again by itself': job.redispatches || null,
    'Calls that wait for it': job.waitingCalls || null,
    ttl: spanOf(policy.ttlMs),
    executionTimeout: spanOf(policy.executionTimeoutMs),
    lowPriority: policy.lowPriority === null ? null : String(policy.lowPriority),
    wait: spanOf(job.waitMs),
    Webhook: job.webhook,
    s3Config: job.hasS3Config ? 'given, not shown' : null,
  };
  return (
    <dl>
      {Object.entries(facts).map(
        ([name, value]) =>
          value !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
