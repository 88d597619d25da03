import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type ExpressionAnswer, fileSize, type GenesIn, withoutExtension } from '@cellfolio/contract';
import { type PreflightReport, reportRows } from '@cellfolio/ingest';
import {
  type CatalogueEntry,
  type CatalogueOptions,
  type Caution,
  fieldsOfOptions,
  optionsOfFields,
  maxNameLength,
  quotedHead,
} from '@cellfolio/model';
import { ProcessError } from '@cellfolio/process';
import { DatasetExists, DatasetNotFound, readManifest } from '@cellfolio/store';
import { withObjects } from '../../boot/open-stores.ts';
import type { Settings } from '../../boot/settings/read-settings.ts';
import {
  buildDataset,
  type BuildWork,
  type OpenedFile,
  type WorkContext,
} from '../../features/uploads/index.ts';
import { geoAccession, geoFile } from '../../runtime/archives/geo.ts';
import { type Archives, type LinkedDataset, publicArchives } from '../../runtime/archives/linked-datasets.ts';
import { type CommandContext, CommandFailure, exitCode, flagOf } from '../command.ts';
import { alignColumns, printable } from '../terminal.ts';
import { type ComputeOptions, processingChoiceOf } from './compute-options.ts';
import { planDataset, type Planned, refuseRemovedPopulation, unusedLines } from './dataset-plan.ts';
import { pickAll, pickDatasets } from './links/choose-dataset.ts';
import { linkedSource } from './links/linked-source.ts';
import { aboutSource, reportOf } from './local-source.ts';
import type { LocalSource } from './matrix-market-source.ts';
import { openPicked, type OpenSource, openSource } from './open-source.ts';

/** Options of `dataset add` as parsed by commander. */
export interface DatasetAddOptions extends ComputeOptions, CatalogueOptions {
  name?: string;
  disease?: string;
  subdisease?: string;
  id?: string;
  category1?: string;
  category2?: string;
  description?: string;
  cellTypeColumn?: string;
  clusterColumn?: string;
  patientColumn?: string;
  symbolColumn?: string;
  embedding?: string;
  expression?: ExpressionAnswer;
  /** Orientation of a text table. */
  genesIn?: GenesIn;
  metadata: Readonly<Record<string, string>>;
  replace: boolean;
  dryRun: boolean;
  samples?: string;
  /** Genes of the combined dataset: those in all files (default), or in any. */
  genes?: 'shared' | 'all';
  /** Dataset to pick from a link that leads to several: its number or name, or `all` for the samples of one dataset. */
  pick?: string;
}

/**
 * Imports a file into the catalogue, computes missing parts, and prints the report. `from` is the path of a dataset
 * file (`datasetKinds`), of a Matrix Market folder or matrix or of a .tar archive of several, an https address of one,
 * a page of CELLxGENE Discover or a GEO accession; with `options.samples` it is undefined, and the files of the table
 * are combined.
 */
export async function addDataset(
  from: string | undefined,
  input: DatasetAddOptions,
  { settings, terminal, signal }: CommandContext,
  archives: Archives = publicArchives,
): Promise<void> {
  const source = from && (geoFile(from, archives.geoFiles)?.href ?? from);
  refuseLongEntries(input);
  refuseSources(source, input);
  const progress = terminal.progress('Import');
  const { dataDir } = settings;
  const scratch = join(dataDir, 'downloads', randomUUID());
  await using downloads = new AsyncDisposableStack();
  downloads.defer(() => rm(scratch, { recursive: true, force: true }));
  downloads.defer(() => progress.stop());
  await mkdir(scratch, { recursive: true });
  const lines: string[] = [];
  const onProgress = (stage: string, fraction: number) => progress.update(stage, fraction, 1);
  const log = (line: string) => void lines.push(line);
  const context = { archives, dataDir, scratch, downloads, onProgress, log, signal };
  const linked = source === undefined ? undefined : await linkedSource(source, context);
  const picked = linked && pickDatasets(source!, linked, input.pick);
  refuseMisplaced(input, picked);
  const options = completed(input, picked?.[0]?.entry);
  const opened = await (picked === undefined
    ? openSource(source, options, context)
    : openPicked(source!, picked, options, context));
  try {
    const result = await addOpened(opened, options, { settings, context, lines });
    progress.stop();
    terminal.result(result.value, () => result.text.join('\n'));
  } catch (error) {
    throw about(opened, error, context);
  }
}

interface Output {
  value: unknown;
  text: readonly string[];
}

async function addOpened(
  source: OpenSource,
  options: CompleteOptions,
  { settings, context, lines }: { settings: Settings; context: WorkContext; lines: string[] },
): Promise<Output> {
  const { file, named, shown, combined } = source;
  const id = options.id === undefined ? idFrom(named) : withSuffix(options.id);
  const work: BuildWork = {
    kind: 'build',
    file,
    root: settings.objects,
    datasetId: id,
    catalogue: catalogueEntry(options),
    columns: columnChoices(options),
    processing: processingChoiceOf(options, combined?.table),
    compute: !options.compute ? 'nothing' : options.keepAllCells ? 'of every cell' : 'all',
    combined: combined?.record,
    memoryBytes: settings.jobMemoryBytes,
    importMemoryBytes: settings.importMemoryBytes,
    replace: options.replace,
  };
  const check = (opened: OpenedFile) => refuseGenesIn(source, opened, options);
  if (options.dryRun) return planOutput(id, source, await planDataset(work, options, context, check));
  if (!options.replace) await refuseExisting(id, settings);
  const built = await buildDataset(work, context, {
    opened: (opened) => {
      check(opened);
      lines.push(...unusedLines(opened, options));
    },
    computed: ({ processing }) => refuseRemovedPopulation(shown, options, processing?.quality),
  });
  const { version, processing, cellCount, geneCount } = built.manifest;
  const { report, rows } = await reportOf(source, built);
  return {
    value: { dataset: id, version, report, processing, log: lines },
    text: [
      reportText(report, rows),
      '',
      ...unreportedLines(lines, report.warnings),
      `Added as ${id}: ${cellCount.toLocaleString('en')} cells, ${geneCount.toLocaleString('en')} genes.`,
    ],
  };
}

/** Throws CommandFailure for an option of tables with another file. */
function refuseGenesIn(
  { shown, isTable, combined }: OpenSource,
  { readable }: OpenedFile,
  { genesIn }: DatasetAddOptions,
): void {
  if (genesIn === undefined || isTable === true || combined !== undefined || readable.table !== undefined)
    return;
  throw new CommandFailure(exitCode.usage, `${shown}: --genes-in is for tables and matrices of text.`);
}

function about({ file, shown }: OpenSource, error: unknown, context: WorkContext): unknown {
  if (error instanceof ProcessError)
    return new CommandFailure(
      exitCode.badInput,
      `${shown}: ${error.message} With --no-compute the file is added as it is.`,
    );
  return aboutSource(error, { path: file.path, shown }, context);
}

interface CompleteOptions extends DatasetAddOptions {
  name: string;
  disease: string;
  subdisease: string;
}

/** The options, completed by the archive's metadata. Throws CommandFailure when one is missing. */
function completed(options: DatasetAddOptions, entry: Partial<CatalogueEntry> = {}): CompleteOptions {
  const archiveOptions = {
    ...optionsOfFields(entry),
    ...(entry.description !== undefined && { description: entry.description.slice(0, maxDescriptionLength) }),
    ...(entry.category1 !== undefined && { category1: entry.category1 }),
    ...(entry.category2 !== undefined && { category2: entry.category2 }),
  };
  const { name, disease, subdisease } = { ...entry, ...options };
  const missing = [
    ...(name ? [] : ['--name']),
    ...(disease ? [] : ['--disease']),
    ...(subdisease ? [] : ['--subdisease']),
  ];
  if (!name || !disease || !subdisease)
    throw new CommandFailure(exitCode.usage, `The catalog needs ${missing.join(', ')}.`);
  return { ...archiveOptions, ...options, name: name.slice(0, maxNameLength), disease, subdisease };
}

/** Accessions of GEO and related archives; files can have such names too. */
const looksLikeAccession = /^\s*(GSE|GSM|GPL|GDS|SRP|SRX|SRR|PRJNA)\s*\d+\w*\s*$/i;

/** Throws CommandFailure when there is no source, or two, or an accession of another kind. */
function refuseSources(source: string | undefined, options: DatasetAddOptions): void {
  if ((source === undefined) === (options.samples === undefined)) {
    throw new CommandFailure(
      exitCode.usage,
      source === undefined
        ? 'Give a file, or a table of several with --samples.'
        : 'Give either a file or --samples: the files of a table are named in it.',
    );
  }
  if (source !== undefined && looksLikeAccession.test(source) && !existsSync(source) && !geoAccession(source))
    throw new CommandFailure(
      exitCode.usage,
      `'${source}' is not a GEO accession: it should be GSE or GSM and digits, such as GSE176078.`,
    );
}

/** Throws CommandFailure for an option of several samples with one file. */
function refuseMisplaced(options: DatasetAddOptions, picked: readonly LinkedDataset[] | undefined): void {
  if (options.pick !== undefined && picked === undefined)
    throw new CommandFailure(exitCode.usage, '--pick is for a link that leads to several datasets.');
  if (options.samples !== undefined || (picked?.length ?? 0) > 1) return;
  if (options.genes !== undefined)
    throw new CommandFailure(
      exitCode.usage,
      `--genes is for several samples: it needs --samples, or a link with --pick ${pickAll}.`,
    );
}

async function planOutput(id: string, source: OpenSource, plan: Planned): Promise<Output> {
  const { quality, lines } = plan;
  const { report, rows } = await reportOf(source, plan);
  return {
    value: { dataset: id, dryRun: true, report, quality, log: lines },
    text: [
      reportText(report, rows),
      '',
      'An import with these options:',
      ...lines.map(printable),
      '',
      'Nothing was added (--dry-run).',
    ],
  };
}

function reportText(report: PreflightReport, rows: LocalSource['rows']): string {
  return alignColumns(
    [...rows, ...reportRows(report, fileSize)].map(({ label, value }) => [label, printable(value)]),
  );
}

/** Throws DatasetExists before minutes of work. */
async function refuseExisting(id: string, settings: Settings): Promise<void> {
  await withObjects(settings, async (objects) => {
    try {
      await readManifest(objects, id);
    } catch (error) {
      if (error instanceof DatasetNotFound) return;
      throw error;
    }
    throw new DatasetExists(id);
  });
}

/** Messages of the computation that the report does not repeat, followed by an empty line. */
function unreportedLines(lines: readonly string[], warnings: readonly Caution[]): string[] {
  const noted = new Set(warnings.map(({ message }) => message));
  const apart = lines.filter((line) => !noted.has(line)).map(printable);
  return apart.length === 0 ? [] : [...apart, ''];
}

/** Default file name in the catalogue: that of the file, special characters replaced. */
function idFrom(path: string): string {
  const name = basename(path)
    .normalize('NFKD')
    .replaceAll(/[^\w.-]+/g, '-')
    .replace(/^[.-]+/, '');
  if (!name) {
    throw new CommandFailure(exitCode.usage, `No dataset name can be made from ${path}; give one with --id.`);
  }
  return withSuffix(name);
}

/** Datasets have names of AnnData files, whatever their source. */
function withSuffix(name: string): string {
  return `${withoutExtension(name)}.h5ad`;
}

/** Characters; more than any abstract has. */
const maxDescriptionLength = 5000;

/** Throws CommandFailure for texts that are too long for a page. */
function refuseLongEntries({ metadata, ...options }: DatasetAddOptions): void {
  const { description, ...others } = options;
  const textOptions = [
    ...Object.entries(others),
    ...Object.keys(metadata).map((shown) => ['metadata', shown] as const),
  ].map(([option, value]) => ({ option, value: value as unknown, max: maxNameLength }));
  textOptions.push({ option: 'description', value: description, max: maxDescriptionLength });
  for (const { option, value, max } of textOptions) {
    if (typeof value !== 'string' || value.length <= max) continue;
    throw new CommandFailure(
      exitCode.usage,
      `${flagOf(option)} has ${value.length.toLocaleString('en')} characters (${quotedHead(value)}), the maximum is ${max.toLocaleString('en')}. Nothing was added.`,
    );
  }
}

function catalogueEntry(options: CompleteOptions): CatalogueEntry {
  return {
    name: options.name,
    disease: options.disease,
    subdisease: options.subdisease,
    category1: options.category1 ?? '',
    category2: options.category2 ?? '',
    description: options.description ?? '',
    ...fieldsOfOptions(options),
    simulated: false,
  };
}

function columnChoices(options: DatasetAddOptions) {
  return {
    ...(options.cellTypeColumn !== undefined && { cellType: options.cellTypeColumn }),
    ...(options.clusterColumn !== undefined && { cluster: options.clusterColumn }),
    ...(options.patientColumn !== undefined && { patient: options.patientColumn }),
    ...(options.symbolColumn !== undefined && { symbol: options.symbolColumn }),
    ...(options.embedding !== undefined && { embedding: options.embedding }),
    ...(options.expression !== undefined && { expression: options.expression }),
    ...(options.genesIn !== undefined && { genesIn: options.genesIn }),
    ...(Object.keys(options.metadata).length > 0 && { metadata: options.metadata }),
  };
}
