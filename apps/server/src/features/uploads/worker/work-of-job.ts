import { join } from 'node:path';
import type { ColumnChoice } from '@cellfolio/contract';
import type { CatalogueEntry } from '@cellfolio/model';
import { customDatasetId, type StorePlace } from '@cellfolio/store';
import type { JobRequest, Run } from '../job-table.ts';
import type { InputFile, Work } from '../work/index.ts';
import type { JobFile } from './job-inputs.ts';
import type { SubsetInput } from './subset-input.ts';

interface WorkDeps {
  objectRoot: StorePlace;
  memoryBytes: number;
}

interface WorkInputs {
  files: readonly JobFile[];
  subset?: SubsetInput | undefined;
  scratch: string;
}

export function workOf(deps: WorkDeps, { job }: Run, { files, subset, scratch }: WorkInputs): Work {
  const { memoryBytes, objectRoot } = deps;
  if (subset) {
    const processing = job.request.subset?.processing ?? {};
    return {
      kind: 'subset',
      root: objectRoot,
      ...subset,
      processing,
      memoryBytes,
      output: outputOf(scratch),
    };
  }
  const [first, second, third] = files;
  if (!first) throw new Error(`The job ${job.id} has no file.`);
  switch (job.kind) {
    case 'inspect':
      return {
        kind: 'inspect',
        file: first.input,
        columns: columnsToTry(job.request),
        processing: job.request.processing ?? {},
        combined: first.combined ?? undefined,
        isPart: first.part_of !== null,
        memoryBytes,
      };
    case 'convert':
    case 'download':
      if (!second || !third) throw new Error(`The job ${job.id} does not have three files.`);
      return conversionOf([first.input, second.input, third.input], scratch);
    case 'combine': {
      const { combine } = job.request;
      if (!combine) throw new Error(`The job ${job.id} has no samples.`);
      return {
        kind: 'combine',
        samples: combine.samples.map(({ sample, values }, at) => ({
          file: files[at]!.input,
          sample,
          values,
          genesIn: files[at]!.choices.columns?.genesIn,
        })),
        genes: combine.genes,
        output: outputOf(scratch),
      };
    }
    case 'build':
      return {
        kind: 'build',
        file: first.input,
        root: objectRoot,
        datasetId: customDatasetId(first.id),
        catalogue: catalogueEntryOf(first),
        columns: job.request.columns ?? {},
        processing: job.request.processing ?? {},
        combined: first.combined ?? undefined,
        isPart: first.part_of !== null,
        memoryBytes,
      };
    case 'subset':
      throw new Error(`The job ${job.id} has no cells.`);
    case 'copy':
      throw new Error(`The job ${job.id} needs no work.`);
  }
}

/** Accepts a matrix and its tables in any order. */
export function conversionOf(files: readonly [InputFile, InputFile, InputFile], scratch: string): Work {
  const matrix = files.find(({ name }) => /\.mtx(\.gz)?$/i.test(name)) ?? files[0];
  const [one, other] = files.filter((file) => file !== matrix);
  return { kind: 'convert', matrix, tables: [one!, other!], output: outputOf(scratch) };
}

export const outputOf = (scratch: string) => join(scratch, 'converted.h5ad');

/** Kind of values and orientation of a table only apply to the bytes they were stated for. */
function columnsToTry({ columns = {}, replaced }: JobRequest): ColumnChoice {
  if (!replaced) return columns;
  const { expression: _, genesIn: __, ...named } = columns;
  return named;
}

function catalogueEntryOf({ file_name, description, part_of: part }: JobFile): CatalogueEntry {
  return {
    name: file_name,
    disease: 'Custom Data',
    subdisease: 'Not Available',
    category1: '',
    category2: '',
    description: description ?? '',
    simulated: part?.simulated === true,
  };
}
