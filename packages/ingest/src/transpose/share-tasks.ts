/** Each thread takes the next task when it is free; the first failure stops them all. */
export async function shareTasks<Thread, Task>(
  threads: readonly Thread[],
  tasks: readonly Task[],
  work: (thread: Thread, task: Task, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const run = async (thread: Thread) => {
    try {
      while (next < tasks.length) {
        const index = next++;
        await work(thread, tasks[index]!, index);
      }
    } catch (error) {
      next = tasks.length;
      throw error;
    }
  };
  await Promise.all(threads.map(run));
}
