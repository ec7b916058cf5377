import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a body that is missing, not JSON or not an object is answered with 400',
  script: (_, s) =>
    ['/run', '/runsync'].map((path) => [
      s.raw('POST', path, 'truncated-json', { bodyText: '{"input": {"prompt": "hi"' }),
      s.raw('POST', path, 'not-json', { bodyText: 'input=hello' }),
      s.raw('POST', path, 'single-quotes', { bodyText: "{'input': {'prompt': 'hi'}}" }),
      s.raw('POST', path, 'two-values', { bodyText: '{"input": {}} {"input": {}}' }),
      s.raw('POST', path, 'trailing-comma', { bodyText: '{"input": {"prompt": "hi"},}' }),
      s.raw('POST', path, 'array-body', { bodyText: '[{"input": {"prompt": "hi"}}]' }),
      s.raw('POST', path, 'string-body', { bodyText: '"input"' }),
      s.raw('POST', path, 'number-body', { bodyText: '7' }),
      s.raw('POST', path, 'null-body', { bodyText: 'null' }),
      s.raw('POST', path, 'true-body', { bodyText: 'true' }),
      s.raw('POST', path, 'no-body'),
      s.raw('POST', path, 'empty-body', { bodyText: '' }),
      s.raw('POST', path, 'blank-body', { bodyText: '  \n' }),
    ]),
});
