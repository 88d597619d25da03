/** Runs `work` for 0 .. count - 1, at most `limit` at a time. Stops starting more when one throws. */
export async function eachLimited(
  count: number,
  limit: number,
  work: (i: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  let failed = false;
  const run = async () => {
    while (next < count && !failed) {
      try {
        await work(next++);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, count) }, run));
}
