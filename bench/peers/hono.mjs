/** Bare Hono that answers a constant, as its manual would write it. usage: hono.mjs BODY; prints its port */
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const body = process.argv[2] ?? '{}';
const app = new Hono();
app.all('*', (c) => c.body(body, 200, { 'content-type': 'application/json' }));
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => process.stdout.write(`${port}\n`));
