import { freemem, totalmem } from 'node:os';
import process from 'node:process';
import { reclaimableBytes } from './reclaimable-memory.ts';

/** How long a look at the memory is believed: a burst of calls looks once. */
const believedMilliseconds = 250;

/** Says whether memory is short: less than a twentieth of what the machine or container lets the process have is left. */
export function memoryGuard(
  look: () => { used: number; available: number } = measure,
  now: () => number = Date.now,
): () => boolean {
  let at = Number.NEGATIVE_INFINITY;
  let short = false;
  return () => {
    if (now() - at < believedMilliseconds) return short;
    at = now();
    const { used, available } = look();
    short = available < (used + available) / 20;
    return short;
  };
}

/** Bytes that the process holds, and bytes that it may still take (in a container: up to its limit). */
function measure(): { used: number; available: number } {
  return { used: process.memoryUsage.rss(), available: availableBytes() };
}

/**
 * A container is charged for the files that were read in it as long as nobody else needs the memory, and reading
 * datasets fills it so: what the system lets go of is available, as `freemem` of a machine counts it too.
 */
function availableBytes(): number {
  const limit = process.constrainedMemory();
  // Zero, or beyond the machine, where no container sets a limit.
  if (limit === 0 || limit > totalmem()) return freemem();
  return Math.min(limit, process.availableMemory() + reclaimableBytes());
}
