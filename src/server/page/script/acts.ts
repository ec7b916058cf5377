/** Everything that changes something: by the API, or by the page's own calls. */
export const ACTS = `
  const TOKEN = document.querySelector('meta[name="runproof-token"]').content;
  let key = sessionStorage.getItem('key');
  let published = null;
  let busy = false;
  const headers = () => {
    const used = key ?? published;
    return { 'x-runproof-page': TOKEN, ...(used ? { authorization: used } : {}) };
  };
  const ask = (path, method, body) => fetch(path, {
    method, body, cache: 'no-store',
    headers: body === undefined ? headers() : { ...headers(), 'content-type': 'application/json' },
    signal: AbortSignal.timeout(method === 'GET' ? 5000 : 60000),
  });

  function askForKey(why) {
    setText($('key-why'), why + ' It is kept in this tab only.');
    $('key-form').hidden = false;
    $('key').focus();
  }
  function hasKey(why) {
    if (key ?? published) return true;
    askForKey(why);
    return false;
  }
  function refuseKey() {
    key = null;
    sessionStorage.removeItem('key');
    askForKey('The API key is not accepted.');
  }

  let saidTimer;
  function say(isGood, words) {
    const said = $('said');
    setClass(said, isGood ? 'good' : 'bad');
    setText(said, words);
    said.hidden = false;
    // A modal dialog hides everything behind it.
    ($('job').open ? $('job') : document.body).append(said);
    clearTimeout(saidTimer);
    saidTimer = setTimeout(() => { said.hidden = true; }, isGood ? 5000 : 12000);
  }

  /** Null when there is no answer, or none that may be used. */
  async function post(what, send) {
    if (!hasKey('To act, this page needs an API key, as the API does.')) return null;
    try {
      const reply = await send();
      const answer = await reply.json().catch(() => null);
      if (reply.status === 401) { refuseKey(); return null; }
      if (!reply.ok) say(false, what + ': ' + reply.status + ', ' + (answer?.error ?? 'refused'));
      return reply.ok ? (answer ?? {}) : null;
    } catch (error) {
      say(false, what + ': ' + (error.name === 'TimeoutError' ? 'no answer yet' : 'no answer'));
      return null;
    }
  }

  /** A call of the API, without faults on demand. It may wait for as long as a job runs. */
  async function callApi(what, endpoint, path, body) {
    const answer = await post(what, () => fetch('/v2/' + encodeURIComponent(endpoint) + '/' + path, {
      method: 'POST', body,
      headers: { ...headers(), 'x-runproof-fault': 'none', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    }));
    if (answer !== null) say(true, what + ': ' + [answer.id, answer.status, answer.removed === undefined ? undefined : answer.removed + ' removed'].filter((part) => part !== undefined).join(', '));
    void refresh();
    return answer;
  }

  async function advance(how) {
    busy = true;
    show(last);
    const answer = await post('advance', () => ask('/_page/advance?' + how, 'POST'));
    busy = false;
    if (answer?.ended === false) say(false, 'Nothing more is due, and the job has not ended.');
    else if (answer !== null) say(true, 'now ' + exact(answer.nowMs));
    await refresh();
  }

  const LINE = String.fromCharCode(10);
  /** A line for each member. */
  const bodyOf = (members) => '{' + LINE + Object.entries(members).map(([name, value]) => '  ' + JSON.stringify(name) + ': ' + JSON.stringify(value)).join(',' + LINE) + LINE + '}';
  const EXAMPLES = [
    ['works for 5 s, then returns', { input: { plan: [{ sleepMs: 5000 }, { return: 'done' }] } }],
    ['streams three results', { input: { plan: [{ stream: 'one' }, { sleepMs: 2000 }, { stream: 'two' }, { sleepMs: 2000 }, { stream: 'three' }] } }],
    ['fails, and succeeds when retried', { input: { plan: [{ fail: 'out of memory' }], planOnRetry: [{ return: 'done' }] } }],
    ['crashes its worker', { input: { plan: [{ sleepMs: 2000 }, { crash: true }] } }],
    ['hangs until executionTimeout', { input: { plan: [{ hang: true }] }, policy: { executionTimeout: 10000 } }],
    ['expires by ttl', { input: { plan: [{ hang: true }] }, policy: { ttl: 10000 } }],
    ['calls a webhook', { input: { plan: [{ return: 'done' }] }, webhook: 'http://127.0.0.1:9000/webhook' }],
    ['any input', { input: { prompt: 'hello' } }],
  ].map(([label, body]) => ({ label, op: 'run', body: bodyOf(body) }));
  const RECENT_MAX = 12;

  function recent() {
    try {
      const kept = JSON.parse(localStorage.getItem('runproof-recent') ?? '[]');
      return Array.isArray(kept) ? kept.filter((each) => typeof each?.body === 'string' && typeof each.op === 'string') : [];
    } catch { return []; }
  }
  function remember(op, body) {
    const kept = [{ op, body }, ...recent().filter((each) => each.op !== op || each.body !== body)].slice(0, RECENT_MAX);
    try { localStorage.setItem('runproof-recent', JSON.stringify(kept)); } catch { /* too large: not remembered */ }
    listRecent();
  }
  function compact(text) {
    try { return JSON.stringify(JSON.parse(text)); } catch { return text; }
  }
  function listRecent() {
    const group = (label, entries) => {
      const element = make('optgroup');
      element.label = label;
      for (const entry of entries) {
        const option = make('option', '', entry.label ?? (entry.op + ' ' + compact(entry.body)).slice(0, 60));
        option.entry = entry;
        element.append(option);
      }
      return element;
    };
    const own = recent();
    const first = make('option', '', 'choose …');
    first.value = '';
    $('recent').replaceChildren(first, ...(own.length > 0 ? [group('Recent', own)] : []), group('Examples', EXAMPLES));
    $('forget').hidden = own.length === 0;
  }

  $('recent').addEventListener('change', () => {
    const { entry } = $('recent').selectedOptions[0];
    if (entry === undefined) return;
    $('submit-body').value = entry.body;
    $('submit-op').value = entry.op;
    setText($('submit-wrong'), '');
  });
  $('forget').addEventListener('click', () => { localStorage.removeItem('runproof-recent'); listRecent(); });
  $('submit-body').addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) $('submit-form').requestSubmit();
  });
  $('submit-form').addEventListener('submit', (event) => {
    event.preventDefault();
    const body = $('submit-body').value;
    const op = $('submit-op').value;
    let wrong = '';
    // It is sent anyway: the answer to a wrong body is worth seeing, too.
    try { JSON.parse(body); } catch (error) { wrong = 'This is not JSON: ' + error.message; }
    setText($('submit-wrong'), wrong);
    remember(op, body);
    void callApi(op, $('submit-endpoint').value, op, body);
  });

  $('fault-form').addEventListener('submit', async (event) => {
    event.preventDefault();
    setText($('fault-wrong'), '');
    const reply = await post('add a fault', async () => {
      const sent = await ask('/_page/faults', 'POST', JSON.stringify({ add: $('fault').value }));
      if (sent.status === 400) setText($('fault-wrong'), (await sent.clone().json()).error);
      return sent;
    });
    if (reply !== null) $('fault').value = '';
    await refresh();
  });
  const changeFault = (change) => void post('change a fault', () => ask('/_page/faults', 'POST', JSON.stringify(change))).then(refresh);

  function makeRule(rule) {
    const item = make('li');
    const label = make('label');
    const box = make('input');
    box.type = 'checkbox';
    box.addEventListener('change', () => changeFault({ turn: rule.id, on: box.checked }));
    label.append(box, make('code', '', rule.text));
    const remove = makeButton('small acts', 'Remove');
    remove.setAttribute('aria-label', 'Remove ' + rule.text);
    remove.addEventListener('click', () => changeFault({ remove: rule.id }));
    item.append(label, make('span', 'soft'), remove);
    return item;
  }
  function showFaults(state) {
    const { faults } = state;
    $('faults').hidden = faults === null;
    if (faults === null) return;
    const on = faults.rules.filter((rule) => rule.on).length;
    setText($('faults-sum'), (on === 0 ? 'none' : on === 1 ? '1 rule is on' : on + ' rules are on') + ', seed ' + faults.seed);
    syncChildren($('rules'), faults.rules, (rule) => rule.id, makeRule, (item, rule) => {
      const box = item.querySelector('input');
      box.checked = rule.on;
      box.disabled = !state.acts;
      setText(item.children[1], rule.injected + ' of ' + rule.seen);
    });
    $('injected-title').hidden = faults.recent.length === 0;
    syncLines($('injected'), faults.recent.map((fault) => span(state.nowMs - fault.atMs) + ' ago: ' + fault.on + ' ' + fault.fault + (fault.job === null ? '' : ', job ' + short(fault.job)) + ', by ' + (fault.rule ?? 'request')));
  }
`;
