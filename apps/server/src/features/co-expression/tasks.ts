import { localTasks } from './local-tasks.ts';
import { moduleTasks } from './module-tasks.ts';

/** What compute threads do for modules of genes. */
export const coExpressionTasks = [...localTasks, ...moduleTasks];
