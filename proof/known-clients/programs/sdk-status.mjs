import runpodSdk from 'runpod-sdk';

const { RUNPOD_API_KEY, RUNPOD_ENDPOINT_BASE_URL, RUNPOD_ENDPOINT_ID } = process.env;
const endpoint = runpodSdk(RUNPOD_API_KEY, { baseUrl: RUNPOD_ENDPOINT_BASE_URL }).endpoint(
  RUNPOD_ENDPOINT_ID,
);
const { id } = await endpoint.run({ input: { prompt: 'a cat' } });
let { status } = await endpoint.status(id);
for (let reads = 1; status === 'IN_QUEUE' || status === 'IN_PROGRESS'; reads += 1) {
  if (reads === 500) await endpoint.cancel(id);
  await new Promise((resolve) => setTimeout(resolve, 200));
  ({ status } = await endpoint.status(id));
}
if (status !== 'COMPLETED') throw new Error(`the job is ${status}`);
