import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ForbiddenRedirect, openAnswer } from '../../features/gene-sets/index.ts';
import { CommandFailure, exitCode } from '../command.ts';

interface FetchOptions {
  readonly onProgress: (progress: { stage: string; done: number; total: number }) => void;
  readonly signal: AbortSignal;
}

/**
 * Downloads a file into the data folder; the caller removes it. Allows https, and http on loopback; no redirects to http
 * or from the public internet to a private address. Throws CommandFailure.
 */
export async function fetchToFile(
  address: string,
  dataDir: string,
  { onProgress, signal }: FetchOptions,
): Promise<{ path: string; remove: () => Promise<void> }> {
  const url = new URL(address);
  if (url.protocol !== 'https:' && !['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)) {
    throw new CommandFailure(exitCode.usage, `${url.origin}: datasets are downloaded over https only.`);
  }
  const folder = join(dataDir, 'downloads');
  const path = join(folder, `${randomUUID()}.h5ad`);
  const remove = () => rm(path, { force: true });
  await mkdir(folder, { recursive: true });
  try {
    const answer = await answerOf(url, signal);
    const total = Number(answer.headers['content-length'] ?? 0);
    let done = 0;
    const counter = new Transform({
      transform(chunk: Uint8Array, _encoding, next) {
        done += chunk.byteLength;
        onProgress({ stage: 'downloading', done, total });
        next(null, chunk);
      },
    });
    await pipeline(answer, counter, createWriteStream(path, { mode: 0o600 }), { signal });
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

async function answerOf(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
  try {
    const { answer } = await openAnswer(url, { headers: {}, signal });
    if (answer.statusCode === 200) return answer;
    answer.destroy();
    throw new CommandFailure(exitCode.badInput, `${url.href}: the server answered ${answer.statusCode}.`);
  } catch (error) {
    if (!(error instanceof ForbiddenRedirect)) throw error;
    throw new CommandFailure(exitCode.badInput, `${url.href}: ${error.message}.`);
  }
}
