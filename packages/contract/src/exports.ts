import { z } from 'zod';
import { exportCellsRequest } from './figures.ts';

const content = exportCellsRequest
  .pick({ signature: true, cell_state: true, dataset: true, cells: true })
  .extend({
    counts: z.boolean().default(true).describe('Raw counts as `layers/counts`, where the dataset has them.'),
    annotations: z
      .boolean()
      .default(true)
      .describe('The user’s columns: annotations, and numbers saved from results.'),
  });

/** `POST /api/export-dataset/contents`: contents of the file that an export would create. */
export const exportContentsRequest = content.meta({ id: 'ExportContentsRequest' });
export type ExportContentsRequest = z.input<typeof exportContentsRequest>;

/** `POST /api/export-dataset`: the active cells with all their data as an .h5ad file. */
export const exportDatasetRequest = content
  .extend({
    from: z
      .number()
      .int()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .default(0)
      .describe('Number of bytes that the caller already has: the download resumes after them.'),
    etag: z.string().max(100).optional().describe('The ETag of these bytes; its quotes may be omitted.'),
  })
  .refine(({ from, etag }) => from === 0 || etag !== undefined, {
    path: ['etag'],
    error: 'Name the ETag of the bytes that you have.',
  })
  .meta({ id: 'ExportDatasetRequest' });

const contentPart = z.object({
  part: z.string().describe('Such as `X` or `obs`.'),
  text: z.string().describe('What is in it, in words.'),
});

export const exportContents = z
  .object({
    file_name: z.string(),
    cell_count: z.number().int(),
    gene_count: z.number().int(),
    bytes: z.number().describe('About how long the file is going to be.'),
    contents: z.array(contentPart),
    left_out: z.array(z.string()).describe('What a user may look for in it and not find, in sentences.'),
  })
  .meta({ id: 'ExportContents' });
export type ExportContents = z.infer<typeof exportContents>;

/** `GET /api/datasets/{id}/assets`: files that belong to a dataset. */
export const assetList = z
  .object({
    version: z.string().describe('Of the dataset; the files belong to it.'),
    assets: z.array(
      z.object({ name: z.string(), size: z.number().int().describe('In bytes.') }).meta({ id: 'Asset' }),
    ),
  })
  .meta({ id: 'AssetList' });

export type AssetList = z.infer<typeof assetList>;
