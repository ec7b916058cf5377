/**
 * The static page. Client data is never inserted as markup: the script sets text.
 * @param token proves that a request comes from the page; of letters, digits, `-` and `_`
 */
export const markupWith = (token: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="runproof-token" content="${token}">
<title>Runproof endpoint</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/_page/style.css">
<script src="/_page/script.js" defer></script>
</head>
<body>
<header>
  <div class="wide">
    <h1>Runproof <span>endpoint emulator</span></h1>
    <p class="facts" id="facts">&nbsp;</p>
    <p class="link" id="link" role="status"><span class="sign" aria-hidden="true">◌</span> <span id="link-words">connecting</span></p>
  </div>
</header>
<noscript><p class="wide">This page shows live numbers and needs its script.</p></noscript>
<form id="key-form" class="wide card" hidden>
  <label for="key">API key</label>
  <input id="key" type="password" autocomplete="off" spellcheck="false" required>
  <button>Use</button>
  <p class="soft" id="key-why"></p>
</form>
<main class="wide" id="main" hidden>
  <p class="soft" id="no-acts" hidden>This page only shows, because other machines can reach this server. To act, use the API and test control, or start serve without --host.</p>
  <section id="clock" class="card clock" aria-labelledby="clock-title" hidden>
    <div>
      <h2 id="clock-title">Controlled clock</h2>
      <p class="time"><output id="now">0</output></p>
      <p class="soft" id="next">&nbsp;</p>
    </div>
    <div class="buttons acts" role="group" aria-label="Advance the clock">
      <button type="button" class="first" data-by="next" id="to-next">To the next event</button>
      <button type="button" data-by="1000">+ 1 s</button>
      <button type="button" data-by="60000">+ 1 min</button>
      <button type="button" data-by="3600000">+ 1 h</button>
      <form id="jump-form"><input id="jump" aria-label="Time to advance, such as 90 s or 10 min" placeholder="90 s" size="7" required><button>Jump</button></form>
    </div>
  </section>
  <div class="two">
    <section class="card" aria-labelledby="events-title">
      <h2 id="events-title">What happens next</h2>
      <ol class="events" id="events"></ol>
      <p class="soft" id="no-events" hidden>Nothing is due. Submit a job.</p>
      <p class="soft" id="real-time" hidden>Time is real. With <code>serve --clock controlled</code> you can jump.</p>
    </section>
    <section class="card acts" aria-labelledby="submit-title">
      <h2 id="submit-title">Submit a job</h2>
      <form id="submit-form">
        <div class="fields">
          <label>Recent and examples <select id="recent"></select></label>
          <label>Endpoint <select id="submit-endpoint"></select></label>
          <label>Operation <select id="submit-op"><option>run</option><option>runsync</option></select></label>
        </div>
        <label for="submit-body">Body (section 2.1)</label>
        <textarea id="submit-body" rows="6" spellcheck="false" autocapitalize="off" required></textarea>
        <p class="bad-text" id="submit-wrong" role="alert"></p>
        <div class="buttons"><button class="first">Submit</button><button type="button" id="forget">Forget recent</button></div>
      </form>
    </section>
  </div>
  <div id="endpoints"></div>
  <p class="soft" id="left-out"></p>
  <details class="card" id="faults" hidden>
    <summary><h2>Faults on demand</h2> <span class="soft" id="faults-sum"></span></summary>
    <ul class="rules" id="rules"></ul>
    <form id="fault-form" class="acts">
      <label for="fault">Add a fault</label>
      <input id="fault" list="fault-forms" placeholder="status:5%=503" spellcheck="false" autocapitalize="off" autocomplete="off" required>
      <datalist id="fault-forms"><option value="status:5%=503"><option value="run:#1=lost-reply"><option value="*:10%=+100ms..2s"><option value="worker:10%=crash"><option value="webhook=duplicate"></datalist>
      <button>Add</button>
      <p class="bad-text" id="fault-wrong" role="alert"></p>
    </form>
    <h3 id="injected-title">Last injected</h3>
    <ul class="plain" id="injected" aria-labelledby="injected-title"></ul>
  </details>
  <section aria-labelledby="calls-title">
    <h2 id="calls-title">Last calls</h2>
    <div class="scroll" id="calls-table"><table class="calls">
      <thead><tr><th scope="col">When</th><th scope="col">Method</th><th scope="col">Path</th><th scope="col">Answer</th><th scope="col" class="number">Took</th></tr></thead>
      <tbody id="calls"></tbody>
    </table></div>
    <p class="soft empty" id="no-calls" hidden>No calls yet.</p>
  </section>
</main>
<dialog id="job" aria-labelledby="job-title">
  <div class="job-head">
    <h2 id="job-title"></h2>
    <span class="pill" id="job-status"></span>
    <button type="button" id="job-close">Close</button>
  </div>
  <div class="buttons" role="group" aria-label="Acts on this job">
    <button type="button" id="job-until" class="first">Advance until it ends</button>
    <button type="button" id="job-cancel">Cancel</button>
    <button type="button" id="job-retry">Retry</button>
  </div>
  <p id="job-gone" class="soft" role="status" hidden></p>
  <dl id="job-facts"></dl>
  <section><h3>What happens next</h3><ol class="events" id="job-events"></ol></section>
  <section><h3>Input</h3><pre id="job-input" tabindex="0"></pre></section>
  <section><h3>Error</h3><pre id="job-error" tabindex="0"></pre></section>
  <section><h3>Output</h3><pre id="job-output" tabindex="0"></pre></section>
  <section><h3>Progress</h3><pre id="job-progress" tabindex="0"></pre></section>
  <section><h3>Stream <span class="soft" id="job-read"></span></h3><ol class="chunks" id="job-chunks"></ol></section>
  <section><h3>Webhook calls</h3><ul class="plain" id="job-webhooks"></ul></section>
  <section><h3>Injected faults</h3><ul class="plain" id="job-faults"></ul></section>
</dialog>
<dialog id="call" aria-labelledby="call-title">
  <div class="job-head">
    <h2 id="call-title"></h2>
    <span class="pill" id="call-status"></span>
    <button type="button" id="call-close">Close</button>
  </div>
  <section><h3>Sent</h3><pre id="call-request" tabindex="0"></pre></section>
  <section><h3>Answered</h3><pre id="call-reply" tabindex="0"></pre></section>
  <section><h3>Send it again</h3><pre id="call-curl" tabindex="0"></pre></section>
</dialog>
<p id="said" role="status" hidden></p>
</body>
</html>
`;
