import { Worker } from 'node:worker_threads';

/** What a thread says: how much of its work is done, from 0 to 1, or at its end the result. */
export type ThreadReply<T> = { readonly done: number } | { readonly result: T };

/** The result of a module that runs in a thread of its own. Rejects when that thread ends before. */
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
