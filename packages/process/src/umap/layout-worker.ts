import { parentPort, workerData } from 'node:worker_threads';
import type { NeighbourGraph } from '../neighbour-graph.ts';
import type { ThreadReply } from '../thread-result.ts';
import { layOutCells, type Layout } from './lay-out-cells.ts';

export interface LayoutJob extends Layout {
  readonly graph: NeighbourGraph;
}

/** Of the whole, between two messages. */
const step = 0.02;

const job = workerData as LayoutJob;
let told = 0;
const result = layOutCells(job.graph, job, (done) => {
  if (done < 1 && done - told < step) return;
  told = done;
  parentPort!.postMessage({ done } satisfies ThreadReply<Float32Array>);
});
parentPort!.postMessage({ result } satisfies ThreadReply<Float32Array>, [result.buffer]);
