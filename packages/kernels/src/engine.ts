/** As much of WebAssembly as is used here: the types of Node alone do not know it whole. */
interface Engine {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => WasmModule;
  readonly Instance: new (
    module: WasmModule,
    imports: { env: { memory: WasmMemory } },
  ) => { readonly exports: unknown };
  readonly Memory: new (pages: { initial: number; maximum?: number }) => WasmMemory;
}

export interface WasmModule {
  /** Nothing is asked of a module but to be one. */
  readonly [Symbol.toStringTag]?: string;
}

export interface WasmMemory {
  /** A new one after each growth. */
  readonly buffer: ArrayBuffer;
  /** Adds pages of 64 KiB. */
  grow(pages: number): number;
}

export const engine = (globalThis as unknown as { WebAssembly: Engine }).WebAssembly;

const pageSize = 65_536;

/** Memory for at least so many bytes, which never grows, so that they stay where they are. */
export function fixedMemory(bytes: number): WasmMemory {
  const pages = Math.max(1, Math.ceil(bytes / pageSize));
  return new engine.Memory({ initial: pages, maximum: pages });
}

/** A kernel, and the memory that it works on. */
export interface KernelOnMemory<Kernel> {
  readonly kernel: Kernel;
  readonly memory: WasmMemory;
}

/**
 * A kernel on a memory of its own, which is made when it is first asked for, lives as long as the thread, and is as large as
 * the most bytes that were asked for.
 */
export function kernelOf<Kernel>(module: Uint8Array<ArrayBuffer>): (bytes: number) => KernelOnMemory<Kernel> {
  let made: KernelOnMemory<Kernel> | undefined;
  return (bytes) => {
    if (!made) {
      const memory = new engine.Memory({ initial: 1 });
      const { exports } = new engine.Instance(new engine.Module(module), { env: { memory } });
      made = { memory, kernel: exports as Kernel };
    }
    const missing = Math.ceil((bytes - made.memory.buffer.byteLength) / pageSize);
    if (missing > 0) made.memory.grow(missing);
    return made;
  };
}
