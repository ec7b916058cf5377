import runpodSdk from 'runpod-sdk';

const { RUNPOD_API_KEY, RUNPOD_ENDPOINT_BASE_URL, RUNPOD_ENDPOINT_ID } = process.env;
const endpoint = runpodSdk(RUNPOD_API_KEY, { baseUrl: RUNPOD_ENDPOINT_BASE_URL }).endpoint(
  RUNPOD_ENDPOINT_ID,
);
const { id } = await endpoint.run({ input: { prompt: 'a cat' } });
for await (const part of endpoint.stream(id)) console.log(part);
