import { randomUUID } from 'node:crypto';
import express from 'express';
import { runScriptedWorker } from 'runproof';

const app = express();
const jobs = new Map();
const waiting = [];
let isBusy = false;

async function work() {
  if (isBusy || waiting.length === 0) return;
  isBusy = true;
  const job = waiting.shift();
  job.status = 'IN_PROGRESS';
  const result = await runScriptedWorker(job, { signal: job.stop.signal, emit() {} }).then(
    (output) => ({ status: 'COMPLETED', output }),
    () => ({ status: 'FAILED' }),
  );
  Object.assign(job, result);
  isBusy = false;
  work();
}

app.use((request, response, next) =>
  request.headers.authorization === 'secret' ? next() : response.status(401).json({ error: 'wrong key' }),
);
app.use('/v2/test/:call/:id', (request, response, next) =>
  jobs.has(request.params.id) ? next() : response.status(404).json({ error: 'no such job' }),
);
app.post('/v2/test/run', express.json({ limit: '10mb' }), ({ body }, response) => {
  if (!body?.input) return response.status(400).json({ error: 'input is missing' });
  const job = { id: randomUUID(), status: 'IN_QUEUE', input: body.input, stop: new AbortController() };
  jobs.set(job.id, job);
  waiting.push(job);
  setTimeout(() => jobs.delete(job.id) && job.stop.abort(), body.policy?.ttl ?? 86_400_000);
  response.json({ id: job.id, status: job.status });
  work();
});
app.get('/v2/test/status/:id', (request, response) => {
  const { id, status, output } = jobs.get(request.params.id);
  response.json({ id, status, output, delayTime: 0, executionTime: 0 });
});
app.post('/v2/test/cancel/:id', (request, response) => {
  const job = jobs.get(request.params.id);
  job.status = 'CANCELLED';
  job.stop.abort();
  response.json({ id: job.id, status: job.status });
});
app.use((request, response) => response.status(404).json({ error: 'no such operation' }));
app.listen(3000);
