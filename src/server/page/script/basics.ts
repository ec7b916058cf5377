/** Elements and times. No part of the script has a backslash or a backtick. */
export const BASICS = `
  const $ = (id) => document.getElementById(id);
  const STATUS = {
    IN_QUEUE: ['wait', '○'], IN_PROGRESS: ['run', '▸'], COMPLETED: ['good', '✓'],
    FAILED: ['bad', '✕'], CANCELLED: ['over', '–'], TIMED_OUT: ['bad', '!'],
  };
  const WORKERS = { running: ['run', '●'], idle: ['good', '○'], starting: ['wait', '◐'], restarting: ['wait', '↻'] };

  function make(tag, name, text) {
    const element = document.createElement(tag);
    if (name) element.className = name;
    if (text !== undefined) element.textContent = text;
    return element;
  }
  function makeButton(name, text) {
    const button = make('button', name, text);
    button.type = 'button';
    return button;
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
  const syncLines = (list, lines) => syncChildren(list, lines.map((line, at) => [at, line]), ([at]) => at, () => make('li'), (item, [, line]) => setText(item, line));

  const two = (n) => String(n).padStart(2, '0');
  function span(ms) {
    if (ms === null || ms === undefined) return '–';
    const s = Math.max(0, ms) / 1000;
    if (s < 100) return s.toFixed(1) + ' s';
    if (s < 3600) return Math.floor(s / 60) + ' min ' + two(Math.floor(s % 60)) + ' s';
    if (s < 86400) return Math.floor(s / 3600) + ' h ' + two(Math.floor(s / 60 % 60)) + ' min';
    return Math.floor(s / 86400) + ' d ' + two(Math.floor(s / 3600 % 24)) + ' h';
  }
  /** Without a remainder of zero: 3 s, 30 m, 1 d. */
  const brief = (ms) => span(ms).replace(/[.]0 s$| 00 [smh]$/, (zero) => zero === '.0 s' ? ' s' : '');
  function exact(ms) {
    const days = Math.floor(ms / 86400000);
    const time = two(Math.floor(ms / 3600000) % 24) + ':' + two(Math.floor(ms / 60000) % 60) + ':' + two(Math.floor(ms / 1000) % 60);
    return (days > 0 ? days + ' d ' : '') + time + '.' + String(ms % 1000).padStart(3, '0');
  }
  /** 90 s, 10 min, 24 h; null for anything else. */
  function duration(text) {
    const [, number, unit] = /^ *([0-9]+(?:[.][0-9]+)?) *(ms|s|m|min|h|d) *$/.exec(text) ?? [];
    const units = { ms: 1, s: 1000, m: 60000, min: 60000, h: 3600000, d: 86400000 };
    return unit === undefined ? null : Math.round(Number(number) * units[unit]);
  }
  const sinceOf = (from, to) => from === null ? null : to - from;
  const untilOf = (end, now) => end === null ? null : end - now;
`;
