import { z } from 'zod';

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
  /** Longest life of a signed address. */
  maxSignedSeconds: z
    .int()
    .positive()
    .default(10 * 365 * 24 * 3600),
});
export type StorageSettings = z.output<typeof storageSettings>;
export type StorageSettingsInput = z.input<typeof storageSettings>;
