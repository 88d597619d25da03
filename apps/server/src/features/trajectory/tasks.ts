import { geneTasks } from './gene-tasks.ts';
import { orderTasks } from './order-task.ts';

/** What compute threads do for a trajectory. */
export const trajectoryTasks = [...orderTasks, ...geneTasks];
