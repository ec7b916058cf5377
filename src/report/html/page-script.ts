/** The page's script: filters and copy buttons. The page is readable without it. */
export const PAGE_SCRIPT = `
(() => {
  const form = document.querySelector('form.filters');
  const rows = [...document.querySelectorAll('table.requirements tbody tr')];
  let only = null;
  const save = () => {
    const data = new FormData(form);
    const all = form.querySelectorAll('[name=mark]').length;
    const marks = data.getAll('mark');
    const state = new URLSearchParams();
    if (marks.length < all) state.set('mark', marks.join(' '));
    for (const name of ['section', 'level', 'text']) if (data.get(name)) state.set(name, data.get(name));
    const words = String(state);
    if (words || location.hash.startsWith('#requirements?')) history.replaceState(null, '', '#requirements' + (words && '?' + words));
  };
  const restore = () => {
    const [place, words] = location.hash.split('?');
    if (place !== '#requirements' || words === undefined) return;
    const state = new URLSearchParams(words);
    for (const box of form.querySelectorAll('[name=mark]')) box.checked = !state.has('mark') || state.get('mark').split(' ').includes(box.value);
    for (const name of ['section', 'level', 'text']) form.elements[name].value = state.get(name) ?? '';
    only = state.has('ids') ? new Set(state.get('ids').split(' ')) : null;
    document.getElementById('requirements').scrollIntoView();
  };
  const sort = (button) => {
    const head = button.closest('th');
    const column = [...head.parentElement.children].indexOf(head);
    const down = head.getAttribute('aria-sort') === 'ascending';
    for (const other of head.parentElement.children) other.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    const key = (row) => row.children[column].textContent;
    const number = button.dataset.sort === 'number';
    const order = (a, b) => number ? Number(key(a)) - Number(key(b)) : key(a).localeCompare(key(b));
    const sorted = rows.slice().sort((a, b) => down ? order(b, a) : order(a, b));
    document.querySelector('table.requirements tbody').append(...sorted);
  };
  const apply = () => {
    const data = new FormData(form);
    const marks = new Set(data.getAll('mark'));
    const words = String(data.get('text')).toLowerCase().split(/\\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      const fits = only ? only.has(row.id)
        : marks.has(row.dataset.mark)
          && (!data.get('section') || row.dataset.section === data.get('section'))
          && (!data.get('level') || row.dataset.level === data.get('level'))
          && words.every((word) => text.includes(word));
      row.hidden = !fits;
      row.classList.toggle('hit', Boolean(only && fits));
      if (fits) shown += 1;
    }
    form.querySelector('output').textContent = shown + ' of ' + rows.length + ' shown';
  };
  form.addEventListener('input', () => { only = null; apply(); save(); });
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', () => { only = null; setTimeout(() => { apply(); save(); }); });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    event.preventDefault();
    form.elements.text.scrollIntoView({ block: 'center' });
    form.elements.text.focus();
    form.elements.text.select();
  });
  document.addEventListener('click', (event) => {
    const sorter = event.target.closest('[data-sort]');
    if (sorter) { sort(sorter); return; }
    const note = event.target.closest('a.note');
    if (note) { only = new Set(note.dataset.ids.split(' ')); apply(); return; }
    const section = event.target.closest('[data-section-link]');
    if (section) { only = null; form.reset(); form.elements.section.value = section.dataset.sectionLink; setTimeout(() => { form.elements.section.value = section.dataset.sectionLink; apply(); }); return; }
    const link = event.target.closest('a[href^="#"]');
    // The address does not change, so there is no other sign of the click.
    if (link && link.getAttribute('href') === location.hash) { restore(); apply(); }
    if (link) { const row = document.getElementById(link.getAttribute('href').slice(1)); if (row && row.hidden) { only = null; form.reset(); row.hidden = false; } }
    const copy = event.target.closest('[data-copy]');
    if (copy) {
      const text = copy.previousElementSibling.textContent;
      navigator.clipboard?.writeText(text).then(() => { copy.textContent = 'Copied'; }, () => { copy.textContent = 'Select and copy'; });
    }
  });
  const open = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let at = target; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
    if (target && target.closest('details')) target.scrollIntoView({ block: 'center' });
  };
  addEventListener('hashchange', open);
  addEventListener('hashchange', () => { restore(); apply(); });
  restore();
  apply();
  open();
})();
`;
