/** Bare node:http that answers a constant, as Node's manual would write it. usage: node-http.mjs BODY; prints its port */
import { createServer } from 'node:http';

const body = process.argv[2] ?? '{}';
const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
