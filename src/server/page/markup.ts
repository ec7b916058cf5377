/** The static page. Client data is never inserted as markup: the script sets text. */
export const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
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
  <button>Show</button>
  <p class="soft">Other machines can reach this server, so the page needs an API key. It is kept in this tab only.</p>
</form>
<main class="wide" id="main" hidden>
  <section id="clock" class="card clock" aria-labelledby="clock-title" hidden>
    <div>
      <h2 id="clock-title">Controlled clock</h2>
      <p class="time"><output id="now">0</output></p>
      <p class="soft" id="next">&nbsp;</p>
    </div>
    <div class="buttons" role="group" aria-label="Advance the clock">
      <button type="button" class="first" data-by="next" id="to-next">To the next event</button>
      <button type="button" data-by="1000">+ 1 s</button>
      <button type="button" data-by="60000">+ 1 min</button>
      <button type="button" data-by="3600000">+ 1 h</button>
    </div>
  </section>
  <div id="endpoints"></div>
  <p class="soft" id="left-out"></p>
  <section aria-labelledby="calls-title">
    <h2 id="calls-title">Last calls</h2>
    <div class="scroll" id="calls-table"><table class="calls">
      <thead><tr><th scope="col">When</th><th scope="col">Method</th><th scope="col">Path</th><th scope="col">Answer</th><th scope="col" class="number">Took</th></tr></thead>
      <tbody id="calls"></tbody>
    </table></div>
    <p class="soft empty" id="no-calls" hidden>No calls yet.</p>
  </section>
</main>
</body>
</html>
`;
