import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { DatasetNotFound, openDataset, openObjectStore } from '@cellfolio/store';
import { ApiFailure } from '../../../runtime/api-failure.ts';
import { withOwnColumns } from '../../../runtime/compute/own-columns.ts';
import type { Owner } from '../../../runtime/owners.ts';
import { AnnotationColumns } from '../../annotations/index.ts';
import { checkDataset, type CuratedContent, curatedContent } from '../../cellxgene/index.ts';
import type { CellxgeneOrder } from '../job-table.ts';
import { type CellxgeneWork, goneDataset, WorkFailed } from '../work/index.ts';
import type { JobDeps, JobKindRules } from './job-kind.ts';
import { annDataFile, recordNewFile } from './record-file.ts';

/** Makes the AnnData file of a dataset that CELLxGENE Discover accepts, from the choices of its curator. */
export const cellxgene: JobKindRules<CellxgeneWork> = {
  lane: 'heavy',
  limitMs: 2 * 3600_000,
  isRestartable: true,
  async open(deps, run, { scratch, signal }) {
    const { cellxgene: order } = run.job.request;
    if (!order) throw new Error(`The job ${run.job.id} has no choices.`);
    const { dataset: of } = order;
    const content = join(scratch, 'curated');
    const output = join(scratch, 'cellxgene.h5ad');
    await writeFile(content, serialize(await checkedContent(deps, run.job.owner_id, order, signal)), {
      mode: 0o600,
    });
    return {
      work: {
        kind: 'cellxgene',
        root: deps.objectRoot,
        dataset: of,
        content,
        memoryBytes: deps.memoryBytes,
        output,
      },
      record: ({ notes }, unlogged) =>
        recordNewFile(deps, run, {
          ...annDataFile(run),
          description: `${of.name} for CELLxGENE Discover`,
          notes: unlogged(notes),
          path: output,
          signal,
          isBuilt: false,
        }),
    };
  },
};

/** Checks the dataset again, which may have changed since the job was requested. Throws WorkFailed. */
async function checkedContent(
  { database, objectRoot }: Pick<JobDeps, 'database' | 'objectRoot'>,
  owner: Owner,
  { dataset: of, choices, annotations }: CellxgeneOrder,
  signal: AbortSignal,
): Promise<CuratedContent> {
  const objects = await openObjectStore(objectRoot);
  try {
    const stored = await openDataset(objects, of.id);
    if (stored.manifest.version !== of.version) throw new DatasetNotFound(of.id);
    const columns = new AnnotationColumns(database);
    const own = await columns.storedColumns(owner, of, annotations);
    const curated = await checkDataset(withOwnColumns(stored, own), choices, signal);
    const content = curatedContent(stored, own, curated);
    if (content === undefined) throw notReady;
    return content;
  } catch (error) {
    if (error instanceof DatasetNotFound) throw goneDataset(of.name, error);
    if (error instanceof ApiFailure) throw notReady;
    throw error;
  } finally {
    await objects.close();
  }
}

const notReady = new WorkFailed(
  'not_ready',
  'The dataset or your labels have changed since the check. Check the dataset again.',
);
