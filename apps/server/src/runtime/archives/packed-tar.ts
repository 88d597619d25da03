import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip, type Gunzip } from 'node:zlib';
import { roundFileSize } from '@cellfolio/contract';
import { readChunks } from '@cellfolio/ingest';
import { lastPartOf } from '../remote/download.ts';
import { AttemptFailed, receive, ReceiveFailed, type Received } from '../remote/receive.ts';
import { type LinkedDatasets, LinkFailed, type MemberPart } from './linked-datasets.ts';
import { datasetsOfMembers, refusal, type TarContext } from './tar-datasets.ts';
import { type TarArchive, tarMembers, type TarMembers } from './tar-members.ts';

const mebibyte = 2 ** 20;
/** As in readChunks. */
const maxRatio = 100;

/**
 * Datasets of a remote archive that is compressed as a whole: all of it has to be read to list its members, so it is
 * unpacked while it arrives, and nothing is stored. Throws LinkFailed, the reason of the signal.
 */
export async function remotePackedTar(
  url: URL,
  { timeoutMilliseconds = 30_000, maxPackedBytes = Infinity, ...context }: TarContext,
): Promise<LinkedDatasets> {
  const shown = lastPartOf(url);
  const received = new ReadArchive(shown);
  try {
    const tooLarge = `larger than the ${roundFileSize(maxPackedBytes)} that your files may have together`;
    const options = { ...context, timeoutMilliseconds, noun: 'archive', maxBytes: maxPackedBytes, tooLarge };
    await receive(url, received, options);
    const { validator } = received;
    const place = { shown, address: url.href, ...(validator !== undefined && { validator }), packed: true };
    return datasetsOfMembers(await received.members(), place);
  } catch (error) {
    if (!(error instanceof ReceiveFailed)) throw error;
    throw error.cause.cause instanceof LinkFailed ? error.cause.cause : refusal(url, error);
  } finally {
    await received.forget();
  }
}

/** An archive that is read while it arrives. */
class ReadArchive implements Received {
  readonly #shown: string;
  #gunzip: Gunzip | undefined;
  #pending: Promise<TarMembers | LinkFailed> | undefined;
  #outcome: TarMembers | LinkFailed | undefined;
  bytes = 0;
  total = 0;
  validator: string | undefined;

  constructor(shown: string) {
    this.#shown = shown;
  }

  async append(piece: Uint8Array): Promise<void> {
    this.bytes += piece.byteLength;
    const gunzip = (this.#gunzip ??= this.#begin());
    const isFull = this.#outcome === undefined && !gunzip.write(piece);
    if (isFull) await Promise.race([once(gunzip, 'drain').catch(() => undefined), this.#pending]);
    if (this.#outcome instanceof LinkFailed)
      throw new AttemptFailed(this.#outcome.message, { final: true, cause: this.#outcome });
  }

  forget(): void {
    this.#gunzip?.destroy();
    this.#gunzip = this.#pending = this.#outcome = undefined;
    this.bytes = 0;
    this.total = 0;
    this.validator = undefined;
  }

  /** Members of a completely received archive. Throws LinkFailed. */
  async members(): Promise<TarMembers> {
    this.#gunzip?.end();
    const outcome = (await this.#pending) ?? new LinkFailed('unreadable', `${this.#shown} is empty.`);
    if (outcome instanceof LinkFailed) throw outcome;
    return outcome;
  }

  #begin(): Gunzip {
    // What fails is told to whoever reads.
    const gunzip = createGunzip({ chunkSize: mebibyte }).on('error', () => undefined);
    this.#pending = tarMembers(forwards(this.#shown, this.#unpacked(gunzip))).catch((error: unknown) => {
      if (error instanceof LinkFailed) return error;
      const problem =
        'cannot be unpacked: it is not a gzip file, is incomplete or is damaged. Try again, then ask its provider.';
      return new LinkFailed('unreadable', `${this.#shown} ${problem}`, { cause: error });
    });
    void this.#keep(gunzip, this.#pending);
    return gunzip;
  }

  async #keep(gunzip: Gunzip, pending: Promise<TarMembers | LinkFailed>): Promise<void> {
    const outcome = await pending;
    if (gunzip === this.#gunzip) this.#outcome = outcome;
  }

  async *#unpacked(gunzip: Gunzip): AsyncGenerator<Buffer> {
    let bytes = 0;
    for await (const piece of gunzip as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > 64 * mebibyte && bytes > this.bytes * maxRatio)
        throw new LinkFailed(
          'unreadable',
          `${this.#shown} unpacks to more than ${maxRatio} times its size, which no data does.`,
        );
      yield piece;
    }
  }
}

/** Adapts a byte stream to an archive that is read at ascending offsets. */
function forwards(shown: string, pieces: AsyncIterator<Buffer>): TarArchive {
  let window: Buffer = Buffer.alloc(0);
  let start = 0;
  let bytes = Infinity;
  const passOver = (offset: number) => {
    const passed = Math.min(Math.max(0, offset - start), window.length);
    window = window.subarray(passed);
    start += passed;
  };
  return {
    shown,
    get bytes() {
      return bytes;
    },
    read: async (offset, length) => {
      passOver(offset);
      while (bytes === Infinity && start + window.length < offset + length) {
        const { done, value } = await pieces.next();
        if (done === true) bytes = start + window.length;
        else window = Buffer.concat([window, value]);
        passOver(offset);
      }
      return start === offset ? window.subarray(0, length) : Buffer.alloc(0);
    },
  };
}

/** Copies a member of a local archive that is compressed as a whole. Throws TextFileError, the reason of the signal. */
export async function copyPackedMember(
  archive: string,
  { offset, length }: MemberPart,
  output: string,
  signal: AbortSignal,
): Promise<void> {
  const stretch = async function* () {
    let at = 0;
    for await (const piece of readChunks(archive, { signal })) {
      const [from, to] = [Math.max(0, offset - at), Math.min(piece.length, offset + length - at)];
      if (from < to) yield piece.subarray(from, to);
      at += piece.length;
      if (at >= offset + length) return;
    }
  };
  await pipeline(stretch, createWriteStream(output, { mode: 0o600 }), { signal });
}
