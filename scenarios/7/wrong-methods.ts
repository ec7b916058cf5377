import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'how the service treats the right path with the wrong method',
  script: (_, s) => [
    // This job is not read afterwards: a target may treat GET like POST and cancel it.
    s.run('job'),
    s.raw('GET', '/run', 'wrong-method'),
    s.raw('GET', '/runsync', 'wrong-method'),
    s.raw('DELETE', '/status/{job:job}', 'wrong-method'),
    s.raw('GET', '/cancel/{job:job}', 'wrong-method'),
    s.raw('GET', '/retry/{job:job}', 'wrong-method'),
    s.raw('PUT', '/health', 'wrong-method'),
    s.raw('GET', '/no-such-operation', 'unknown-path'),
    s.raw('GET', '/status', 'unknown-path'),
  ],
});
