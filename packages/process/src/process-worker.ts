import { workerData } from 'node:worker_threads';
import { initialize } from 'scran.js';
import { componentsOf } from './components-of.ts';
import { CountsLoader } from './load-counts.ts';
import { answerTasks, type CountsTask, type ProcessJob } from './process-tasks.ts';

const job = workerData as ProcessJob;
const loader = new CountsLoader({ ...job, geneCount: job.genes.geneNames.length });

answerTasks<CountsTask>(async (task, report) => {
  if (task.kind === 'block') {
    loader.add(task.block);
    return { kind: 'loaded' };
  }
  // The library for what it still does: doublets.
  if (job.combine.doublets !== undefined) await initialize({ numberOfThreads: job.threads });
  return { kind: 'components', components: await componentsOf(loader.finish(), job, report) };
});
