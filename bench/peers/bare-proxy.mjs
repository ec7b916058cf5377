/** A proxy that only passes calls on, as Node's manual would write it. usage: bare-proxy.mjs URL; prints its port */
import { Agent, createServer, request } from 'node:http';

const { hostname, port } = new URL(process.argv[2]);
const agent = new Agent({ keepAlive: true });
const server = createServer((call, answer) => {
  const { method, url: path, headers } = call;
  const passing = request({ agent, hostname, port, method, path, headers }, (reply) => {
    answer.writeHead(reply.statusCode, reply.headers);
    reply.pipe(answer);
  });
  passing.on('error', () => answer.destroy());
  call.pipe(passing);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
