/** The endpoints with their jobs, and the last calls. */
export const ENDPOINTS = `
  const COLUMNS = ['Job', 'Status', 'By', 'Waited', 'Ran', 'Run limit', 'ttl left', 'Kept for'];

  function makeEndpoint(endpoint) {
    const card = make('section', 'card endpoint');
    const head = make('div', 'head');
    const title = make('h2', '', endpoint.id);
    const workers = make('ul', 'chips workers');
    const counts = make('ul', 'chips counts');
    const purge = makeButton('small acts purge', 'Purge the queue');
    purge.addEventListener('click', () => void callApi('purge-queue of ' + endpoint.id, endpoint.id, 'purge-queue'));
    head.append(title, workers, counts, purge);
    const scroll = make('div', 'scroll');
    const table = make('table', 'jobs');
    table.setAttribute('aria-label', 'Jobs of ' + endpoint.id);
    const row = make('tr');
    COLUMNS.forEach((name, at) => { const cell = make('th', at > 2 ? 'number' : '', name); cell.scope = 'col'; row.append(cell); });
    const thead = make('thead');
    thead.append(row);
    table.append(thead, make('tbody'));
    scroll.append(table);
    const empty = make('p', 'soft empty', 'No jobs. To submit one:');
    empty.append(make('code'));
    card.append(head, makeDepth(), scroll, make('p', 'soft more'), empty);
    return card;
  }

  function chip(entry, [kind, sign], label, count) {
    setClass(entry, 'chip ' + (count > 0 ? kind : 'none'));
    setText(entry, sign + ' ' + count + ' ' + label);
  }

  function showEndpoint(card, endpoint, state) {
    syncChildren(card.querySelector('.workers'), Object.entries(endpoint.workers).filter(([name, count]) => count > 0 || name === 'running' || name === 'idle'),
      ([name]) => name, () => make('li'), (entry, [name, count]) => chip(entry, WORKERS[name], name, count));
    syncChildren(card.querySelector('.counts'), Object.entries(endpoint.held),
      ([name]) => name, () => make('li'), (entry, [name, count]) => chip(entry, STATUS[name], name, count));
    syncChildren(card.querySelector('tbody'), endpoint.jobs, (job) => job.id, (job) => makeJob(endpoint.id, job, state.acts), (row, job) => showJob(row, job, state.nowMs));
    showDepth(card.querySelector('.depth'), endpoint.depth, state);
    const held = Object.values(endpoint.held).reduce((sum, count) => sum + count, 0);
    const more = held - endpoint.jobs.length;
    setText(card.querySelector('.more'), more > 0 ? 'and ' + more + ' more' : '');
    card.querySelector('.more').hidden = more <= 0;
    card.querySelector('.scroll').hidden = held === 0;
    card.querySelector('.empty').hidden = held > 0;
    card.querySelector('.purge').disabled = endpoint.held.IN_QUEUE === 0;
    setText(card.querySelector('code'), 'curl -X POST -H "authorization: ' + state.keyInShell + '" -d ' + "'" + '{"input":{"plan":[{"sleepMs":5000},{"return":"done"}]}}' + "' " + location.origin + '/v2/' + encodeURIComponent(endpoint.id) + '/run');
  }

  function makeJob(endpoint, job, acts) {
    const row = make('tr');
    const id = make('td', 'id');
    id.title = job.id;
    if (acts) id.append(jobButton(endpoint, job.id, job.id));
    else id.textContent = job.id;
    const status = make('td');
    status.append(make('span', 'pill'));
    row.append(id, status, make('td', '', '/' + job.op));
    for (let at = 0; at < 5; at++) {
      const cell = make('td', 'number');
      cell.append(make('span', '', '–'));
      row.append(cell);
    }
    const bar = make('progress', 'bar');
    bar.max = 1;
    bar.setAttribute('aria-hidden', 'true');
    row.children[6].append(bar);
    return row;
  }

  function showStatus(pill, status) {
    const [kind, sign] = STATUS[status];
    setClass(pill, 'pill ' + kind);
    setText(pill, sign + ' ' + status);
  }

  function showJob(row, job, nowMs) {
    showStatus(row.querySelector('.pill'), job.status);
    row.children[1].title = job.worker === null ? '' : 'on ' + job.worker;
    const taken = job.startedMs ?? job.endedMs ?? nowMs;
    const ttlLeft = untilOf(job.ttlEndMs, nowMs);
    const times = [taken - job.submittedMs, sinceOf(job.startedMs, job.endedMs ?? nowMs), untilOf(job.runEndMs, nowMs), ttlLeft, untilOf(job.keptUntilMs, nowMs)];
    times.forEach((ms, at) => setText(row.children[3 + at].firstElementChild, span(ms)));
    const whole = job.ttlEndMs === null ? 1 : Math.max(1, job.ttlEndMs - job.submittedMs);
    row.querySelector('progress').value = ttlLeft === null ? 1 : Math.max(0, Math.min(1, ttlLeft / whole));
  }

  function makeCall(call, acts) {
    const row = make('tr');
    const path = make('td', 'path', acts ? undefined : call.path);
    path.title = call.path;
    if (acts) {
      const open = makeButton('open', call.path);
      open.addEventListener('click', () => void openCall(call.number));
      path.append(open);
    }
    const answer = make('td');
    answer.append(make('span', 'pill'), make('span', 'fault'));
    row.append(make('td'), make('td', '', call.method), path, answer, make('td', 'number'));
    return row;
  }

  function showCall(row, call, nowMs) {
    setText(row.children[0], span(nowMs - call.atMs) + ' ago');
    showAnswer(row.children[3].firstElementChild, call);
    setText(row.children[3].lastElementChild, call.fault === null ? '' : 'fault ' + call.fault);
    setText(row.children[4], call.tookMs === null ? '' : call.tookMs + ' ms');
  }

  function showAnswer(pill, call) {
    const kind = call.status === null ? 'wait' : call.status === 0 || call.status >= 500 ? 'bad' : call.status >= 400 ? 'over' : 'good';
    const words = call.status === null ? '○ pending' : call.status === 0 ? '✕ closed' : (call.status < 400 ? '✓ ' : '✕ ') + call.status;
    setClass(pill, 'pill ' + kind);
    setText(pill, words);
  }
`;
