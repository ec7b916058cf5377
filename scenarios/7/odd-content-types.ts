import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'what the service makes of a JSON body under another content type, or under none',
  exercises: ['7/no-500-for-client-errors'],
  script: (_, s) =>
    [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=utf-8',
      'application/octet-stream',
      null,
    ].map((contentType) =>
      s.raw('POST', '/run', 'content-type', {
        contentType,
        bodyText: '{"input": {"plan": [{"return": 1}]}}',
      }),
    ),
});
