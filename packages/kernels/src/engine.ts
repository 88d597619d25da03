/** The part of WebAssembly used here: Node's types alone do not declare all of it. */
interface Engine {
  Module: new (bytes: Uint8Array<ArrayBuffer>) => WasmModule;
  Instance: new (module: WasmModule, imports: { env: { memory: WasmMemory } }) => { exports: unknown };
  Memory: new (pages: { initial: number; maximum?: number }) => WasmMemory;
}

export interface WasmModule {
  /** Only the identity of a module matters. */
  readonly [Symbol.toStringTag]?: string;
}

export interface WasmMemory {
  /** Replaced after each growth. */
  readonly buffer: ArrayBuffer;
  /** Adds pages of 64 KiB. */
  grow(pages: number): number;
}

export const engine = (globalThis as unknown as { WebAssembly: Engine }).WebAssembly;

const pageSize = 65_536;

/** Memory for at least this many bytes; it never grows, so views stay valid. */
export function fixedMemory(bytes: number): WasmMemory {
  const pages = Math.max(1, Math.ceil(bytes / pageSize));
  return new engine.Memory({ initial: pages, maximum: pages });
}

export interface KernelOnMemory<Kernel> {
  readonly kernel: Kernel;
  readonly memory: WasmMemory;
}

/**
 * A kernel with a separate memory, created at first use, kept as long as the thread, and as large as the largest
 * request.
 */
export function kernelOf<Kernel>(module: Uint8Array<ArrayBuffer>): (bytes: number) => KernelOnMemory<Kernel> {
  let instance: KernelOnMemory<Kernel> | undefined;
  return (bytes) => {
    if (!instance) {
      const memory = new engine.Memory({ initial: 1 });
      const { exports } = new engine.Instance(new engine.Module(module), { env: { memory } });
      instance = { memory, kernel: exports as Kernel };
    }
    const missing = Math.ceil((bytes - instance.memory.buffer.byteLength) / pageSize);
    if (missing > 0) instance.memory.grow(missing);
    return instance;
  };
}
