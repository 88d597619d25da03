import { mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { resolve } from 'node:path';
import { logNodeMessages } from '../runtime/observability/node-messages.ts';

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

logNodeMessages();
// Files of this process, users' data among them, are not accessible to other accounts, except those of its group.
process.umask(process.umask() | 0o007);
cacheCompiledProgram();
// Dynamic: static imports would be compiled before the cache is enabled.
await import('./run.ts');
