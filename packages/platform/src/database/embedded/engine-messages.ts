import type { CompiledEngine } from './engine-module.ts';

/** What the threads say to each other. Bytes are transferred, not copied. */

export type ToEngine =
  /** Run the messages of a client, which end where the server has to answer. */
  | { readonly kind: 'run'; readonly session: number; readonly batch: Uint8Array<ArrayBuffer> }
  /** A client has gone: leave nothing of it to the next. */
  | { readonly kind: 'reset' }
  /** Run a statement of our own between clients. */
  | { readonly kind: 'maintain'; readonly id: number; readonly sql: string }
  | { readonly kind: 'close' };

export type FromEngine =
  | { readonly kind: 'ready' }
  | { readonly kind: 'data'; readonly session: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'done'; readonly session: number }
  /** `memoryBytes`: what the engine has for itself, which only ever grows. */
  | {
      readonly kind: 'maintained';
      readonly id: number;
      readonly memoryBytes: number;
      readonly error?: string;
    }
  | { readonly kind: 'closed' }
  /** The engine cannot go on; the thread ends after this. */
  | { readonly kind: 'failed'; readonly message: string };

export interface EngineThreadData {
  readonly cluster: string;
  /** The engine's code. */
  readonly module: CompiledEngine;
}
