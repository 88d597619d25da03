import { mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { resolve } from 'node:path';

/**
 * Caches the compiled program in the data folder: compiling several hundred files of TypeScript takes most of a start on
 * a busy machine. Threads and child processes find the cache by the variable. Without it the start is slower.
 */
function cacheCompiledProgram(): void {
  const folder = process.env.NODE_COMPILE_CACHE ?? resolve(process.env.DATA_DIR ?? './data', 'compiled');
  try {
    mkdirSync(folder, { recursive: true });
  } catch {
    return;
  }
  process.env.NODE_COMPILE_CACHE = folder;
  enableCompileCache(folder);
}

// Files that this process writes, users' among them, are closed to other accounts of the machine. Operators use the group.
process.umask(process.umask() | 0o007);
cacheCompiledProgram();
// Dynamic: static imports would be compiled before the cache is enabled.
await import('./run.ts');
