const atATime = 8;

/** Works on all, a few at a time, and returns those with which it went well; what fails is told and holds up nothing. */
export async function thoseThatWent<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
  onFailure: (error: unknown, item: T) => void,
): Promise<T[]> {
  const queue = [...items];
  const went: T[] = [];
  const worker = async (): Promise<void> => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      try {
        await work(next);
        went.push(next);
      } catch (error) {
        onFailure(error, next);
      }
    }
  };
  await Promise.all(Array.from({ length: atATime }, worker));
  return went;
}
