import { Worker } from 'node:worker_threads';

export type ThreadReply<T> = { done: number } | { result: T };

/** Runs a module in a separate thread and returns its result. Rejects if the thread ends early. */
export function threadResult<Job, T>(module: URL, job: Job, onProgress?: (done: number) => void): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const worker = new Worker(module, { workerData: job });
  worker.on('message', (reply: ThreadReply<T>) =>
    'result' in reply ? resolve(reply.result) : onProgress?.(reply.done),
  );
  worker.on('error', reject);
  worker.on('exit', () => reject(new Error('A thread of the processing ended before it was done.')));
  return promise;
}
