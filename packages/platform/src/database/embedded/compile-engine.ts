import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

/** The global, which neither the language's types nor Node's declare without those of a browser. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { Module: new (bytes: Uint8Array) => object };
};

/** Compile everything now, with the quick compiler alone. */
const quickly = ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering', '--no-wasm-lazy-compilation'];
const asUsual = ['--wasm-tier-up', '--wasm-dynamic-tiering', '--wasm-lazy-compilation'];

/**
 * The embedded engine as a module (half a second of work, in which this thread does nothing else). It is compiled with
 * V8's quick compiler alone: one function of PostgreSQL costs the optimising one 600 MB of memory and two to four
 * seconds, just when a server starts. Queries of a millisecond take as long either way, long ones up to twice as long.
 * V8 takes these settings for a whole process, so they hold only while this module is compiled.
 */
export function compileEngine(): object {
  const folder = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));
  const bytes = readFileSync(join(folder, 'pglite.wasm'));
  for (const flag of quickly) setFlagsFromString(flag);
  try {
    return new WebAssembly.Module(bytes);
  } finally {
    for (const flag of asUsual) setFlagsFromString(flag);
  }
}
