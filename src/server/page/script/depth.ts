/** The chart of an endpoint's jobs that wait and run. */
export const DEPTH = `
  const SVG = 'http://www.w3.org/2000/svg';
  const [CHART_WIDTH, CHART_HEIGHT] = [600, 64];
  /** How long ago the chart begins at most, on a real clock. */
  const CHART_MS = 300000;
  const KINDS = ['waiting', 'running'];

  function makeDepth() {
    const figure = make('figure', 'depth');
    const chart = document.createElementNS(SVG, 'svg');
    chart.setAttribute('viewBox', '0 -2 ' + CHART_WIDTH + ' ' + (CHART_HEIGHT + 4));
    chart.setAttribute('preserveAspectRatio', 'none');
    chart.setAttribute('role', 'img');
    const caption = make('figcaption', 'soft');
    for (const kind of KINDS) {
      const path = document.createElementNS(SVG, 'path');
      path.setAttribute('class', kind);
      chart.append(path);
      const key = make('span', 'key ' + kind, '■');
      key.setAttribute('aria-hidden', 'true');
      caption.append(key, make('span', 'words'));
    }
    caption.append(make('span', 'since'));
    figure.append(chart, caption);
    return figure;
  }

  /** Where each instant is: to scale, or, where the clock jumps, by the logarithm of the time since the one before. */
  function placesOf(times, isReal) {
    let sum = 0;
    const sums = times.map((ms, at) => (sum += at === 0 ? 0 : isReal ? ms - times[at - 1] : Math.log2(2 + ms - times[at - 1])));
    return sums.map((each) => (sum === 0 ? 0 : (each / sum) * CHART_WIDTH));
  }

  /** @param points from which instant on how many jobs waited and ran */
  function showDepth(figure, points, state) {
    const isReal = state.clock === 'real';
    const fromMs = Math.max(points.length === 0 ? 0 : points[0][0], isReal ? state.nowMs - CHART_MS : 0);
    const first = Math.max(0, points.findLastIndex(([atMs]) => atMs <= fromMs));
    const shown = points.slice(first);
    figure.hidden = shown.length < 2 && !shown.some(([, waiting, running]) => waiting + running > 0);
    if (figure.hidden) return;
    const places = placesOf([...shown.map(([atMs]) => Math.max(fromMs, atMs)), Math.max(fromMs, state.nowMs)], isReal);
    const most = KINDS.map((_, at) => Math.max(...shown.map((point) => point[at + 1])));
    const high = Math.max(1, ...most);
    const height = (count) => (CHART_HEIGHT - (count / high) * CHART_HEIGHT).toFixed(1);
    KINDS.forEach((kind, at) => {
      const steps = shown.map((point, index) => 'V' + height(point[at + 1]) + 'H' + places[index + 1].toFixed(1));
      const path = 'M0 ' + CHART_HEIGHT + steps.join('') + 'V' + CHART_HEIGHT;
      const element = figure.querySelector('path.' + kind);
      if (element.getAttribute('d') !== path) element.setAttribute('d', path);
    });
    const now = shown[shown.length - 1];
    const words = KINDS.map((kind, at) => ' ' + kind + ' ' + now[at + 1] + ', at most ' + most[at]);
    const over = ' over the last ' + brief(state.nowMs - fromMs) + (isReal ? '' : ' (gaps to a logarithmic scale)');
    figure.querySelector('svg').setAttribute('aria-label', 'Jobs' + words.join(';') + over);
    figure.querySelectorAll('.words').forEach((element, at) => setText(element, words[at] + (at === 0 ? ' ' : '')));
    setText(figure.querySelector('.since'), over);
  }
`;
