/** The thread that writes the data folder's file, so that a call that writes nothing never waits for the disk. */
import { parentPort, workerData } from 'node:worker_threads';
import { serveWriter, type WriterSettings } from './serve-writer.js';

serveWriter(parentPort!, workerData as WriterSettings);
