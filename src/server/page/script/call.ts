/** One call, in a dialog: what was sent, what was answered, and how to send it again. */
export const CALL = `
  async function openCall(number) {
    if (!hasKey('To open calls, this page needs an API key, as the API does.')) return;
    const answer = await ask('/_page/call?number=' + number, 'GET');
    const call = await answer.json();
    if (answer.status === 401) return refuseKey();
    if (!answer.ok) return say(false, call.error);
    setText($('call-title'), call.method + ' ' + call.path);
    showAnswer($('call-status'), call);
    showBody('call-request', call.request);
    showBody('call-reply', call.reply);
    if (showPart($('call-curl'), call.curl !== null)) setText($('call-curl'), call.curl + " '" + location.origin + call.path.replaceAll("'", '%27') + "'");
    $('call').showModal();
  }

  function showBody(id, text) {
    if (!showPart($(id), text !== null)) return;
    let value = text;
    try { value = json(JSON.parse(text)); } catch {}
    setText($(id), value);
  }

  $('call-close').addEventListener('click', () => $('call').close());
  $('call').addEventListener('click', (event) => { if (event.target === $('call')) $('call').close(); });
`;
