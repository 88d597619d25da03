import { parentPort, workerData } from 'node:worker_threads';
import type { NeighbourGraph } from '../neighbour-graph.ts';
import type { ThreadReply } from '../thread-result.ts';
import { layOutCells, type Layout } from './lay-out-cells.ts';
import { spectralStart } from './spectral-start.ts';

export interface LayoutJob extends Omit<Layout, 'start'> {
  graph: NeighbourGraph;
  /** First two principal components of each cell, n x 2. */
  places: Float32Array;
}

/** Minimum progress between two messages. */
const step = 0.02;

const job = workerData as LayoutJob;
const start = spectralStart(job.graph, job.places);
let lastReported = 0;
const result = layOutCells(job.graph, { ...job, start }, (done) => {
  if (done < 1 && done - lastReported < step) return;
  lastReported = done;
  parentPort!.postMessage({ done } satisfies ThreadReply<Float32Array>);
});
parentPort!.postMessage({ result } satisfies ThreadReply<Float32Array>, [result.buffer]);
