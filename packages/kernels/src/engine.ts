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
