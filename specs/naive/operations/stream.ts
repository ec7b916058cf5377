/** `/stream` (section 4.4) */
import { refuse, type Answer, type EndpointCall, type Reply } from '../call.js';
import { shownChunks } from '../chunks.js';
import { isOver, type Job } from '../job.js';
import { isRefusal, named } from './common.js';

export function stream(call: EndpointCall, answer: Answer): void {
  const { choices, hooks } = call.endpoint.service;
  const job = named(call, 'stream');
  if (isRefusal(job)) return answer(job);
  hooks.streamRead(job);
  const give = (): void => {
    const { chunksRead, retries } = job;
    if (choices.stream === 'at-least-once')
      call.onGone(() => {
        if (job.retries === retries) job.chunksRead = Math.min(job.chunksRead, chunksRead);
      });
    hooks.answerStream(readChunks(job), job, answer);
  };
  const ready = (): boolean =>
    isOver(job) || (choices.stream !== 'held-until-end' && job.chunks.length > job.chunksRead);
  const held = choices.stream === 'held-until-news' || choices.stream === 'held-until-end';
  if (!held || ready()) return give();
  const watch = (): void => {
    if (!ready()) return;
    job.watchers.delete(watch);
    if (job.deleted) answer(refuse(404, 'the job is gone'));
    else give();
  };
  job.watchers.add(watch);
  call.onGone(() => job.watchers.delete(watch));
}

function readChunks(job: Job): Reply {
  const { choices, hooks } = job.endpoint.service;
  if (hooks.streamClosed(job)) return { code: 200, body: [] };
  const plain = job.status === 'COMPLETED' && job.chunks.length === 0 && job.output !== undefined;
  if (plain && choices.streamOfPlainJob === 400) return refuse(400, 'the handler does not stream');
  if (plain && choices.streamOfPlainJob === 'output') job.chunks.push(job.output ?? null);
  const from = hooks.streamFrom(choices.stream === 'cumulative' ? 0 : job.chunksRead, job);
  const page = job.chunks.slice(from, from + choices.streamPage);
  job.chunksRead = from + page.length;
  const unread = hooks.unread(page, from, job);
  return hooks.streamReply({ code: 200, body: shownChunks(unread, choices, hooks) }, unread);
}
