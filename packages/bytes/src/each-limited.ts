/**
 * Runs `work` for 0 .. count - 1, at most `limit` at a time. Starts no more when one throws, and throws that when those
 * under way have ended: none goes on behind the back of its caller.
 */
export async function eachLimited(
  count: number,
  limit: number,
  work: (i: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  let failed = false;
  let failure: unknown;
  const run = async () => {
    while (next < count && !failed) {
      try {
        await work(next++);
      } catch (error) {
        failure = failed ? failure : error;
        failed = true;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, count) }, run));
  if (failed) throw failure;
}
