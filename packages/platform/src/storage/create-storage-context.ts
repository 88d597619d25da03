import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../database/database.ts';
import type { CallerResolver } from '../auth/resolve-caller.ts';
import { storageUrlKey } from '../settings/project-keys.ts';
import type { BlobStore } from '@cellfolio/bytes';
import { DownloadTokens } from './services/download-tokens.ts';
import type { StorageContext } from './storage-context.ts';
import { UploadSlots } from './upload-slots.ts';
import { type BucketRules, storageSettings, type StorageSettingsInput } from './storage-settings.ts';

/** What whoever mounts the platform gives for files to be stored. */
export interface StorageOptions {
  /** Where the bytes go: `openBlobStore` makes one. Whoever gives it closes it, after the plugin. */
  readonly blobs: BlobStore;
  readonly settings?: StorageSettingsInput;
  /** The rules of the buckets that have some, by their ids. */
  readonly buckets?: ReadonlyMap<string, BucketRules>;
}

export interface StorageSurroundings {
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
  surroundings: StorageSurroundings,
): Promise<StorageContext> {
  const key = await storageUrlKey(surroundings.database);
  const parsed = storageSettings.parse(settings ?? {});
  return {
    ...surroundings,
    blobs,
    settings: parsed,
    buckets,
    slots: new UploadSlots(parsed.concurrentUploads, parsed.slotWaitSeconds),
    tokens: new DownloadTokens(key, surroundings.now),
  };
}
