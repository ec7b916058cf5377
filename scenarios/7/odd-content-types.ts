import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'how the service treats a JSON body with another content type, or with none',
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
        bodyText: '{"input": {input}}',
      }),
    ),
});
