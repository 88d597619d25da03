import { z } from 'zod';
import { job } from './files.ts';

const link = z
  .string()
  .trim()
  .min(4, 'Paste a link or an accession.')
  .max(4000)
  .describe(
    'A page of a collection or dataset of CELLxGENE Discover, an accession of GEO (GSE…, GSM…) or its page, or the https address of a file or of a `.tar` archive of several.',
  );

/** `POST /api/linked-data`: previews the data behind a link. */
export const linkRequest = z.object({ link }).strict().meta({ id: 'LinkRequest' });

export const linkedData = z
  .object({
    name: z.string().describe('By which it is chosen.'),
    files: z.array(z.object({ name: z.string(), bytes: z.number().nullable() })),
    bytes: z.number().nullable().describe('Of all its files; null where the server does not say.'),
    cells: z.number().int().nullable(),
    file_name: z.string().describe('Default name of the file.'),
    description: z.string().describe('What the archive says, with its citation and license.'),
    facts: z.array(z.object({ name: z.string(), value: z.string() })),
  })
  .meta({ id: 'LinkedData' });
export type LinkedData = z.infer<typeof linkedData>;

/** Response of `POST /api/linked-data`. */
export const linkPreview = z
  .object({
    title: z.string(),
    datasets: z.array(linkedData).describe('At most 500.'),
    left: z.number().int().describe('Datasets beyond those.'),
    unreadable: z.array(z.string()).describe('Files that cannot be read, each with the reason.'),
  })
  .meta({ id: 'LinkPreview' });
export type LinkPreview = z.infer<typeof linkPreview>;

export const maxDownloads = 50;

/** `POST /api/downloads`: downloads datasets of a link as files of the caller. */
export const downloadRequest = z
  .object({
    link,
    datasets: z
      .array(z.string().min(1).max(1000))
      .min(1, 'Choose a dataset.')
      .max(maxDownloads, `Choose at most ${maxDownloads} datasets at a time.`)
      .describe('Names of those that the link leads to.'),
    file_name: z
      .string()
      .trim()
      .min(1)
      .max(1000)
      .optional()
      .describe('For a single dataset; default: its name in the archive.'),
    description: z
      .string()
      .trim()
      .max(20_000)
      .optional()
      .describe('For a single dataset; default: its description in the archive.'),
  })
  .strict()
  .refine(({ datasets, file_name, description }) => {
    return datasets.length === 1 || (file_name === undefined && description === undefined);
  }, 'A name and a description are for a single dataset.')
  .meta({ id: 'DownloadRequest' });
export type DownloadRequest = z.infer<typeof downloadRequest>;

export const jobsAnswer = z.object({ jobs: z.array(job) }).meta({ id: 'JobsAnswer' });
