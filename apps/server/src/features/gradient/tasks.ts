import { geneTasks } from './gene-tasks.ts';
import { orderTasks } from './order-task.ts';

/** What compute threads do for genes along an axis. */
export const gradientTasks = [...orderTasks, ...geneTasks];
