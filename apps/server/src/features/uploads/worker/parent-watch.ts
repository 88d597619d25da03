import { workerData } from 'node:worker_threads';

/** Thread that kills its process once the parent process is gone: work that computes does not notice by itself. */

const watchMs = 500;
const { parent } = workerData as { parent: number };
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, watchMs);
