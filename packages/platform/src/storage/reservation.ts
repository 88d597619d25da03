import type { PoolClient } from 'pg';
import type { ByteSource } from '@cellfolio/bytes';
import { folderOf } from './storage-request.ts';
import { StorageError } from './storage-error.ts';
import type { UploadContext } from './storage-context.ts';
import { deadline } from './sweep-storage.ts';
import type { UploadPlan } from './plan-upload.ts';

/** Bytes reserved at a time for a sender that does not announce a length. */
const stepBytes = 64 * 1024 * 1024;
/** An upload without a heartbeat for this long counts as abandoned; an active one sends three in that time. */
const patienceMs = 15 * 60 * 1000;

interface ReservedBytes {
  /** Minimum; refused if it does not fit. */
  atLeast: number;
  /** Maximum; granted as far as there is room. */
  atMost: number;
}

type QuotaHolder = Pick<UploadPlan, 'bucketId' | 'name' | 'upsert' | 'version' | 'rules'>;

interface FolderUse {
  stored: number;
  coming: number;
  replaced: number;
  /** Objects with other names. */
  otherObjects: number;
  otherUploads: number;
  /** Uploads of any name, including finished ones that are still remembered. */
  begun: number;
}

/**
 * Bytes granted to an upload, given the content of its folder and other active uploads. Decisions for one folder are
 * serialised, so that concurrent uploads cannot together exceed the quota. Throws StorageError `QuotaExceeded`.
 */
export async function grantedBytes(
  client: PoolClient,
  { bucketId, name, upsert, version, rules }: QuotaHolder,
  { atLeast, atMost }: ReservedBytes,
): Promise<number> {
  const quota = rules.folderQuotaBytes;
  if (quota === undefined) return atMost;
  const folder = folderOf(name);
  await client.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [
    `cellfolio.storage.quota/${bucketId}/${folder}`,
  ]);
  const { rows } = await client.query<FolderUse>(
    `select
       (select coalesce(sum((metadata ->> 'size')::bigint), 0)::float8 from storage.objects
        where bucket_id = $1 and path_tokens[1] = $2) as stored,
       (select coalesce(sum(reserved_bytes), 0)::float8 from storage.uploads
        where bucket_id = $1 and folder = $2 and id <> $3) as coming,
       (select coalesce(sum((metadata ->> 'size')::bigint), 0)::float8 from storage.objects
        where $5 and bucket_id = $1 and name = $4) as replaced,
       (select count(*)::int from storage.objects
        where bucket_id = $1 and path_tokens[1] = $2 and name <> $4) as "otherObjects",
       (select count(*)::int from storage.uploads
        where bucket_id = $1 and folder = $2 and id <> $3 and name <> $4
          and finished_at is null) as "otherUploads",
       (select count(*)::int from storage.uploads
        where bucket_id = $1 and folder = $2 and id <> $3) as begun`,
    [bucketId, folder, version, name, upsert],
  );
  const { stored, coming, replaced, otherObjects, otherUploads, begun } = rows[0]!;
  if (rules.folderUploads !== undefined && begun >= rules.folderUploads) {
    throw new StorageError(
      'QuotaExceeded',
      `At most ${rules.folderUploads.toLocaleString('en-US')} uploads can be started per day. ` +
        'Finish or cancel the uploads in progress, or continue tomorrow.',
    );
  }
  if (rules.folderObjects !== undefined && otherObjects + otherUploads >= rules.folderObjects) {
    throw new StorageError(
      'QuotaExceeded',
      `You can store at most ${rules.folderObjects.toLocaleString('en-US')} files, including uploads in progress. ` +
        'Delete files that are no longer needed, then try again.',
    );
  }
  const free = quota - (stored + coming - replaced);
  if (atLeast > free) {
    throw new StorageError(
      'QuotaExceeded',
      `There is not enough space: ${sizeText(free)} of ${sizeText(quota)} are free, not counting space reserved for uploads in progress. ` +
        'Delete files that are no longer needed, then try again.',
    );
  }
  return Math.min(atMost, free);
}

/** Reserved room for one single-request upload, from before its first byte until its row is written. */
export class Reservation {
  readonly #context: UploadContext;
  readonly #plan: UploadPlan;
  #bytes: number;

  private constructor(context: UploadContext, plan: UploadPlan, bytes: number) {
    this.#context = context;
    this.#plan = plan;
    this.#bytes = bytes;
  }

  static async open(
    context: UploadContext,
    plan: UploadPlan,
    requested: ReservedBytes,
  ): Promise<Reservation> {
    const bytes = await context.database.transaction(async (client) => {
      const granted = await grantedBytes(client, plan, requested);
      await client.query(
        `insert into storage.uploads (id, bucket_id, name, folder, reserved_bytes, upsert, expires_at)
         values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))`,
        [
          plan.version,
          plan.bucketId,
          plan.name,
          folderOf(plan.name),
          granted,
          plan.upsert,
          deadline(context.now, patienceMs),
        ],
      );
      return granted;
    });
    return new Reservation(context, plan, bytes);
  }

  /** Passes the body through, reserving more room as it arrives. */
  async *metered(body: ByteSource): AsyncGenerator<Uint8Array> {
    const sign = setInterval(() => void this.#signOfLife(), patienceMs / 3);
    sign.unref();
    try {
      let total = 0;
      for await (const piece of body) {
        total += piece.byteLength;
        if (total > this.#plan.maxBytes) {
          throw new StorageError('EntityTooLarge', 'The object exceeded the maximum allowed size');
        }
        if (total > this.#bytes) await this.#grow(total);
        yield piece;
      }
    } finally {
      clearInterval(sign);
    }
  }

  async #grow(total: number): Promise<void> {
    const { database } = this.#context;
    this.#bytes = await database.transaction(async (client) => {
      const granted = await grantedBytes(client, this.#plan, { atLeast: total, atMost: total + stepBytes });
      await setReserved(client, this.#plan.version, granted);
      return granted;
    });
  }

  async #signOfLife(): Promise<void> {
    const { database, now, log } = this.#context;
    await database.pool
      .query('update storage.uploads set expires_at = now() + make_interval(secs => $2) where id = $1', [
        this.#plan.version,
        deadline(now, patienceMs),
      ])
      .catch((error: unknown) => log.warn({ err: error }, 'an upload could not be kept alive'));
  }
}

export async function setReserved(client: PoolClient, version: string, bytes: number): Promise<void> {
  const { rowCount } = await client.query('update storage.uploads set reserved_bytes = $2 where id = $1', [
    version,
    bytes,
  ]);
  if (rowCount === 0) throw new StorageError('NoSuchUpload', 'The upload was abandoned. Start it again.');
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

function sizeText(bytes: number): string {
  const size = Math.max(0, bytes);
  const power = size < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(size) / 3));
  const unit = units[power]!;
  const text = (size / 1000 ** power).toLocaleString('en', {
    style: 'unit',
    unit,
    unitDisplay: unit === 'byte' ? 'long' : 'short',
    maximumFractionDigits: 2,
  });
  // Formatted as in the web app.
  return text.replace('kB', 'KB');
}
