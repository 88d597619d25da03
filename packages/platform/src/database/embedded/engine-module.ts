import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

let made: WebAssembly.Module | undefined;

/**
 * The code of the engine, compiled once for all engines of the process: threads that replace one another share it, with
 * what was compiled for those before.
 *
 * Its parser of SQL is left to V8's baseline compiler. It is one function of 2,000 blocks, for which the optimizing one
 * (of V8 13.6) takes 600 MB for half a second, as soon as a few statements were parsed; without that, statements take
 * as long. Which compiler a function may have is settled when it is first called, so it is called here, in an instance
 * that has nothing to work on and is thrown away.
 */
export function engineModule(): WebAssembly.Module {
  if (made) return made;
  const path = fileURLToPath(import.meta.resolve('@electric-sql/pglite/pglite.wasm'));
  const module = new WebAssembly.Module(readFileSync(path));
  const { exports } = new WebAssembly.Instance(module, emptyImports(module));
  try {
    for (const flag of optimizing) setFlagsFromString(`--no-${flag}`);
    (exports['raw_parser'] as () => unknown)();
  } catch (error) {
    // It fails at its first step, once it is compiled.
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
  } finally {
    for (const flag of optimizing) setFlagsFromString(`--${flag}`);
  }
  made = module;
  return made;
}

const optimizing = ['wasm-tier-up', 'wasm-dynamic-tiering'] as const;

/** Functions that do nothing, and memory that is taken only when it is written to. */
function emptyImports(module: WebAssembly.Module): WebAssembly.Imports {
  const imports = new Map<string, Map<string, WebAssembly.ImportValue>>();
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    const group = imports.get(from) ?? new Map<string, WebAssembly.ImportValue>();
    // As large as the engine declares it, in pages of 64 KiB.
    const value = kind === 'memory' ? new WebAssembly.Memory({ initial: 2048, maximum: 32_768 }) : () => 0;
    imports.set(from, group.set(name, value));
  }
  return Object.fromEntries([...imports].map(([from, group]) => [from, Object.fromEntries(group)]));
}
