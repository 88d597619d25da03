import { Worker } from 'node:worker_threads';
import type { LayoutJob, LayoutReply } from './layout-worker.ts';

/** What `layOutCells` returns, made in a thread of its own. Rejects when that thread ends before. */
export function laidOut(job: LayoutJob, onProgress: (done: number) => void): Promise<Float32Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Float32Array>();
  const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { workerData: job });
  worker.on('message', (reply: LayoutReply) =>
    'map' in reply ? resolve(reply.map) : onProgress(reply.done),
  );
  worker.on('error', reject);
  worker.on('exit', () => reject(new Error('The thread that lays out cells ended before it was done.')));
  return promise;
}
