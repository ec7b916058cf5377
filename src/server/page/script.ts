import { ACTS } from './script/acts.js';
import { BASICS } from './script/basics.js';
import { CALL } from './script/call.js';
import { DEPTH } from './script/depth.js';
import { ENDPOINTS } from './script/endpoints.js';
import { JOB } from './script/job.js';
import { NEXT } from './script/next.js';

const MAIN = `
  let last = null;
  function show(state) {
    last = state;
    published = state.publishedKey;
    const controlled = state.clock === 'controlled';
    setText($('facts'), 'edition ' + state.edition + ' · ' + (controlled ? 'controlled clock' : 'real clock, up ' + span(state.nowMs)));
    document.body.classList.toggle('only-shows', !state.acts);
    $('no-acts').hidden = state.acts;
    $('clock').hidden = !controlled;
    if (controlled) {
      setText($('now'), exact(state.nowMs));
      const next = state.nextEventAtMs;
      setText($('next'), next === null ? 'nothing is due' : 'next event ' + (next <= state.nowMs ? 'now' : 'in ' + span(next - state.nowMs)));
      for (const button of document.querySelectorAll('[data-by], #jump-form button')) button.disabled = busy;
      $('to-next').disabled = busy || next === null;
    }
    showEvents(state);
    syncChildren($('submit-endpoint'), state.endpoints, (endpoint) => endpoint.id, (endpoint) => make('option', '', endpoint.id), () => {});
    $('submit-endpoint').closest('label').hidden = state.endpoints.length < 2;
    syncChildren($('endpoints'), state.endpoints, (endpoint) => endpoint.id, makeEndpoint, (card, endpoint) => showEndpoint(card, endpoint, state));
    setText($('left-out'), state.endpointsLeftOut > 0 ? 'and ' + state.endpointsLeftOut + ' more endpoints without activity' : '');
    showFaults(state);
    syncChildren($('calls'), state.calls, (call) => call.number, (call) => makeCall(call, state.acts), (row, call) => showCall(row, call, state.nowMs));
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

  let timer;
  async function refresh() {
    clearTimeout(timer);
    let pauseMs = document.hidden ? 5000 : 700;
    try {
      const reply = await ask('/_page/state', 'GET');
      if (reply.status === 401) {
        link('', '◌', 'waiting for the key');
        $('main').hidden = true;
        if ($('key-form').hidden) askForKey('Other machines can reach this server, so the page needs an API key.');
        return;
      }
      if (!reply.ok) throw new Error();
      const isFirst = last === null;
      show(await reply.json());
      link('live', '●', 'live');
      if (isFirst) openFromAddress();
      else await refreshJob();
    } catch {
      link('lost', '✕', 'connection lost, trying again');
      pauseMs = 1000;
    }
    clearTimeout(timer);
    timer = setTimeout(refresh, pauseMs);
  }

  document.addEventListener('click', (event) => {
    const by = event.target.closest('[data-by]')?.dataset.by;
    if (by !== undefined && !busy) void advance('by=' + by);
  });
  $('jump-form').addEventListener('submit', (event) => {
    event.preventDefault();
    const byMs = duration($('jump').value);
    if (byMs === null) say(false, 'Write a time such as 90 s, 10 min, 24 h or 500 ms.');
    else if (!busy) void advance('by=' + byMs);
  });
  document.addEventListener('visibilitychange', () => { if (!document.hidden) void refresh(); });
  $('key-form').addEventListener('submit', (event) => {
    event.preventDefault();
    key = $('key').value.trim();
    sessionStorage.setItem('key', key);
    $('key').value = '';
    $('key-form').hidden = true;
    void refresh();
  });
  $('submit-body').value = EXAMPLES[0].body;
  listRecent();
  void refresh();
`;

/** The page's script. What comes from clients is set as text, never as markup. It has no backslash and no backtick. */
export const SCRIPT = `'use strict';\n(() => {${BASICS}${ACTS}${NEXT}${DEPTH}${ENDPOINTS}${JOB}${CALL}${MAIN}})();\n`;
