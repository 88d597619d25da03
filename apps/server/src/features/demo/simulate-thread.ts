import { parentPort, workerData } from 'node:worker_threads';
import type { Recipe } from './recipes.ts';
import { simulateDataset } from './simulate-dataset.ts';

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(simulateDataset(workerData as Recipe));
