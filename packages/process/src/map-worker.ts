import { workerData } from 'node:worker_threads';
import { mapCells } from './map-cells.ts';
import { answerTasks, type MapTask, type ProcessJob } from './process-tasks.ts';

// A module of its own, because it starts a third of a second of the processor sooner without the library that counts need.
const job = workerData as ProcessJob;

answerTasks<MapTask>(async ({ of }, report) => ({ kind: 'map', map: await mapCells(of, job, report) }));
