/** The page's script. What comes from clients is set as text, never as markup. It has no backslash and no backtick. */
export const SCRIPT = `'use strict';
(() => {
  const $ = (id) => document.getElementById(id);
  const STATUS = {
    IN_QUEUE: ['wait', '○'], IN_PROGRESS: ['run', '▸'], COMPLETED: ['good', '✓'],
    FAILED: ['bad', '✕'], CANCELLED: ['over', '–'], TIMED_OUT: ['bad', '!'],
  };
  const WORKERS = { running: ['run', '●'], idle: ['good', '○'], starting: ['wait', '◐'], restarting: ['wait', '↻'] };
  const COLUMNS = ['Job', 'Status', 'By', 'Waited', 'Ran', 'Run limit', 'ttl left', 'Kept for'];

  function make(tag, name, text) {
    const element = document.createElement(tag);
    if (name) element.className = name;
    if (text !== undefined) element.textContent = text;
    return element;
  }
  // Assigning an unchanged value would still clear a text selection.
  const setText = (element, text) => { if (element.textContent !== text) element.textContent = text; };
  const setClass = (element, name) => { if (element.className !== name) element.className = name; };

  /** Updates the children, one per item, in order; elements that remain are reused, so nothing flickers. */
  function syncChildren(parent, items, keyOf, create, update) {
    const old = new Map([...parent.children].map((child) => [child.dataset.key, child]));
    let place = parent.firstElementChild;
    for (const item of items) {
      const key = String(keyOf(item));
      let child = old.get(key);
      if (child === undefined) { child = create(item); child.dataset.key = key; }
      old.delete(key);
      update(child, item);
      if (child === place) place = place.nextElementSibling;
      else parent.insertBefore(child, place);
    }
    for (const child of old.values()) child.remove();
  }

  const two = (n) => String(n).padStart(2, '0');
  function span(ms) {
    if (ms === null || ms === undefined) return '–';
    const s = Math.max(0, ms) / 1000;
    if (s < 100) return s.toFixed(1) + ' s';
    if (s < 3600) return Math.floor(s / 60) + ' m ' + two(Math.floor(s % 60)) + ' s';
    if (s < 86400) return Math.floor(s / 3600) + ' h ' + two(Math.floor(s / 60 % 60)) + ' m';
    return Math.floor(s / 86400) + ' d ' + two(Math.floor(s / 3600 % 24)) + ' h';
  }
  function exact(ms) {
    const days = Math.floor(ms / 86400000);
    const time = two(Math.floor(ms / 3600000) % 24) + ':' + two(Math.floor(ms / 60000) % 60) + ':' + two(Math.floor(ms / 1000) % 60);
    return (days > 0 ? days + ' d ' : '') + time + '.' + String(ms % 1000).padStart(3, '0');
  }
  const sinceOf = (from, to) => from === null ? null : to - from;
  const untilOf = (end, now) => end === null ? null : end - now;

  function makeEndpoint(endpoint) {
    const card = make('section', 'card endpoint');
    const head = make('div', 'head');
    const title = make('h2', '', endpoint.id);
    const workers = make('ul', 'chips workers');
    const counts = make('ul', 'chips counts');
    head.append(title, workers, counts);
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
    card.append(head, scroll, make('p', 'soft more'), empty);
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
    syncChildren(card.querySelector('tbody'), endpoint.jobs, (job) => job.id, makeJob, (row, job) => showJob(row, job, state.nowMs));
    const held = Object.values(endpoint.held).reduce((sum, count) => sum + count, 0);
    const more = held - endpoint.jobs.length;
    setText(card.querySelector('.more'), more > 0 ? 'and ' + more + ' more' : '');
    card.querySelector('.more').hidden = more <= 0;
    card.querySelector('.scroll').hidden = held === 0;
    card.querySelector('.empty').hidden = held > 0;
    setText(card.querySelector('code'), "curl -X POST -H 'authorization: " + state.keyInShell + "' -d '" + '{"input":{"plan":[{"sleepMs":5000},{"return":"done"}]}}' + "' " + location.origin + '/v2/' + encodeURIComponent(endpoint.id) + '/run');
  }

  function makeJob(job) {
    const row = make('tr');
    const id = make('td', 'id', job.id);
    id.title = job.id;
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

  function showJob(row, job, nowMs) {
    const [kind, sign] = STATUS[job.status];
    const pill = row.querySelector('.pill');
    setClass(pill, 'pill ' + kind);
    setText(pill, sign + ' ' + job.status);
    row.children[1].title = job.worker === null ? '' : 'on ' + job.worker;
    const taken = job.startedMs ?? job.endedMs ?? nowMs;
    const ttlLeft = untilOf(job.ttlEndMs, nowMs);
    const times = [taken - job.submittedMs, sinceOf(job.startedMs, job.endedMs ?? nowMs), untilOf(job.runEndMs, nowMs), ttlLeft, untilOf(job.keptUntilMs, nowMs)];
    times.forEach((ms, at) => setText(row.children[3 + at].firstElementChild, span(ms)));
    const whole = job.ttlEndMs === null ? 1 : Math.max(1, job.ttlEndMs - job.submittedMs);
    row.querySelector('progress').value = ttlLeft === null ? 1 : Math.max(0, Math.min(1, ttlLeft / whole));
  }

  function makeCall(call) {
    const row = make('tr');
    const path = make('td', 'path', call.path);
    path.title = call.path;
    const answer = make('td');
    answer.append(make('span', 'pill'));
    row.append(make('td'), make('td', '', call.method), path, answer, make('td', 'number'));
    return row;
  }

  function showCall(row, call, nowMs) {
    setText(row.children[0], span(nowMs - call.atMs) + ' ago');
    const kind = call.status === null ? 'wait' : call.status === 0 || call.status >= 500 ? 'bad' : call.status >= 400 ? 'over' : 'good';
    const words = call.status === null ? '○ pending' : call.status === 0 ? '✕ client left' : (call.status < 400 ? '✓ ' : '✕ ') + call.status;
    setClass(row.children[3].firstElementChild, 'pill ' + kind);
    setText(row.children[3].firstElementChild, words);
    setText(row.children[4], call.tookMs === null ? '' : call.tookMs + ' ms');
  }

  let busy = false;
  function show(state) {
    const controlled = state.clock === 'controlled';
    setText($('facts'), 'edition ' + state.edition + ' · ' + (controlled ? 'controlled clock' : 'real clock, up ' + span(state.nowMs)));
    $('clock').hidden = !controlled;
    if (controlled) {
      setText($('now'), exact(state.nowMs));
      const next = state.nextEventAtMs;
      setText($('next'), next === null ? 'nothing is due' : 'next event ' + (next <= state.nowMs ? 'now' : 'in ' + span(next - state.nowMs)));
      $('to-next').disabled = busy || next === null;
    }
    syncChildren($('endpoints'), state.endpoints, (endpoint) => endpoint.id, makeEndpoint, (card, endpoint) => showEndpoint(card, endpoint, state));
    setText($('left-out'), state.endpointsLeftOut > 0 ? 'and ' + state.endpointsLeftOut + ' more endpoints without activity' : '');
    syncChildren($('calls'), state.calls, (call) => call.number, makeCall, (row, call) => showCall(row, call, state.nowMs));
    $('no-calls').hidden = state.calls.length > 0;
    $('calls-table').hidden = state.calls.length === 0;
    $('main').hidden = false;
  }

  function link(kind, sign, words) {
    setClass($('link'), 'link ' + kind);
    setText(document.querySelector('#link .sign'), sign);
    setText($('link-words'), words);
    setClass($('main'), kind === 'lost' ? 'wide stale' : 'wide');
  }

  let key = sessionStorage.getItem('key');
  const headers = () => ({ 'x-runproof-page': '1', ...(key ? { authorization: key } : {}) });
  const ask = (path, method) => fetch(path, { method, headers: headers(), cache: 'no-store', signal: AbortSignal.timeout(method === 'GET' ? 5000 : 60000) });

  let timer;
  async function refresh() {
    clearTimeout(timer);
    let pauseMs = document.hidden ? 5000 : 700;
    try {
      const reply = await ask('/_page/state', 'GET');
      $('key-form').hidden = reply.status !== 401;
      if (reply.status === 401) { link('', '◌', 'waiting for the key'); $('main').hidden = true; return; }
      if (!reply.ok) throw new Error();
      show(await reply.json());
      link('live', '●', 'live');
    } catch {
      link('lost', '✕', 'connection lost, trying again');
      pauseMs = 1000;
    }
    clearTimeout(timer);
    timer = setTimeout(refresh, pauseMs);
  }

  async function advance(by) {
    const buttons = [...document.querySelectorAll('[data-by]')];
    busy = true;
    for (const button of buttons) button.setAttribute('aria-disabled', 'true');
    try { await ask('/_page/advance?by=' + by, 'POST'); } catch { /* the next refresh shows the result */ }
    busy = false;
    for (const button of buttons) button.removeAttribute('aria-disabled');
    await refresh();
  }

  document.addEventListener('click', (event) => {
    const by = event.target.closest('[data-by]')?.dataset.by;
    if (by !== undefined && !busy) void advance(by);
  });
  document.addEventListener('visibilitychange', () => { if (!document.hidden) void refresh(); });
  $('key-form').addEventListener('submit', (event) => {
    event.preventDefault();
    key = $('key').value.trim();
    sessionStorage.setItem('key', key);
    $('key').value = '';
    void refresh();
  });
  void refresh();
})();
`;
