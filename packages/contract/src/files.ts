import { caution } from '@cellfolio/model/caution';
import { expressionScale, otherFeatures } from '@cellfolio/model/expression-scale';
import { textsByName } from '@cellfolio/model/names';
import { combinedRecord, processingRecord } from '@cellfolio/model/processing-record';
import { z } from 'zod';
import { columnChoice, genesIn, processingChoice } from './processing.ts';
import { qualityPlan } from './quality-plan.ts';

export const jobProblem = z
  .object({ code: z.string(), message: z.string().describe('What is wrong and what to do, for its owner.') })
  .meta({ id: 'JobProblem' });
export type JobProblem = z.infer<typeof jobProblem>;

export const job = z
  .object({
    id: z.uuid(),
    kind: z
      .enum(['inspect', 'convert', 'build', 'download', 'combine', 'subset', 'copy', 'cellxgene'])
      .describe(
        'Looking at an upload, making an AnnData file of three, making a dataset of an AnnData file, fetching what a link leads to, making one AnnData file of several samples, making one of some cells of a dataset, copying one for a dataset beside its own, making one of a dataset for CELLxGENE Discover.',
      ),
    file_ids: z.array(z.uuid()).describe('Files that it works on.'),
    name: z.string().describe('What its owner calls the thing that is made or looked at.'),
    state: z.enum(['queued', 'running', 'done', 'failed', 'cancelled']),
    stage: z.string().nullable().describe('What is being done, in words.'),
    progress: z.number().min(0).max(1),
    log: z.array(z.object({ at: z.iso.datetime({ offset: true }), text: z.string() })),
    attempts: z.number().int(),
    problem: jobProblem.nullable(),
    result_file_id: z
      .uuid()
      .nullable()
      .describe(
        'File that a conversion, a download, a combination, a subset, a copy or a preparation for CELLxGENE made.',
      ),
    created_at: z.iso.datetime({ offset: true }),
    started_at: z.iso.datetime({ offset: true }).nullable(),
    finished_at: z.iso.datetime({ offset: true }).nullable(),
  })
  .meta({ id: 'Job' });
export type Job = z.infer<typeof job>;

/** `POST /api/convert`: one matrix and its two tables, in any order. */
export const convertRequest = z
  .object({
    file_ids: z.array(z.uuid()).length(3, 'Choose exactly one matrix file and two metadata files.'),
    file_name: z.string().trim().min(1).max(200).optional().describe('Name of the file that is made.'),
  })
  .strict()
  .meta({ id: 'ConvertRequest' });
export type ConvertRequest = z.infer<typeof convertRequest>;

export const buildRequest = z
  .object({ columns: columnChoice.optional(), processing: processingChoice.optional() })
  .strict()
  .meta({ id: 'BuildRequest' });
export type BuildRequest = z.infer<typeof buildRequest>;

/** `POST /api/files/{fileId}/build`: builds the dataset of a file again, replacing the existing one or beside it. */
export const buildFileRequest = buildRequest
  .extend({
    beside: z
      .object({ name: z.string().trim().min(1, 'Give the new dataset a name.').max(200) })
      .strict()
      .optional()
      .describe(
        'Keeps the existing dataset: the new one is built from a copy of the file with this name, which takes the same storage again.',
      ),
  })
  .strict()
  .meta({ id: 'BuildFileRequest' });
export type BuildFileRequest = z.infer<typeof buildFileRequest>;

export const jobAnswer = z.object({ job }).meta({ id: 'JobAnswer' });

const notes = z.array(z.string()).describe('What a user should know, in sentences.');

export const fileReport = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('h5ad'),
      cells: z.number().int(),
      genes: z.number().int(),
      expression: z.string().describe('Which values X holds and what will be done to them, in a sentence.'),
      scale: expressionScale.optional().describe('Absent of reports made before it was looked at.'),
      otherFeatures: z
        .array(otherFeatures)
        .default([])
        .describe('Features that are not genes, such as peaks or guides; they stay in the file.'),
      proteins: z
        .string()
        .optional()
        .describe('Proteins kept as a second modality, in a sentence; absent if there are none.'),
      genesIn: genesIn.optional().describe('Of a table of text: where its genes were taken to be.'),
      hasCounts: z.boolean().describe('Raw counts were found, so that what is missing can be computed.'),
      roles: z.array(
        z.object({
          role: z.enum(['cellType', 'cluster', 'patient', 'embedding', 'symbol']),
          chosen: z.string().optional(),
          why: z.string(),
          alternatives: z.array(z.string()),
        }),
      ),
      metadata: z.array(z.string()).describe('Shown names of the metadata fields.'),
      willCompute: z.array(z.enum(['qualityControl', 'clusters', 'embedding'])),
      waitsFor: z
        .array(z.enum(['genesIn', 'expression', 'qualityControl']))
        .default([])
        .describe(
          'What its owner is to answer (where a table has its genes, what the values are) or to look at (which cells would go) before a dataset is made of it; none is made by itself until then.',
        ),
      quality: qualityPlan
        .optional()
        .describe(
          'Which cells would be taken away; absent where none would be looked at, or that takes too much.',
        ),
      choices: z
        .object({ columns: columnChoice, processing: processingChoice })
        .optional()
        .describe('What the inspection was asked to take as chosen.'),
      plans: z
        .array(z.string())
        .default([])
        .describe('What a build is going to do, in sentences; nothing that is true after it.'),
      notes,
      warnings: z.array(caution),
    }),
    z.object({
      kind: z.literal('matrix'),
      rows: z.number().int(),
      columns: z.number().int(),
      entries: z.number().int(),
      notes,
    }),
    z.object({
      kind: z.enum(['barcodes', 'features', 'unknown']),
      lines: z.number().int().describe('Titles included.'),
      titles: z.boolean().optional().describe('Whether the first line may hold titles.'),
      columns: z.number().int(),
      first: z.array(z.string()).describe('The first names, as they are.'),
      obstacles: z
        .array(z.string())
        .optional()
        .describe('Why nothing can be converted with it as it is, in sentences.'),
      notes,
    }),
  ])
  .meta({ id: 'FileReport' });
export type FileReport = z.infer<typeof fileReport>;

const madeWith = z.object({
  version: z.string(),
  columns: columnChoice,
  processing: processingChoice,
});

/** The file that another is a copy of, made so that a dataset could be built beside its own. */
export const copiedRecord = z
  .object({
    file_id: z.uuid(),
    name: z.string().describe('As it was called then.'),
    made_with: madeWith.nullable().describe('What its dataset was made with then, where it had one.'),
  })
  .meta({ id: 'CopiedRecord' });
export type CopiedRecord = z.infer<typeof copiedRecord>;

export const subclusteringRecord = z
  .object({
    dataset_filename: z.string().describe('The dataset that they were taken from.'),
    version: z.string().describe('Its version then.'),
    name: z.string().describe('As it was called then.'),
    subset: z.string().nullable().describe('Name of the subset; null for all cells.'),
    definition: z.string().describe('Which cells they are, in words.'),
    cells: z.number().int(),
    of_cells: z.number().int(),
    simulated: z.boolean().optional().describe('True for a part of simulated data; absent otherwise.'),
    warnings: z
      .array(z.object({ dataset: z.string(), code: z.string(), message: z.string() }))
      .optional()
      .describe(
        'What that dataset, and those that it was itself a part of, warned of that holds for these cells too; absent of parts that were made before this was kept.',
      ),
  })
  .meta({ id: 'SubclusteringRecord' });
export type SubclusteringRecord = z.infer<typeof subclusteringRecord>;

const userFileRecord = z
  .object({
    file_id: z.uuid(),
    name: z.string().describe('As its owner calls the file.'),
    report: fileReport.nullable().describe('Null until the file was inspected.'),
    problem: jobProblem.nullable().describe('Why the file could not be read.'),
    dataset: z
      .object({
        state: z.enum(['queued', 'building', 'ready', 'failed']),
        job_id: z.uuid().nullable(),
        cells: z.number().int().nullable(),
        genes: z.number().int().nullable(),
        columns: columnChoice.describe('As its owner chose them.'),
        processing: processingChoice.describe('As its owner chose them.'),
        version: z.string().nullable().describe('Of what can be opened now.'),
        made_with: madeWith.nullable().describe('What that was made with, where it is known.'),
        made_before: madeWith.nullable().describe('What the version before it was made with.'),
        processed: processingRecord.nullable().describe('What was computed, once it is ready.'),
        warnings: z.array(z.string()).describe('What its build warned of, in sentences.'),
        problem: jobProblem.nullable(),
      })
      .nullable()
      .describe('The dataset built from an .h5ad; null if none was requested.'),
    said: textsByName
      .nullable()
      .describe('What the archive that it was fetched from says of the sample, such as its tissue.'),
    combined: combinedRecord.nullable().describe('The samples that it was combined from.'),
    part_of: subclusteringRecord.nullable().describe('The dataset that its cells were taken from.'),
    copy_of: copiedRecord.nullable().describe('The file whose dataset its own was made beside.'),
  })
  .meta({ id: 'OwnFile' });
export type UserFileRecord = z.infer<typeof userFileRecord>;

export const userFileList = z
  .object({
    files: z.array(userFileRecord),
    jobs: z.array(job).describe('Those under way and the latest fifty that ended.'),
    quota_bytes: z.number().int().describe('What the plan has room for.'),
    most_files: z.number().int().describe('How many files there is room for.'),
  })
  .meta({ id: 'OwnFiles' });
export type UserFileList = z.infer<typeof userFileList>;

/** Details of the refusal `dataset_not_ready`: state of an upload's dataset. */
export const datasetNotReady = z
  .object({
    state: z.enum(['queued', 'building', 'failed']),
    job_id: z.uuid().nullable().describe('Job to poll at `/api/jobs/{jobId}`; null if there is none.'),
    problem: jobProblem.nullable().describe('Why there will be none, unless its owner does something.'),
  })
  .meta({ id: 'DatasetNotReady' });
export type DatasetNotReady = z.infer<typeof datasetNotReady>;
