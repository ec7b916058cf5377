/** The script of the emulator's live page. */
import { render, useLayoutEffect, useState } from 'hono/jsx/dom';
import type { PageState } from '../../server/page/page-state.js';
import { parseDuration } from '../../util/duration.js';
import { CallDialog, Calls } from './calls.js';
import { Endpoint } from './endpoints.js';
import { Faults } from './faults.js';
import { JobDialog } from './job.js';
import { Filter } from './filter.js';
import { Next } from './next.js';
import { onChange, page, say } from './page.js';
import { Button, FieldForm, Said } from './parts.js';
import { advance, refresh, useKey } from './server.js';
import { Submit } from './submit.js';
import { clockTime, span } from './times.js';

const LINKS = {
  connecting: ['', '◌'],
  'waiting for the key': ['', '◌'],
  live: ['live', '●'],
  'connection lost, trying again': ['lost', '✕'],
};
const STEPS = ['1 s', '1 min', '1 h'];
const ONLY_SHOWS =
  'This page is read-only, because other machines can reach this server. To act, use the API and test control, or start serve without --host.';

function Header() {
  const { state, link } = page;
  const [kind, sign] = LINKS[link];
  const clock =
    state &&
    (state.clock === 'controlled'
      ? 'controlled clock'
      : state.speed === 1
        ? `real clock, up ${span(state.nowMs)}`
        : `time runs ${state.speed} times as fast, up ${span(state.nowMs)}`);
  return (
    <header>
      <div class="wide">
        <h1>
          Runproof <span>endpoint emulator</span>
        </h1>
        <p class="facts">{state && `edition ${state.edition} · ${clock}`}</p>
        <p class={`link ${kind}`} role="status">
          <span aria-hidden="true">{sign}</span> <span>{link}</span>
        </p>
      </div>
    </header>
  );
}

function KeyForm({ why }: { readonly why: string }) {
  useLayoutEffect(() => document.getElementById('key')?.focus(), []);
  return (
    <FieldForm
      id="key"
      class="wide card"
      label="API key"
      button="Use"
      field={{ type: 'password' }}
      send={useKey}
    >
      <p class="soft">{why}</p>
    </FieldForm>
  );
}

function jump(text: string): void {
  const byMs = parseDuration(text);
  if (byMs === null) say(false, 'Write a time such as 90 s, 10 min, 24 h or 500 ms.');
  else void advance({ by: byMs });
}

function Clock({ state: { nowMs, nextEventAtMs } }: { readonly state: PageState }) {
  const inMs = nextEventAtMs === null ? null : nextEventAtMs - nowMs;
  const next = inMs === null ? 'nothing is due' : `next event ${inMs <= 0 ? 'now' : `in ${span(inMs)}`}`;
  return (
    <section class="card clock" aria-label="Controlled clock">
      <div>
        <h2>Controlled clock</h2>
        <p class="time">
          <output id="now">{clockTime(nowMs)}</output>
        </p>
        <p class="soft">{next}</p>
      </div>
      <div class="buttons acts" role="group" aria-label="Advance the clock">
        <Button class="first" off={page.busy || inMs === null} press={() => advance({ by: 'next' })}>
          To the next event
        </Button>
        {STEPS.map((step) => (
          <Button key={step} off={page.busy} press={() => jump(step)}>
            {`+ ${step}`}
          </Button>
        ))}
        <FieldForm
          id="jump"
          button="Jump"
          off={page.busy}
          field={{ 'aria-label': 'Time to advance, such as 90 s or 10 min', placeholder: '90 s', size: 7 }}
          send={jump}
        />
      </div>
    </section>
  );
}

function Main({ state }: { readonly state: PageState }) {
  const { acts, clock, endpoints, endpointsLeftOut, faults } = state;
  const isStale = page.link === 'connection lost, trying again';
  return (
    <main
      class={`wide${acts ? '' : ' only-shows'}${isStale ? ' stale' : ''}`}
      hidden={page.link === 'waiting for the key'}
    >
      {!acts && <p class="soft">{ONLY_SHOWS}</p>}
      {clock === 'controlled' && <Clock state={state} />}
      <div class="two">
        <Next state={state} />
        <Submit />
      </div>
      <Filter fault={state.filterFault} />
      <div id="endpoints">
        {endpoints.map((endpoint) => (
          <Endpoint key={endpoint.id} endpoint={endpoint} />
        ))}
      </div>
      {endpointsLeftOut > 0 && (
        <p class="soft">{`and ${endpointsLeftOut} more endpoints without activity`}</p>
      )}
      {faults !== null && <Faults faults={faults} />}
      <Calls state={state} />
    </main>
  );
}

function App() {
  const [{ state, keyWhy, job, call }, show] = useState(page);
  onChange(show);
  return (
    <>
      <Header />
      {keyWhy !== null && <KeyForm why={keyWhy} />}
      {state !== null && <Main state={state} />}
      {job !== null && <JobDialog opened={job} />}
      {call !== null && <CallDialog call={call} />}
      {job === null && call === null && <Said />}
    </>
  );
}

render(<App />, document.body);
document.addEventListener('visibilitychange', () => void (document.hidden || refresh()));
void refresh();
