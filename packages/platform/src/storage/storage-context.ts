import { z } from 'zod';
import type { FastifyBaseLogger } from 'fastify';
import type { BlobStore } from '@cellfolio/bytes';
import type { Database } from '../database/database.ts';
import type { CallerResolver } from '../auth/resolve-caller.ts';
import { DownloadTokens } from './download-tokens.ts';
import { UploadSlots } from './upload-slots.ts';
import { storageUrlKey } from '../settings/project-keys.ts';

/** Limits of a bucket beyond its own row, whoever calls. */
export interface BucketRules {
  /** Lower case, without the dot; any where it is not given. */
  readonly extensions?: readonly string[];
  /** Bytes that each top folder may hold, uploads under way included; a folder is a user's. */
  readonly folderQuotaBytes?: number;
  /** Objects that each top folder may hold, uploads under way included. */
  readonly folderObjects?: number;
  /** Uploads of each top folder that are remembered: those under way, and resumable ones for a day after their end. */
  readonly folderUploads?: number;
}

/** Everything about files that an operator may choose. */
export const storageSettings = z.object({
  /** Largest file anywhere; a bucket may have a lower limit. S3 takes 5 TiB. */
  maxFileBytes: z
    .int()
    .positive()
    .default(200 * 10 ** 9),
  /** How long an upload that makes no progress can still be resumed. */
  resumableSeconds: z
    .int()
    .positive()
    .default(24 * 3600),
  /** Uploads that one process takes in at a time; each holds up to three parts of 8 to 22 MB in memory on S3. */
  concurrentUploads: z.int().positive().default(32),
  /** How long a further one waits for its turn before it is told to come again. */
  slotWaitSeconds: z.number().positive().default(30),
  /** An upload that brings nothing for so long is broken off. */
  stallSeconds: z.number().positive().default(120),
  /** How long a request waits for another one that writes to the same upload. */
  lockWaitSeconds: z.number().positive().default(15),
  /** How long an upload stays locked after the process that took it in was killed; renewed ten times in that time. */
  leaseSeconds: z.number().min(1).default(20),
  /** Time between two rounds of clearing up abandoned uploads and bytes; 0 for never. */
  sweepSeconds: z.number().min(0).default(300),
  /** Longest life of a signed address: a week, as S3 has it. It outlives its maker's session and second step. */
  maxSignedSeconds: z
    .int()
    .positive()
    .default(7 * 24 * 3600),
});
type StorageSettings = z.output<typeof storageSettings>;
export type StorageSettingsInput = z.input<typeof storageSettings>;

/** What the routes of the storage service work with. */
export interface StorageContext {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly settings: StorageSettings;
  /** The rules of the buckets that have some, by their ids. */
  readonly buckets: ReadonlyMap<string, BucketRules>;
  readonly callers: CallerResolver;
  readonly publishableKey: string;
  readonly tokens: DownloadTokens;
  readonly slots: UploadSlots;
  /** Where browsers reach the platform, without a slash at the end. */
  readonly publicUrl: string;
  /** Whether forwarding headers are the operator's proxy's own. */
  readonly trustProxy: boolean;
  readonly log: FastifyBaseLogger;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** What storing a file needs of it. */
export type UploadContext = Pick<
  StorageContext,
  'database' | 'blobs' | 'settings' | 'buckets' | 'log' | 'now'
>;

/** What whoever mounts the platform gives for files to be stored. */
export interface StorageOptions {
  /** Where the bytes go: `openBlobStore` makes one. Whoever gives it closes it, after the plugin. */
  readonly blobs: BlobStore;
  readonly settings?: StorageSettingsInput;
  /** The rules of the buckets that have some, by their ids. */
  readonly buckets?: ReadonlyMap<string, BucketRules>;
}

interface StorageDeps {
  readonly database: Database;
  readonly callers: CallerResolver;
  readonly publishableKey: string;
  readonly publicUrl: string;
  readonly trustProxy: boolean;
  readonly log: FastifyBaseLogger;
  readonly now: () => number;
}

/** Throws ZodError for settings that are not usable. */
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
