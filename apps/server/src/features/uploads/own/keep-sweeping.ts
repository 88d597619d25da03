import type { OwnDatasets } from './own-datasets.ts';

/** What is kept of a deleted file in the memory of another process than the one that deleted it goes after this time. */
const sweepMilliseconds = 30_000;

/** Sweeps now and then, one sweep at a time, until the returned function is called. */
export function keepSweeping(
  own: Pick<OwnDatasets, 'sweep'>,
  onFailure: (error: unknown) => void,
): () => void {
  let sweeping = false;
  const timer = setInterval(() => {
    if (sweeping) return;
    sweeping = true;
    own
      .sweep()
      .catch(onFailure)
      .finally(() => (sweeping = false));
  }, sweepMilliseconds);
  // Does not keep the process alive.
  timer.unref();
  return () => clearInterval(timer);
}
