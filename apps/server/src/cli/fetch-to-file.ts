import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { exitCode } from './exit-code.ts';
import { CommandFailure } from './failure.ts';

interface FetchOptions {
  readonly onProgress: (progress: { stage: string; done: number; total: number }) => void;
  readonly signal: AbortSignal;
}

/** Downloads a file into the data folder; the caller removes it. Only https, and http on loopback. */
export async function fetchToFile(
  address: string,
  dataDir: string,
  { onProgress, signal }: FetchOptions,
): Promise<{ path: string; remove: () => Promise<void> }> {
  const url = new URL(address);
  if (url.protocol !== 'https:' && !['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)) {
    throw new CommandFailure(exitCode.usage, `${url.origin}: datasets are fetched by https only.`);
  }
  const folder = join(dataDir, 'downloads');
  const path = join(folder, `${randomUUID()}.h5ad`);
  const remove = () => rm(path, { force: true });
  await mkdir(folder, { recursive: true });
  try {
    const answer = await fetch(url, { signal });
    if (!answer.ok || !answer.body) {
      throw new CommandFailure(exitCode.badInput, `${address}: the server answered ${answer.status}.`);
    }
    const total = Number(answer.headers.get('content-length') ?? 0);
    let done = 0;
    const counter = new Transform({
      transform(chunk: Uint8Array, _encoding, next) {
        done += chunk.byteLength;
        onProgress({ stage: 'downloading', done, total });
        next(null, chunk);
      },
    });
    await pipeline(Readable.fromWeb(answer.body), counter, createWriteStream(path, { mode: 0o600 }), {
      signal,
    });
    if (total > 0 && done !== total) {
      throw new CommandFailure(
        exitCode.badInput,
        `${address}: the connection ended after ${done} of ${total} bytes.`,
      );
    }
    return { path, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
