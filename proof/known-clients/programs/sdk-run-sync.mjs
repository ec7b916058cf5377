import runpodSdk from 'runpod-sdk';

const { RUNPOD_API_KEY, RUNPOD_ENDPOINT_BASE_URL, RUNPOD_ENDPOINT_ID } = process.env;
const endpoint = runpodSdk(RUNPOD_API_KEY, { baseUrl: RUNPOD_ENDPOINT_BASE_URL }).endpoint(
  RUNPOD_ENDPOINT_ID,
);
const { status } = await endpoint.runSync({ input: { prompt: 'a cat' } });
if (status !== 'COMPLETED') throw new Error(`the job is ${status}`);
