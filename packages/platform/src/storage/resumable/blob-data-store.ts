import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { DataStore, Upload } from '@tus/server';
import type { ByteSource } from '@cellfolio/bytes';
import { blobKeyOf, leaveCallerRole, putObjectRow } from '../objects.ts';
import { folderOf, userIdOf } from '../storage-request.ts';
import { asStorageError, StorageError } from '../storage-error.ts';
import type { StorageContext } from '../storage-context.ts';
import { withoutStalls } from '../upload-slots.ts';
import { deleteUnusedBlobs, deadline } from '../sweep-storage.ts';
import { objectMetadata, type UploadPlan } from '../plan-upload.ts';
import { grantedBytes, setReserved } from '../reservation.ts';
import { abandonUpload } from '../upload-object.ts';
import { NoSuchUpload, describedIn, noteProgress, uploadRow, type UploadRow } from './tus-protocol.ts';

/** Bytes reserved at a time for an upload of unknown length. */
const stepBytes = 64 * 1024 * 1024;

/**
 * Resumable uploads: progress is in the database, so that any process can continue, and the bytes grow in the blob
 * store. The last byte and the object's row are not one transaction; an upload with all its bytes but no row is
 * finished by the next request for it.
 */
export class BlobDataStore extends DataStore {
  readonly #context: StorageContext;
  readonly #writing = new Map<string, Promise<void>>();
  readonly #plans = new WeakMap<Upload, UploadPlan>();

  constructor(context: StorageContext) {
    super();
    this.#context = context;
    this.extensions = [
      'creation',
      'creation-with-upload',
      'creation-defer-length',
      'expiration',
      'termination',
    ];
  }

  allow(upload: Upload, plan: UploadPlan): void {
    this.#plans.set(upload, plan);
  }

  /**
   * Settles when no write to that upload is active; after a broken connection, bytes may still be on their way to disk.
   */
  async idle(id: string): Promise<void> {
    await this.#writing.get(id);
  }

  override async create(upload: Upload): Promise<Upload> {
    const plan = this.#plans.get(upload);
    if (!plan) throw new Error('An upload was created without permission.');
    const requested =
      upload.size === undefined
        ? { atLeast: 0, atMost: Math.min(stepBytes, plan.maxBytes) }
        : { atLeast: upload.size, atMost: upload.size };
    const expiresAt = await this.#context.database.transaction(async (client) => {
      const granted = await grantedBytes(client, plan, requested);
      const { rows } = await client.query<{ expires_at: Date }>(
        `insert into storage.uploads (id, bucket_id, name, folder, owner_id, reserved_bytes, upsert, resumable, caller,
           tus_metadata, upload_length, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, true, $8, $9, $10, now() + make_interval(secs => $11))
         returning expires_at`,
        [
          upload.id,
          plan.bucketId,
          plan.name,
          folderOf(plan.name),
          userIdOf(plan.caller),
          granted,
          plan.upsert,
          JSON.stringify({ role: plan.caller.role, claims: plan.caller.claims }),
          JSON.stringify(upload.metadata ?? {}),
          upload.size ?? null,
          this.#secondsLeft(),
        ],
      );
      return rows[0]!.expires_at;
    });
    upload.creation_date = this.#beganAt(expiresAt);
    // No more bytes will arrive, so nothing else would finish it.
    if (upload.size === 0) await this.#finish(await this.#row(upload.id));
    return upload;
  }

  override async getUpload(id: string): Promise<Upload> {
    await this.idle(id);
    const row = await this.#row(id);
    // The process that received the last byte may have died before writing the row.
    if (!row.finished && row.upload_offset === row.upload_length) await this.#finish(row);
    return new Upload({
      id,
      offset: row.upload_offset,
      ...(row.upload_length !== null && { size: row.upload_length }),
      ...(row.tus_metadata && { metadata: row.tus_metadata }),
      creation_date: this.#beganAt(row.expires_at),
    });
  }

  override async declareUploadLength(id: string, length: number): Promise<void> {
    const row = await this.#row(id);
    await this.#context.database.transaction(async (client) => {
      await setReserved(
        client,
        id,
        await grantedBytes(client, this.#holderOf(row), { atLeast: length, atMost: length }),
      );
      await client.query('update storage.uploads set upload_length = $2 where id = $1', [id, length]);
    });
    if (length === row.upload_offset) await this.#finish(await this.#row(id));
  }

  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#writing.set(id, promise);
    try {
      return await this.#context.slots.hold(() => this.#write(stream, id, offset));
    } finally {
      this.#writing.delete(id);
      resolve();
    }
  }

  override async remove(id: string): Promise<void> {
    await this.#row(id);
    await abandonUpload(this.#context, id);
  }

  override async deleteExpired(): Promise<number> {
    // The sweep of the service deletes expired uploads of all kinds.
    return 0;
  }

  override getExpiration(): number {
    return this.#context.settings.resumableSeconds * 1000;
  }

  async #row(id: string): Promise<UploadRow> {
    const row = await uploadRow(this.#context.database, id);
    if (!row) throw new NoSuchUpload();
    return row;
  }

  async #write(stream: Readable, id: string, offset: number): Promise<number> {
    const { database, blobs, settings } = this.#context;
    const row = await this.#row(id);
    const length = row.upload_length ?? settings.maxFileBytes;
    let at = offset;
    let digest = row.digest ?? '';
    const steady = withoutStalls(stream, settings.stallSeconds);
    const body = row.upload_length === null ? this.#growing(row, steady) : steady;
    const checkpoints = blobs.resumable.append(blobKeyOf(id), {
      state: row.blob_state,
      offset,
      length,
      body,
    });
    let state = row.blob_state;
    for await (const checkpoint of checkpoints) {
      digest = createHash('sha256').update(digest).update(checkpoint.digest).digest('hex');
      const isNoted = await noteProgress(database, id, at, { ...checkpoint, digest }, this.#secondsLeft());
      if (!isNoted)
        throw new StorageError('NoSuchUpload', 'The upload was abandoned, or continued by another request.');
      at = checkpoint.offset;
      ({ state } = checkpoint);
    }
    if (at === row.upload_length)
      await this.#finish({ ...row, upload_offset: at, blob_state: state, digest });
    return at;
  }

  async *#growing(row: UploadRow, body: ByteSource): AsyncGenerator<Uint8Array> {
    let total = row.upload_offset;
    let reserved = row.reserved_bytes;
    for await (const piece of body) {
      total += piece.byteLength;
      if (total > reserved) {
        reserved = await this.#context.database.transaction(async (client) => {
          const granted = await grantedBytes(client, this.#holderOf(row), {
            atLeast: total,
            atMost: total + stepBytes,
          });
          await setReserved(client, row.id, granted);
          return granted;
        });
      }
      yield piece;
    }
  }

  #holderOf({ id, bucket_id, name, upsert }: UploadRow) {
    return {
      bucketId: bucket_id,
      name,
      upsert,
      version: id,
      rules: this.#context.buckets.get(bucket_id) ?? {},
    };
  }

  /** Creates the object of a complete upload. A refusal is final: the upload is removed. */
  async #finish(row: UploadRow): Promise<void> {
    const { database, blobs, now, log } = this.#context;
    const { id, caller } = row;
    const size = row.upload_length ?? 0;
    try {
      await blobs.resumable.finish(blobKeyOf(id), row.blob_state, size);
      const described = describedIn(row.tus_metadata ?? {});
      const digest = row.digest ?? createHash('sha256').digest('hex');
      const metadata = objectMetadata({ size, eTag: `"${digest}"` }, described, now());
      await database.as(caller, async (client) => {
        const object = { bucketId: row.bucket_id, name: row.name, upsert: row.upsert, version: id };
        await putObjectRow(client, caller, { ...object, metadata, userMetadata: described.userMetadata });
        await leaveCallerRole(client);
        // Kept for a while, for a client that lost the response and asks for the offset.
        const { rowCount } = await client.query(
          `update storage.uploads set finished_at = now(), reserved_bytes = 0, upload_offset = upload_length,
             caller = jsonb_build_object('role', caller -> 'role', 'claims', jsonb_build_object('sub', caller #> '{claims,sub}'))
           where id = $1 and finished_at is null`,
          [id],
        );
        if (rowCount === 0)
          throw new StorageError('NoSuchUpload', 'The upload was abandoned. Start it again.');
      });
    } catch (error) {
      // Otherwise a client asking for the offset would see a complete upload.
      if (asStorageError(error, { log }).status < 500) await abandonUpload(this.#context, id);
      throw error;
    }
    if (row.upsert) await deleteUnusedBlobs(this.#context);
  }

  /** Seconds until an upload without progress expires. */
  #secondsLeft(): number {
    return deadline(this.#context.now, this.getExpiration());
  }

  /** The protocol's server adds the TTL to this: so the TTL runs from the last byte, not the first. */
  #beganAt(expiresAt: Date): string {
    return new Date(expiresAt.getTime() - this.getExpiration()).toISOString();
  }
}
