import { getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { DurableNodeFs, UnsyncedFiles } from './durable-node-fs.ts';
import { type EngineThreadData, type FromEngine, type ToEngine, startParameters } from './engine-messages.ts';
import { concatBytes, firstError, query, sync } from './wire-messages.ts';

/** Entry point of the thread that runs the embedded engine. Handles one message at a time, in order. */

/** The engine replies in pieces of 8 KiB; fewer, larger ones cost less to transfer. */
const answerBytes = 256 * 1024;
/** The engine never starts a checkpoint by itself: do it well before `max_wal_size`. */
const checkpointAfterBytes = 48 * 1024 * 1024;

if (!parentPort) throw new Error('This is the entry point of a worker thread.');
const port = parentPort;
const { cluster, module } = workerData as EngineThreadData;
const unsynced = new UnsyncedFiles(`${cluster}.unsynced`);
const files = new DurableNodeFs(cluster, unsynced);
let engine: PGlite;
let checkpointedAt = 0;

function post(message: FromEngine, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

async function run(batch: Uint8Array): Promise<void> {
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  const flush = (): void => {
    if (bytes === 0) return;
    const joined = concatBytes(pieces);
    pieces = [];
    bytes = 0;
    post({ kind: 'data', bytes: joined }, [joined.buffer]);
  };
  await engine.execProtocolRawStream(batch, {
    onRawData(piece) {
      // A view of the engine's memory, which it reuses.
      pieces.push(piece.slice());
      bytes += piece.length;
      if (bytes >= answerBytes) flush();
    },
  });
  flush();
}

async function runOwn(sql: string): Promise<string | undefined> {
  return firstError(await engine.execProtocolRaw(query(sql)));
}

async function checkpoint(): Promise<string | undefined> {
  const error = await runOwn('checkpoint');
  if (error === undefined) unsynced.clear();
  return error;
}

async function reset(): Promise<void> {
  // Sync ends an incomplete extended query.
  await engine.execProtocolRaw(sync());
  // DISCARD ALL also resets the role, the settings and the prepared statements.
  for (const sql of engine.isInTransaction() ? ['rollback', 'discard all'] : ['discard all']) {
    const error = await runOwn(sql);
    if (error !== undefined) throw new Error(`The session could not be cleaned by "${sql}": ${error}`);
  }
  if (files.walBytes - checkpointedAt > checkpointAfterBytes) {
    checkpointedAt = files.walBytes;
    await checkpoint();
  }
}

async function handle(message: ToEngine): Promise<void> {
  let error: string | undefined;
  switch (message.kind) {
    case 'run':
      await run(message.batch);
      break;
    case 'reset':
      await reset();
      break;
    case 'maintain':
      error = await (message.sql === 'checkpoint' ? checkpoint() : runOwn(message.sql));
      break;
    case 'close':
      await checkpoint();
      await engine.close();
      // Closing wrote another checkpoint.
      unsynced.clear();
      return port.close();
  }
  post({ kind: 'done', memoryBytes: files.memoryBytes, ...(error !== undefined && { error }) });
}

function fail(error: unknown): void {
  // The engine exits by throwing an object that is not an Error.
  const message = (error as { message?: unknown } | undefined)?.message ?? 'the engine ended itself';
  post({ kind: 'failed', message: String(message), diskFull: files.isFull });
  port.close();
  process.exit(1);
}

// On Linux each thread has its own priority: the main thread answers first.
if (process.platform === 'linux' && getPriority() < 3) setPriority(3);
try {
  engine = await PGlite.create({ fs: files, startParams: [...startParameters], pgliteWasmModule: module });
  // A new cluster, or one of an earlier version.
  if (!unsynced.isKnown) await checkpoint();
  port.on('message', (message: ToEngine) => void handle(message).catch(fail));
  post({ kind: 'ready' });
} catch (error) {
  fail(error);
}
