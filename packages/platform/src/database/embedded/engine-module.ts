import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

export type CompiledEngine = object;

/** The part of WebAssembly used here: Node's types leave it out. */
interface WebAssemblyGlobal {
  Module: {
    new (bytes: Uint8Array): CompiledEngine;
    imports(module: CompiledEngine): { module: string; name: string; kind: string }[];
  };
  Instance: new (module: CompiledEngine, imports: object) => { exports: { raw_parser: () => unknown } };
  /** In pages of 64 KiB. */
  Memory: new (size: { initial: number; maximum: number }) => object;
  RuntimeError: new () => Error;
}
const wasm = (globalThis as unknown as { WebAssembly: WebAssemblyGlobal }).WebAssembly;

const optimizing = ['wasm-tier-up', 'wasm-dynamic-tiering'] as const;
let compiled: CompiledEngine | undefined;

/**
 * The engine's module, compiled once per process. Its SQL parser is left to V8's baseline compiler: it is one function
 * of 2,000 blocks, for which the optimizing compiler (of V8 13.6) takes 600 MB for half a second as soon as a few
 * statements were parsed; without it, statements are as fast. A function's compiler is fixed at its first call, so it
 * is called here, in a throwaway instance without work.
 */
export function engineModule(): CompiledEngine {
  if (compiled) return compiled;
  const path = fileURLToPath(import.meta.resolve('@electric-sql/pglite/pglite.wasm'));
  const module = new wasm.Module(readFileSync(path));
  const { exports } = new wasm.Instance(module, emptyImports(module));
  // Keeps baseline code under memory pressure; otherwise the optimizing compiler would compile it again.
  setFlagsFromString('--no-flush-liftoff-code');
  for (const flag of optimizing) setFlagsFromString(`--no-${flag}`);
  try {
    exports.raw_parser();
  } catch (error) {
    // Compiled by now; it fails at its first step.
    if (!(error instanceof wasm.RuntimeError)) throw error;
  } finally {
    for (const flag of optimizing) setFlagsFromString(`--${flag}`);
  }
  compiled = module;
  return compiled;
}

/** No-op functions, and memory that is only allocated when written. */
function emptyImports(module: CompiledEngine): object {
  const imports = new Map<string, Map<string, object>>();
  for (const { module: from, name, kind } of wasm.Module.imports(module)) {
    const group = imports.get(from) ?? new Map<string, object>();
    // As large as the engine declares it.
    const value = kind === 'memory' ? new wasm.Memory({ initial: 2048, maximum: 32_768 }) : () => 0;
    imports.set(from, group.set(name, value));
  }
  return Object.fromEntries([...imports].map(([from, group]) => [from, Object.fromEntries(group)]));
}
