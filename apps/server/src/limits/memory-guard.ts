import { freemem } from 'node:os';
import process from 'node:process';

/** How long a look at the memory is believed: a burst of calls looks once. */
const believedMilliseconds = 250;

/**
 * Says whether this process, or the machine or container it is in, is short of memory: above `limitBytes` where a limit
 * is given, else where less than a twentieth of what the process may have is left.
 */
export function memoryGuard(
  limitBytes: number | undefined,
  look: () => { used: number; available: number } = measure,
  now: () => number = Date.now,
): () => boolean {
  let at = Number.NEGATIVE_INFINITY;
  let short = false;
  return () => {
    if (now() - at < believedMilliseconds) return short;
    at = now();
    const { used, available } = look();
    short = limitBytes === undefined ? available < (used + available) / 20 : used > limitBytes;
    return short;
  };
}

/** Bytes that the process holds, and bytes that it may still take (in a container: up to its limit). */
function measure(): { used: number; available: number } {
  // Zero where no container sets a limit.
  const available = process.constrainedMemory() > 0 ? process.availableMemory() : freemem();
  return { used: process.memoryUsage.rss(), available };
}
