/** One job, in a dialog; its address is in the fragment of the page's address. */
export const JOB = `
  let opened = null;

  function openJob(endpoint, id) {
    if (!hasKey('To open jobs, this page needs an API key, as the API does.')) return;
    opened = { endpoint, id, gone: false };
    history.replaceState(null, '', '#job/' + encodeURIComponent(endpoint) + '/' + encodeURIComponent(id));
    setText($('job-title'), id);
    $('job-gone').hidden = true;
    $('job').classList.add('loading');
    if (!$('job').open) $('job').showModal();
    void refreshJob();
  }

  function openFromAddress() {
    const [kind, endpoint, id] = location.hash.slice(1).split('/').map(decodeURIComponent);
    if (kind === 'job' && id) openJob(endpoint, id);
  }

  async function refreshJob() {
    const asked = opened;
    if (asked === null || asked.gone) return;
    const reply = await ask('/_page/job?endpoint=' + encodeURIComponent(asked.endpoint) + '&id=' + encodeURIComponent(asked.id), 'GET');
    if (asked !== opened) return;
    if (reply.ok) return showDetail(await reply.json());
    const { error } = await reply.json();
    if (reply.status === 401) { $('job').close(); refuseKey(); return; }
    asked.gone = reply.status === 404;
    $('job-gone').hidden = false;
    setText($('job-gone'), asked.gone ? 'This job no longer exists. What follows is the last that was seen of it.' : error);
    for (const name of ['job-cancel', 'job-retry', 'job-until']) $(name).disabled = true;
  }

  function showPart(element, isShown) {
    element.closest('section').hidden = !isShown;
    return isShown;
  }
  const json = (value) => {
    const line = JSON.stringify(value);
    return line.length <= 70 ? line : JSON.stringify(value, null, 2);
  };
  function showJson(id, isShown, value) {
    if (showPart($(id), isShown)) setText($(id), typeof value === 'string' ? value : json(value));
  }

  function showDetail(job) {
    $('job').classList.remove('loading');
    showStatus($('job-status'), job.status);
    const controlled = last.clock === 'controlled';
    const isOver = job.endedMs !== null;
    $('job-cancel').disabled = isOver;
    $('job-retry').disabled = job.status !== 'FAILED' && job.status !== 'TIMED_OUT';
    $('job-until').hidden = !controlled;
    $('job-until').disabled = isOver || busy;
    const { policy } = job;
    const facts = [
      ['Endpoint', job.endpoint], ['Operation', '/' + job.op],
      ['Place in the queue', job.place],
      ['Worker', job.worker],
      ['Submitted', span(job.nowMs - job.submittedMs) + ' ago'],
      ['Waited', span((job.startedMs ?? job.endedMs ?? job.nowMs) - job.queuedMs)],
      ['Ran', job.startedMs === null ? null : span((job.endedMs ?? job.nowMs) - job.startedMs)],
      ['Retries', job.retries || null], ['Run again by itself', job.redispatches || null],
      ['Calls that wait for it', job.waitingCalls || null],
      ['ttl', policy.ttlMs === null ? null : span(policy.ttlMs)],
      ['executionTimeout', policy.executionTimeoutMs === null ? null : span(policy.executionTimeoutMs)],
      ['lowPriority', policy.lowPriority === null ? null : String(policy.lowPriority)],
      ['wait', job.waitMs === null ? null : span(job.waitMs)],
      ['Webhook', job.webhook], ['s3Config', job.hasS3Config ? 'given, not shown' : null],
    ].filter(([, value]) => value !== null);
    syncChildren($('job-facts'), facts, ([name]) => name,
      ([name]) => { const pair = make('div'); pair.append(make('dt', '', name), make('dd')); return pair; },
      (pair, [, value]) => setText(pair.lastElementChild, String(value)));
    const place = { nowMs: job.nowMs, clock: last.clock };
    if (showPart($('job-events'), job.next.length > 0))
      syncChildren($('job-events'), job.next, eventKey, (event) => makeEvent(event, true, true), (item, event) => showEvent(item, event, place));
    showJson('job-input', true, job.input);
    showJson('job-error', job.error !== null, job.error);
    showJson('job-output', job.hasOutput, job.output);
    showJson('job-progress', job.progress !== null, job.progress);
    if (showPart($('job-chunks'), job.chunks.length > 0)) {
      setText($('job-read'), job.chunks.length + ' results, ' + job.chunksRead + ' delivered by /stream');
      syncLines($('job-chunks'), job.chunks.slice(-100).map((chunk) => JSON.stringify(chunk).slice(0, 500)));
      $('job-chunks').start = Math.max(1, job.chunks.length - 99);
    }
    if (showPart($('job-webhooks'), job.webhooks.length > 0))
      syncLines($('job-webhooks'), job.webhooks.map(({ attempt, atMs, status, url }) =>
        'attempt ' + attempt + ', ' + span(job.nowMs - atMs) + ' ago: ' + (status === null ? 'no answer yet' : status === 0 ? 'no answer' : 'answered ' + status) + ' – ' + url));
    if (showPart($('job-faults'), job.faults.length > 0))
      syncLines($('job-faults'), job.faults.map((fault) => fault.on + ' ' + fault.fault + ', ' + span(job.nowMs - fault.atMs) + ' ago, by ' + (fault.rule ?? 'request')));
  }

  const jobPath = () => encodeURIComponent(opened.id);
  $('job-close').addEventListener('click', () => $('job').close());
  $('job').addEventListener('close', () => { opened = null; document.body.append($('said')); history.replaceState(null, '', location.pathname); });
  $('job').addEventListener('click', (event) => { if (event.target === $('job')) $('job').close(); });
  $('job-cancel').addEventListener('click', () => void callApi('cancel', opened.endpoint, 'cancel/' + jobPath()));
  $('job-retry').addEventListener('click', () => void callApi('retry', opened.endpoint, 'retry/' + jobPath()));
  $('job-until').addEventListener('click', () => void advance('until=' + jobPath() + '&endpoint=' + encodeURIComponent(opened.endpoint)));
`;
