import { workerData } from 'node:worker_threads';
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
  return { kind: 'components', components: await componentsOf(loader.finish(), job, report) };
});
