import { z } from 'zod';

/** What is kept beside the text of a stored library. */
export const libraryRecord = z.object({
  name: z.string(),
  source: z.enum(['publisher', 'file']),
  /** Address or file name it came from. */
  origin: z.string(),
  /** When it was stored, ISO 8601. */
  storedAt: z.iso.datetime(),
  /** Name of the text beside the record. Every writer takes a new one, so that no reader sees it change. */
  text: z.string().regex(/^[0-9a-f-]{36}\.gmt$/),
  /** Of the text, in hex. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.int().nonnegative(),
  setCount: z.int().positive(),
  /** Distinct genes over all sets. */
  geneCount: z.int().positive(),
  /** How many of the 50 cell states are among its sets. */
  cellStateCount: z.int().nonnegative(),
});

export type LibraryRecord = z.infer<typeof libraryRecord>;
