/** As much of WebAssembly as is used here: this package is compiled without the types of a platform. */
interface Engine {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => WasmModule;
  readonly Instance: new (
    module: WasmModule,
    imports: { env: { memory: WasmMemory } },
  ) => { readonly exports: unknown };
  readonly Memory: new (pages: { initial: number }) => WasmMemory;
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
