import { createRunpod } from '@runpod/ai-sdk-provider';

const runpod = createRunpod({ apiKey: process.env.RUNPOD_API_KEY });
const { videos } = await runpod.video(process.env.RUNPROOF_ENDPOINT_URL).doGenerate({
  prompt: 'a cat',
  n: 1,
  providerOptions: { runpod: { pollIntervalMillis: 1_000 } },
});
console.log(videos);
