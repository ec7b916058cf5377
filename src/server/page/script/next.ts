/** What happens next, and why. */
export const NEXT = `
  const workerName = (event) => event.worker === null ? 'the worker' : event.worker.replace(event.endpoint + '-worker-', 'worker ');
  /** What each kind of event means. JOB stands for the job, WORKER for the worker. */
  const SENTENCES = {
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
  const short = (id) => id.length > 13 ? id.slice(0, 12) + '…' : id;

  function jobButton(endpoint, id, label) {
    const button = makeButton('open', label);
    button.title = 'Open job ' + id;
    button.addEventListener('click', () => openJob(endpoint, id));
    return button;
  }

  /** @param isOpen the event is shown with its job */
  function makeEvent(event, acts, isOpen) {
    const item = make('li');
    const what = make('span', 'what');
    for (const word of SENTENCES[event.kind].split(/(JOB|WORKER|ATTEMPT)/)) {
      if (word === 'JOB' && isOpen) what.append('this job');
      else if (word === 'JOB') what.append('job ', acts ? jobButton(event.endpoint, event.job, short(event.job)) : short(event.job));
      else what.append(word === 'WORKER' ? workerName(event) : word === 'ATTEMPT' ? String(event.attempt) : word);
    }
    const go = makeButton('small acts go', 'Go');
    go.setAttribute('aria-label', 'Advance the clock to this event');
    go.addEventListener('click', () => void advance('by=' + go.dataset.ms));
    item.append(make('span', 'when'), what, go);
    return item;
  }

  function showEvent(item, event, state) {
    const inMs = Math.max(0, event.atMs - state.nowMs);
    setText(item.firstElementChild, inMs === 0 ? 'now' : 'in ' + brief(inMs));
    const go = item.querySelector('.go');
    go.dataset.ms = String(inMs);
    go.hidden = state.clock !== 'controlled';
    if (!go.hidden) go.disabled = busy;
  }

  const eventKey = (event) => [event.kind, event.endpoint, event.job, event.worker, event.attempt, event.atMs].join(' ');

  /** Why waiting jobs wait; no instant is known. */
  function waits(state) {
    return state.endpoints.flatMap((endpoint) => {
      const count = endpoint.held.IN_QUEUE;
      const workers = Object.values(endpoint.workers).reduce((sum, each) => sum + each, 0);
      if (count === 0) return [];
      const jobs = count === 1 ? '1 job waits' : count + ' jobs wait';
      if (workers === 0) return [jobs + ' in ' + endpoint.id + ': there is no worker'];
      return endpoint.workers.idle > 0 ? [] : [jobs + ' in ' + endpoint.id + ' until ' + (workers === 1 ? 'its worker is free' : 'one of its ' + workers + ' workers is free')];
    });
  }

  /** Jobs that run until their handler decides. */
  function openEnded(state) {
    const known = new Set(state.next.filter((event) => event.kind.startsWith('worker-')).map((event) => event.job));
    const running = state.endpoints.flatMap((endpoint) => endpoint.jobs.filter((job) => job.status === 'IN_PROGRESS' && !known.has(job.id)));
    return state.next.length >= 9 ? [] : running.slice(0, 3).map((job) => 'job ' + short(job.id) + ' runs on ' + job.worker + ' until its handler returns');
  }

  function showEvents(state) {
    const whys = [...waits(state), ...openEnded(state)];
    const items = [...whys.map((why) => ({ why })), ...state.next];
    syncChildren($('events'), items, (item) => item.why ?? eventKey(item),
      (item) => {
        if (item.why === undefined) return makeEvent(item, state.acts, false);
        const line = make('li', 'why');
        line.append(make('span', 'when', '–'), make('span', 'what', item.why));
        return line;
      },
      (line, item) => { if (item.why === undefined) showEvent(line, item, state); });
    $('no-events').hidden = items.length > 0;
    $('real-time').hidden = state.clock === 'controlled' || !state.acts;
  }
`;
