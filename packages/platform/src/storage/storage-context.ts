import { z } from 'zod';
import type { FastifyBaseLogger } from 'fastify';
import type { BlobStore } from '@cellfolio/bytes';
import type { Database } from '../database/database.ts';
import type { CallerResolver } from '../auth/resolve-caller.ts';
import { DownloadTokens } from './download-tokens.ts';
import { UploadSlots } from './upload-slots.ts';
import { storageUrlKey } from '../settings/project-keys.ts';

/** Limits of a bucket beyond its own row, for every caller. */
export interface BucketRules {
  /** Lower case, without the dot; default any. */
  readonly extensions?: readonly string[];
  /** Maximum bytes in each top-level folder, including active uploads; each folder belongs to a user. */
  readonly folderQuotaBytes?: number;
  /** Maximum objects in each top-level folder, including active uploads. */
  readonly folderObjects?: number;
  /** Maximum remembered uploads of each top-level folder: active ones, and resumable ones for a day after their end. */
  readonly folderUploads?: number;
}

/** All storage settings of an operator. */
export const storageSettings = z.object({
  /** Maximum file size overall; a bucket may have a lower limit. S3 allows 5 TiB. */
  maxFileBytes: z
    .int()
    .positive()
    .default(200 * 10 ** 9),
  /** Seconds for which an upload without progress can still be resumed. */
  resumableSeconds: z
    .int()
    .positive()
    .default(24 * 3600),
  /** Concurrent uploads per process; each holds up to three parts of 8 to 22 MB in memory on S3. */
  concurrentUploads: z.int().positive().default(32),
  /** Maximum wait of further uploads before they are asked to retry. */
  slotWaitSeconds: z.number().positive().default(30),
  /** An upload that sends nothing for this long is aborted. */
  stallSeconds: z.number().positive().default(120),
  /** Maximum wait of a request for another one that writes to the same upload. */
  lockWaitSeconds: z.number().positive().default(15),
  /**
   * Seconds for which an upload stays locked after its process was killed; the lease is renewed ten times in that time.
   */
  leaseSeconds: z.number().min(1).default(20),
  /** Interval between removals of abandoned uploads and bytes; 0 for never. */
  sweepSeconds: z.number().min(0).default(300),
  /** Maximum lifetime of a signed address: a week, as in S3. It outlives its creator's session and second factor. */
  maxSignedSeconds: z
    .int()
    .positive()
    .default(7 * 24 * 3600),
});
type StorageSettings = z.output<typeof storageSettings>;
export type StorageSettingsInput = z.input<typeof storageSettings>;

export interface StorageContext {
  database: Database;
  blobs: BlobStore;
  settings: StorageSettings;
  buckets: ReadonlyMap<string, BucketRules>;
  callers: CallerResolver;
  publishableKey: string;
  tokens: DownloadTokens;
  slots: UploadSlots;
  /** Public address of the platform, without a trailing slash. */
  publicUrl: string;
  /** Whether forwarding headers come from the operator's proxy. */
  trustProxy: boolean;
  log: FastifyBaseLogger;
  now: () => number;
}

export type UploadContext = Pick<
  StorageContext,
  'database' | 'blobs' | 'settings' | 'buckets' | 'log' | 'now'
>;

export interface StorageOptions {
  /** Blob store, from `openBlobStore`. Its creator closes it, after the plugin. */
  readonly blobs: BlobStore;
  readonly settings?: StorageSettingsInput;
  readonly buckets?: ReadonlyMap<string, BucketRules>;
}

interface StorageDeps {
  database: Database;
  callers: CallerResolver;
  publishableKey: string;
  publicUrl: string;
  trustProxy: boolean;
  log: FastifyBaseLogger;
  now: () => number;
}

/** Throws ZodError for unusable settings. */
export async function createStorageContext(
  { blobs, settings, buckets = new Map() }: StorageOptions,
  deps: StorageDeps,
): Promise<StorageContext> {
  const key = await storageUrlKey(deps.database);
  const parsed = storageSettings.parse(settings ?? {});
  return {
    ...deps,
    blobs,
    settings: parsed,
    buckets,
    slots: new UploadSlots(parsed.concurrentUploads, parsed.slotWaitSeconds),
    tokens: new DownloadTokens(key, deps.now),
  };
}
