/**
 * A proxy in front of a target: each reply arrives so many ms late, at random, as over a network.
 * usage: late-replies.js TARGET_PORT FROM_MS TO_MS; prints its port
 */
import { lateReplies } from '../late-replies.js';

const [targetPort, fromMs, toMs] = process.argv.slice(2).map(Number) as [number, number, number];
const { port } = await lateReplies(targetPort, fromMs, toMs);
process.stdout.write(`${port}\n`);
