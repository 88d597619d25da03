import { geneTasks } from './gene-tasks.ts';
import { orderTasks } from './order-task.ts';
import { partTasks } from './part-tasks.ts';

/** What compute threads do for a trajectory. */
export const trajectoryTasks = [...partTasks, ...orderTasks, ...geneTasks];
