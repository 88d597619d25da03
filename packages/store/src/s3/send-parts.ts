import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { isUnknownUpload } from './s3-faults.ts';

/** How the requests of one upload are sent. */
export interface PartsOf {
  readonly at: { readonly Bucket: string; readonly Key: string };
  /** Sends a request with a body of so many bytes, again where that may help. */
  send<T>(
    work: (client: S3Client, options: { abortSignal: AbortSignal }) => Promise<T>,
    bytes?: number,
  ): Promise<T>;
  /** Whether the object is there, with so many bytes. */
  isThere(length: number): Promise<boolean>;
}

/** Parts on their way at a time: one fills while the others are sent. */
const partsAtOnce = 2;

/**
 * Uploads an object in parts: it appears when the last request succeeds. Where one fails for good, the parts are given
 * back. Throws what `send` and the parts throw.
 */
export async function sendParts(
  { at, send, isThere }: PartsOf,
  first: readonly Uint8Array[],
  others: AsyncIterable<Uint8Array>,
): Promise<void> {
  const { UploadId } = await send((client, options) =>
    client.send(new CreateMultipartUploadCommand(at), options),
  );
  const upload = { ...at, UploadId };
  const tags: { PartNumber: number; ETag: string | undefined }[] = [];
  const sending = new Set<Promise<void>>();
  let length = 0;
  const sendPart = async (Body: Uint8Array): Promise<void> => {
    const part: (typeof tags)[number] = { PartNumber: tags.length + 1, ETag: undefined };
    tags.push(part);
    length += Body.length;
    const sent = send(async (client, options) => {
      const command = new UploadPartCommand({ ...upload, PartNumber: part.PartNumber, Body });
      part.ETag = (await client.send(command, options)).ETag;
    }, Body.length);
    sending.add(sent);
    sent.then(
      () => sending.delete(sent),
      () => undefined,
    );
    if (sending.size >= partsAtOnce) await Promise.race(sending);
  };
  const complete = async (): Promise<void> => {
    const command = () => new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: tags } });
    try {
      await send((client, options) => client.send(command(), options));
    } catch (error) {
      // An upload is gone when it is complete: the answer that said so was lost.
      if (!isUnknownUpload((error as Error).cause) || !(await isThere(length))) throw error;
    }
  };
  /** A request to begin whose answer was lost was sent again, and began another upload of the same key. */
  const abortOthers = async (): Promise<void> => {
    const { Uploads = [] } = await send((client, options) =>
      client.send(new ListMultipartUploadsCommand({ Bucket: at.Bucket, Prefix: at.Key }), options),
    );
    for (const { Key, UploadId } of Uploads) {
      if (Key !== at.Key) continue;
      const other = new AbortMultipartUploadCommand({ ...at, UploadId });
      await send((client, options) => client.send(other, options));
    }
  };
  try {
    for (const part of first) await sendPart(part);
    for await (const part of others) await sendPart(part);
    await Promise.all(sending);
    await complete();
    await abortOthers().catch(() => undefined);
  } catch (error) {
    await Promise.allSettled(sending);
    await send((client, options) => client.send(new AbortMultipartUploadCommand(upload), options)).catch(
      () => undefined,
    );
    throw error;
  }
}
