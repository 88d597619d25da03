import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../database/database.ts';
import type { BlobStore } from '@cellfolio/bytes';
import type { CallerResolver } from '../auth/resolve-caller.ts';
import type { DownloadTokens } from './services/download-tokens.ts';
import type { BucketRules, StorageSettings } from './storage-settings.ts';
import type { UploadSlots } from './upload-slots.ts';

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
