import { parentPort, workerData } from 'node:worker_threads';
import type { NeighbourGraph } from '../neighbour-graph.ts';
import { layOutCells, type Layout } from './lay-out-cells.ts';

export interface LayoutJob extends Layout {
  readonly graph: NeighbourGraph;
}

export type LayoutReply = { readonly done: number } | { readonly map: Float32Array };

/** Of the whole, between two messages. */
const step = 0.02;

const job = workerData as LayoutJob;
let told = 0;
const map = layOutCells(job.graph, job, (done) => {
  if (done < 1 && done - told < step) return;
  told = done;
  parentPort!.postMessage({ done } satisfies LayoutReply);
});
parentPort!.postMessage({ map } satisfies LayoutReply, [map.buffer]);
