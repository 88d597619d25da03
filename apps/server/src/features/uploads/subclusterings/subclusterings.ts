import { encodeCells } from '@cellfolio/columns';
import {
  type Job,
  minSubclusteringCells,
  type ProcessingChoice,
  samplesDefaults,
  samplesOfPart,
  type SubclusteringChoice,
  type SubclusteringLinks,
  type SubclusteringRecord,
  type subclusteringRequest,
} from '@cellfolio/contract';
import { type CellMask, countText, noCountsReason } from '@cellfolio/model';
import type { Database } from '@cellfolio/platform';
import { customDatasetId, type DatasetManifest } from '@cellfolio/store';
import type { z } from 'zod';
import { ApiFailure } from '../../../runtime/api-failure.ts';
import { columnNames } from '../../../runtime/column-names.ts';
import { categoriesOf, type OpenDatasets, requireColumn } from '../../../runtime/compute/open-datasets.ts';
import { categoryCounts, type ReadableDatasets, unlabelledCells } from '../../catalogue/index.ts';
import { datasetOf, type Selection } from '../../selection/index.ts';
import { fileNameOf, lockOwner, refuseTooMany, requirePlan } from '../caller-rules.ts';
import { insertJob, type JobRow, jobColumns, jobOf } from '../job-table.ts';
import { partMemoryProblem, plainName, plainText } from '../work/index.ts';
import { parentWarnings } from './parent-warnings.ts';
import { type Caller, type Owner, ownerOf } from '../../../runtime/owners.ts';

interface SubclusteringsDeps {
  database: Database;
  datasets: OpenDatasets;
  readable: Pick<ReadableDatasets, 'find'>;
  /** Memory limit of a job, in bytes. */
  memoryBytes: number;
  /** Wakes this process's job worker, if it runs one. */
  wake: () => void;
}

export class Subclusterings {
  readonly #deps: SubclusteringsDeps;

  constructor(deps: SubclusteringsDeps) {
    this.#deps = deps;
  }

  /**
   * Queues the making of a file of these cells, from which a dataset is built like from any other. `mask` is undefined
   * for all cells. Throws ApiFailure 400, 403, 422 or 429.
   */
  async begin(
    owner: Owner,
    { selection, mask }: { selection: Selection; mask: CellMask | undefined },
    request: z.output<typeof subclusteringRequest>,
  ): Promise<Job> {
    const { database, wake } = this.#deps;
    await requirePlan(database.pool, owner);
    const { manifest, own = [] } = selection;
    const cellsOf = partOf(selection, mask, request.definition);
    refuseCells(manifest, cellsOf.cells);
    await this.#refuseMemory(selection, mask, request.choices);
    await this.#refuseBatches(selection, mask, request.choices.batchColumn);
    const part = { ...cellsOf, warnings: await this.#warningsOf(owner, selection, mask) };
    const cells = encodeCells(packedBits(mask, manifest.cellCount), manifest.cellCount);
    const row = await database.transaction(async (client) => {
      await lockOwner(client, owner);
      await refuseTooMany(client, owner);
      const job = await insertJob(client, {
        owner,
        kind: 'subset',
        fileIds: [],
        name: fileNameOf(request.name, 'cells'),
        request: {
          subset: {
            part,
            annotations: own.map(({ id, revision, name }) => ({ id, revision, name })),
            processing: processingOf(request.choices),
          },
        },
      });
      await client.query('insert into cellfolio.job_cells (job_id, cells) values ($1, $2)', [job.id, cells]);
      return job;
    });
    wake();
    return jobOf(row);
  }

  async links(caller: Caller, datasetId: string): Promise<SubclusteringLinks> {
    const owner = ownerOf(caller);
    const { pool } = this.#deps.database;
    const { rows: subclusterings } = await pool.query<SubclusteringRow>(subclusteringsQuery, [
      owner,
      datasetId,
    ]);
    const { rows: jobs } = await pool.query<JobRow>(
      `select ${jobColumns} from cellfolio.jobs
       where owner_id = $1 and kind = 'subset' and request #>> '{subset,part,dataset_filename}' = $2
         and (state in ('queued', 'running') or (state = 'failed' and finished_at > now() - interval '1 day'))
       order by created_at desc, id limit 10`,
      [owner, datasetId],
    );
    return {
      part_of: await this.#parentOf(caller, datasetId),
      subclusterings: subclusterings.map(({ id, file_name, record, state, problem }) => ({
        dataset_filename: customDatasetId(id),
        name: file_name,
        state,
        problem,
        part: record,
      })),
      jobs: jobs.map(jobOf),
    };
  }

  async #recordOf(owner: Owner, datasetId: string): Promise<SubclusteringRecord | undefined> {
    const { rows } = await this.#deps.database.pool.query<{ record: SubclusteringRecord }>(
      `select s.record from cellfolio.subclusterings s join public.user_files f on f.id = s.file_id
       where f.user_id = $1 and 'custom:' || f.id = $2`,
      [owner, datasetId],
    );
    return rows[0]?.record;
  }

  async #warningsOf(owner: Owner, selection: Selection, mask: CellMask | undefined) {
    const { id, warnings, catalogue } = selection.manifest;
    const dataset = await this.#deps.datasets.get(datasetOf(selection));
    const ofSamples =
      mask !== undefined && warnings.some(({ numbers }) => numbers?.['samples'] !== undefined);
    // As samples that were combined are called.
    const column =
      ofSamples && columnNames(dataset).includes('sample')
        ? categoriesOf(await dataset.obs('sample'))
        : undefined;
    const there = column && categoryCounts(column, mask);
    const absent = new Set(column?.categories.filter((sample) => !there?.has(sample)));
    const earlier = (await this.#recordOf(owner, id))?.warnings;
    return parentWarnings({ name: plainName(catalogue.name), warnings }, absent, earlier);
  }

  async #parentOf(caller: Caller, datasetId: string): Promise<SubclusteringLinks['part_of']> {
    const record = await this.#recordOf(ownerOf(caller), datasetId);
    if (!record) return null;
    const parent = await this.#deps.readable.find(caller, record.dataset_filename);
    if (!parent) return { ...record, state: 'removed' };
    return { ...record, state: parent.version === record.version ? 'same' : 'replaced' };
  }

  /**
   * Throws ApiFailure 422 when the dataset could not be built. This is certain for all cells, whose entries are
   * counted, and for so many cells that their number alone decides. Otherwise the job counts the entries before it
   * copies anything.
   */
  async #refuseMemory(
    selection: Selection,
    mask: CellMask | undefined,
    choices: SubclusteringChoice,
  ): Promise<void> {
    const dataset = await this.#deps.datasets.get(datasetOf(selection));
    const { cellCount, geneCount } = dataset.manifest;
    const whole = mask === undefined ? await dataset.storedMatrix('layers/counts') : undefined;
    const size = { cellCount: mask?.count ?? cellCount, geneCount, entryCount: whole?.starts.at(-1) ?? 0 };
    const problem = partMemoryProblem(size, processingOf(choices), this.#deps.memoryBytes);
    if (problem !== undefined) throw new ApiFailure(422, 'too_large', problem);
  }

  /** Throws ApiFailure 400, 422 when a column does not separate batches of these cells. */
  async #refuseBatches(
    selection: Selection,
    mask: CellMask | undefined,
    column: string | undefined,
  ): Promise<void> {
    if (column === undefined) return;
    const dataset = await this.#deps.datasets.get(datasetOf(selection));
    requireColumn(dataset, column, 400);
    const categories = categoriesOf(await dataset.obs(column));
    const cells = mask?.count ?? selection.manifest.cellCount;
    const problem =
      categories === undefined
        ? 'it holds no categories'
        : batchProblem(categoryCounts(categories, mask), cells);
    if (problem === undefined) return;
    throw new ApiFailure(
      422,
      'no_batches',
      `${plainName(column)} cannot separate batches of these cells: ${problem}. Choose another column, or none.`,
      { details: [{ field: 'choices.batchColumn', problem }] },
    );
  }
}

/** A batch with fewer cells shows neither which of its genes vary nor how it differs from others. */
const minBatchCells = 10;

function batchProblem(counts: ReadonlyMap<string, number>, cells: number): string | undefined {
  const without = unlabelledCells(counts, cells);
  if (without > 0) return `${countText(without)} of them have no value in it`;
  if (counts.size < 2) return 'it is the same for all of them';
  const small = [...counts].find(([, count]) => count < minBatchCells);
  if (!small) return undefined;
  return `${plainName(small[0])} has ${countText(small[1])} of them, and at least ${minBatchCells} are needed`;
}

function partOf(
  { manifest, subset }: Selection,
  mask: CellMask | undefined,
  definition: string | undefined,
): SubclusteringRecord {
  const name = subset?.subset_group_name ?? null;
  return {
    dataset_filename: manifest.id,
    version: manifest.version,
    name: plainName(manifest.catalogue.name),
    subset: name === null ? null : plainName(name),
    definition: plainText(definition || (name ?? 'all cells')),
    cells: mask?.count ?? manifest.cellCount,
    of_cells: manifest.cellCount,
    simulated: manifest.catalogue.simulated || undefined,
  };
}

/** Throws ApiFailure 422. */
function refuseCells({ expression, catalogue, warnings }: DatasetManifest, cells: number): void {
  if (!expression.hasCounts) {
    throw new ApiFailure(
      422,
      'no_raw_counts',
      `${plainName(catalogue.name)} has no raw counts, and a new map needs them.${noCountsReason(warnings)} You can still view its cells on the existing map: choose them under Cell subset. For a new map, add a file of the same cells with raw counts.`,
    );
  }
  if (expression.fractionalCounts === true) {
    throw new ApiFailure(
      422,
      'no_raw_counts',
      `Counts of ${plainName(catalogue.name)} have fractions, and a new map needs whole counts. Round them in the file (np.rint, or roundToInt of SoupX) and build its dataset again.`,
    );
  }
  if (cells >= minSubclusteringCells) return;
  throw new ApiFailure(
    422,
    'too_few_cells',
    `${countText(cells)} cells are too few for a new map; at least ${minSubclusteringCells} are needed.`,
  );
}

function processingOf({
  resolutions,
  integrate,
  batchColumn,
  ...settings
}: SubclusteringChoice): ProcessingChoice {
  return {
    ...settings,
    samples: samplesOfPart({
      integrate,
      batchColumn,
      resolutions: resolutions ?? samplesDefaults.resolutions,
    }),
  };
}

/** One bit per cell, least significant bit of a byte first. */
function packedBits(mask: CellMask | undefined, cellCount: number): Uint8Array {
  const bits = new Uint8Array(Math.ceil(cellCount / 8));
  for (let cell = 0; cell < cellCount; cell++)
    if (mask === undefined || mask.bits[cell] === 1) bits[cell >> 3]! |= 1 << (cell & 7);
  return bits;
}

interface SubclusteringRow {
  id: string;
  file_name: string;
  record: SubclusteringRecord;
  state: SubclusteringLinks['subclusterings'][number]['state'];
  problem: SubclusteringLinks['subclusterings'][number]['problem'];
}

const subclusteringsQuery = `
  select f.id, f.file_name, s.record, coalesce(d.problem, r.problem) as problem,
    case
      when d.version is not null then 'ready'
      when r.problem is not null or cellfolio.dataset_state(d) = 'failed' then 'failed'
      else 'preparing'
    end as state
  from cellfolio.subclusterings s
  join public.user_files f on f.id = s.file_id
  left join cellfolio.file_reports r on r.file_id = f.id
  left join cellfolio.custom_datasets d on d.file_id = f.id and not d.outdated
  where f.user_id = $1 and s.parent_id = $2
  order by f.created_at desc, f.id
  limit 200`;
