import { readFileSync } from 'node:fs';
import { freemem, totalmem } from 'node:os';
import process from 'node:process';

/** A burst of calls measures once. */
const cacheMilliseconds = 250;

/** Returns a function that says whether less than 5 % of the memory of the machine or container is available. */
export function memoryGuard(
  read: () => { used: number; available: number } = measure,
  now: () => number = Date.now,
): () => boolean {
  let at = Number.NEGATIVE_INFINITY;
  let short = false;
  return () => {
    if (now() - at < cacheMilliseconds) return short;
    at = now();
    const { used, available } = read();
    short = available < (used + available) / 20;
    return short;
  };
}

function measure(): { used: number; available: number } {
  return { used: process.memoryUsage.rss(), available: availableBytes() };
}

/** In a container the page cache of the datasets counts as used. It is reclaimable, as `freemem` assumes for a machine. */
function availableBytes(): number {
  const limit = process.constrainedMemory();
  // Without a container it is 0 or more than the machine has.
  if (limit === 0 || limit > totalmem()) return freemem();
  return Math.min(limit, process.availableMemory() + reclaimableBytes());
}

/**
 * Bytes of the page cache of this process's container that the system can reclaim: without dirty pages, which must be
 * written first (https://docs.kernel.org/admin-guide/cgroup-v2.html#memory-interface-files). 0 when unknown.
 */
export function reclaimableBytes(read: (path: string) => string | undefined = readText): number {
  const text = statPaths(read('/proc/self/cgroup') ?? '')
    .map(read)
    .find((candidate) => candidate !== undefined);
  if (text === undefined) return 0;
  const stat = numbersOf(text);
  // In version 1 of control groups, the sums including the groups below have names of their own.
  const of = (name: string, name1: string): number => stat.get(name1) ?? stat.get(name) ?? 0;
  const files = of('inactive_file', 'total_inactive_file') + of('active_file', 'total_active_file');
  const dirty = of('file_dirty', 'total_dirty') + of('file_writeback', 'total_writeback');
  return Math.max(0, files - dirty);
}

/**
 * Candidates for the memory statistics of this process's control group, from lines `number:controllers:path`. Inside a
 * container the path may be that of the host, and the container's own group the root.
 */
function statPaths(groups: string): readonly string[] {
  const lines = groups.split('\n').map((line) => line.split(':'));
  const version1 = lines.find(([, controllers]) => controllers?.split(',').includes('memory'));
  const root = version1 ? '/sys/fs/cgroup/memory' : '/sys/fs/cgroup';
  const line = version1 ?? lines.find(([number, controllers]) => number === '0' && controllers === '');
  return [`${root}${line ? pathOf(line) : ''}/memory.stat`, `${root}/memory.stat`];
}

/** A path may contain colons; that of the root is `/`. */
function pathOf(line: readonly string[]): string {
  return line.slice(2).join(':').replace(/\/$/, '');
}

function numbersOf(text: string): ReadonlyMap<string, number> {
  return new Map(
    text.split('\n').map((line) => {
      const [name = '', value] = line.split(' ');
      return [name, Number(value)];
    }),
  );
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
