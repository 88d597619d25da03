import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { TextFileError } from './text-file-error.ts';

const MEBIBYTE = 1024 * 1024;
/** Text of numbers packs to a third or a tenth; what unpacks to a hundred times its size is made to fill a disk. */
const GREATEST_RATIO = 100;

export interface ReadTextOptions {
  readonly signal?: AbortSignal | undefined;
  /** Bytes of the file read so far, of all. */
  readonly onBytes?: ((read: number, all: number) => void) | undefined;
}

/**
 * The bytes of a text file, unpacked where it is gzip under whatever name. Throws TextFileError `not-found`,
 * `empty`, `bomb`, `truncated` or `unreadable`; the signal's reason when aborted.
 */
export async function* readChunks(path: string, options: ReadTextOptions = {}): AsyncGenerator<Buffer> {
  const { signal, onBytes } = options;
  const { size, packed } = await look(path);
  const file = createReadStream(path, { highWaterMark: MEBIBYTE });
  let read = 0;
  file.on('data', (chunk) => {
    read += chunk.length;
    onBytes?.(read, size);
  });
  const source = packed ? pipeline(file, createGunzip({ chunkSize: MEBIBYTE }), () => undefined) : file;
  let unpacked = 0;
  try {
    for await (const chunk of source) {
      signal?.throwIfAborted();
      unpacked += (chunk as Buffer).length;
      if (packed && unpacked > 64 * MEBIBYTE && unpacked > size * GREATEST_RATIO) throw bomb(path);
      yield chunk as Buffer;
    }
  } catch (cause) {
    if (cause instanceof TextFileError || signal?.aborted === true) throw cause;
    const code = (cause as NodeJS.ErrnoException).code ?? '';
    if (code.startsWith('Z_')) {
      throw new TextFileError({
        code: 'truncated',
        path,
        problem: 'the gzip data ends early or is damaged. Pack or upload the file again.',
        cause,
      });
    }
    throw new TextFileError({ code: 'unreadable', path, problem: `cannot be read (${code}).`, cause });
  } finally {
    file.destroy();
  }
}

async function look(path: string): Promise<{ size: number; packed: boolean }> {
  try {
    const { size } = await stat(path);
    if (size === 0) throw new TextFileError({ code: 'empty', path, problem: 'the file is empty.' });
    await using handle = await open(path);
    const start = Buffer.alloc(2);
    await handle.read(start, 0, 2, 0);
    return { size, packed: start[0] === 0x1f && start[1] === 0x8b };
  } catch (cause) {
    if (cause instanceof TextFileError) throw cause;
    throw new TextFileError({ code: 'not-found', path, problem: 'there is no such file.', cause });
  }
}

function bomb(path: string): TextFileError {
  return new TextFileError({
    code: 'bomb',
    path,
    problem: `unpacks to more than ${GREATEST_RATIO} times its size, which no table of counts does.`,
  });
}
