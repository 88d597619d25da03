import { PGlite } from '@electric-sql/pglite';
import type { CompiledEngine } from './engine-module.ts';

/** Messages between the threads. The engine thread gets one task at a time. Bytes are transferred, not copied. */

export type ToEngine =
  /** Run a client's messages, which end where the server must reply. */
  | { kind: 'run'; batch: Uint8Array<ArrayBuffer> }
  /** A client has gone: leave nothing of it to the next. */
  | { kind: 'reset' }
  /** Run a statement of our own between clients. */
  | { kind: 'maintain'; sql: string }
  | { kind: 'close' };

export type FromEngine =
  | { kind: 'ready' }
  /** A piece of the answer to the batch that runs. */
  | { kind: 'data'; bytes: Uint8Array<ArrayBuffer> }
  /** The request is done. `error` comes from one of our statements; `memoryBytes`, the engine's own memory, only grows. */
  | { kind: 'done'; memoryBytes: number; error?: string }
  /** The engine cannot go on; the thread ends after this. */
  | { kind: 'failed'; message: string; diskFull: boolean };

export interface EngineThreadData {
  cluster: string;
  module: CompiledEngine;
}

/** The library's start parameters, but with durable commits. */
export const startParameters: readonly string[] = [
  // -F turns fsync off.
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...Object.entries({
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    // The only method whose system call reaches our file system.
    wal_sync_method: 'fsync',
    max_wal_size: '64MB',
    min_wal_size: '32MB',
    // One session over small tables; the operating system caches the files as well.
    shared_buffers: '16MB',
    // Compiling queries is not in the engine; asking for it costs planning time.
    jit: 'off',
    // Errors reach the client; the engine's log is discarded.
    log_min_messages: 'panic',
    log_min_error_statement: 'panic',
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
];
