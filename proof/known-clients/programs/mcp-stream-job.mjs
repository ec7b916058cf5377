import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { fileURLToPath } from 'node:url';

const { RUNPOD_API_KEY, RUNPOD_ENDPOINT_BASE_URL, RUNPOD_ENDPOINT_ID } = process.env;
const server = fileURLToPath(import.meta.resolve('@runpod/mcp-server'));
const env = { ...process.env, RUNPOD_API_KEY, RUNPOD_SERVERLESS_API_URL: RUNPOD_ENDPOINT_BASE_URL };
const client = new Client({ name: 'program', version: '1' });
await client.connect(new StdioClientTransport({ command: 'node', args: [server], env, stderr: 'ignore' }));
const call = async (name, more) => {
  const { content, isError } = await client.callTool({
    name,
    arguments: { endpointId: RUNPOD_ENDPOINT_ID, ...more },
  });
  if (isError) throw new Error(content[0].text);
  return JSON.parse(content[0].text);
};
try {
  const { id } = await call('run-endpoint', { input: { prompt: 'a cat' } });
  const { status } = await call('stream-job', { jobId: id });
  if (status !== 'COMPLETED') throw new Error(`the job is ${status}`);
} finally {
  await client.close();
}
