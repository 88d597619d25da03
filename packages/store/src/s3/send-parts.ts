import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';

/** How the requests of one upload are sent. */
export interface PartsOf {
  readonly at: { readonly Bucket: string; readonly Key: string };
  /** Sends a request with a body of so many bytes, again where that may help. */
  send<T>(
    work: (client: S3Client, options: { abortSignal: AbortSignal }) => Promise<T>,
    bytes?: number,
  ): Promise<T>;
}

/** Parts on their way at a time: one fills while the others are sent. */
const partsAtOnce = 2;

/**
 * Uploads an object in parts: it appears when the last request succeeds. Where one fails for good, the parts are given
 * back. Throws what `send` and the parts throw.
 */
export async function sendParts(
  { at, send }: PartsOf,
  first: readonly Uint8Array[],
  others: AsyncIterable<Uint8Array>,
): Promise<void> {
  const { UploadId } = await send((client, options) =>
    client.send(new CreateMultipartUploadCommand(at), options),
  );
  const upload = { ...at, UploadId };
  const tags: { PartNumber: number; ETag: string | undefined }[] = [];
  const sending = new Set<Promise<void>>();
  const sendPart = async (Body: Uint8Array): Promise<void> => {
    const part: (typeof tags)[number] = { PartNumber: tags.length + 1, ETag: undefined };
    tags.push(part);
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
  try {
    for (const part of first) await sendPart(part);
    for await (const part of others) await sendPart(part);
    await Promise.all(sending);
    await send((client, options) =>
      client.send(
        new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: tags } }),
        options,
      ),
    );
  } catch (error) {
    await Promise.allSettled(sending);
    await send((client, options) => client.send(new AbortMultipartUploadCommand(upload), options)).catch(
      () => undefined,
    );
    throw error;
  }
}
