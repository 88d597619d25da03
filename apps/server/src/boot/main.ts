import { mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { resolve } from 'node:path';

/**
 * Keeps the compiled program in the data folder: reading several hundred files of TypeScript anew takes most of a start
 * on a busy machine. Threads and child processes find it by the variable. Where it cannot be kept, the start is slower.
 */
function keepCompiledProgram(): void {
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
keepCompiledProgram();
// Not before: what is imported above all is compiled before anything is run.
await import('./run.ts');
