import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { type ExpressionAnswer, fileSize, type GenesIn, withoutExtension } from '@cellfolio/contract';
import { H5adError, importH5ad, type PreflightReport, reportRows } from '@cellfolio/ingest';
import {
  type CatalogueEntry,
  type CatalogueOptions,
  type Caution,
  fieldsOfOptions,
  optionsOfFields,
  maxNameLength,
  quotedHead,
} from '@cellfolio/model';
import { DatasetExists, DatasetNotFound, readManifest } from '@cellfolio/store';
import { withObjects } from '../../boot/open-stores.ts';
import type { Settings } from '../../boot/settings/read-settings.ts';
import { geoAccession, geoFile } from '../../runtime/archives/geo.ts';
import { type Archives, type LinkedDataset, publicArchives } from '../../runtime/archives/linked-datasets.ts';
import { type CommandContext, CommandFailure, exitCode, flagOf } from '../command.ts';
import { alignColumns, printable, type Progress, type Terminal } from '../terminal.ts';
import { computeAdditions, type ComputeOptions, planAdditions, type Planned } from './compute-additions.ts';
import { pickAll, pickDatasets } from './links/choose-dataset.ts';
import type { FetchContext } from './links/fetch-linked.ts';
import { linkedSource } from './links/linked-source.ts';
import { aboutSource, type LocalSource } from './local-source.ts';
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
  const onProgress: FetchContext['onProgress'] = ({ stage, done, total }) =>
    progress.update(stage, done, total);
  const { dataDir } = settings;
  const remote =
    source === undefined ? undefined : await linkedSource(source, dataDir, { archives, onProgress, signal });
  try {
    const picked = remote?.linked && pickDatasets(source!, remote.linked, input.pick);
    refuseMisplaced(input, picked);
    const options = completed(input, picked?.[0]?.entry);
    const context = { archives, dataDir, genesIn: options.genesIn, onProgress, signal };
    const opened = await (picked === undefined
      ? openSource(source, options, context)
      : openPicked(source!, picked, options, context));
    await addOpened(opened, options, { settings, terminal, signal, progress, onProgress });
  } finally {
    progress.stop();
    await remote?.remove();
  }
}

async function addOpened(
  opened: OpenSource,
  options: CompleteOptions,
  {
    settings,
    terminal,
    signal,
    progress,
    onProgress,
  }: CommandContext & Pick<FetchContext, 'onProgress'> & { progress: Progress },
): Promise<void> {
  const { path, named, made, combined, remove } = opened;
  try {
    const id = options.id === undefined ? idFrom(named) : withSuffix(options.id);
    const columns = columnChoices(options);
    const task = {
      path,
      columns,
      options,
      ...(combined && { combined }),
      memoryBytes: settings.jobMemoryBytes,
    };
    const computing = {
      signal,
      onProgress: (stage: string, fraction: number) => progress.update(stage, fraction, 1),
    };
    if (options.dryRun) {
      const planned = await planAdditions(task, computing);
      progress.stop();
      return printPlan(id, made, planned, terminal);
    }
    if (!options.replace) await refuseExisting(id, settings);
    const { additions, lines } = await computeAdditions(task, computing);
    const { manifest, report } = await importH5ad({
      path,
      root: settings.objects,
      id,
      catalogue: catalogueEntry(options),
      columns,
      additions,
      memoryBudget: settings.importMemoryBytes,
      replace: options.replace,
      onProgress,
      signal,
    });
    progress.stop();
    const { processing } = manifest;
    const shown = made === undefined ? report : made.reported(report);
    const result = { dataset: manifest.id, version: manifest.version, report: shown, processing, log: lines };
    terminal.result(result, () =>
      [
        reportText(shown, made),
        '',
        ...unreportedLines(lines, report.warnings),
        `Added as ${manifest.id}: ${manifest.cellCount.toLocaleString('en')} cells, ${manifest.geneCount.toLocaleString('en')} genes.`,
      ].join('\n'),
    );
  } catch (error) {
    const sourceError = aboutSource(error, opened);
    throw missingScale(sourceError) ?? sourceError;
  } finally {
    await remove();
  }
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
    throw new CommandFailure(exitCode.usage, `The catalogue needs ${missing.join(', ')}.`);
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
      `'${source}' is no accession of a series or sample of GEO: that is GSE or GSM and digits, such as GSE176078.`,
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

function printPlan(
  id: string,
  conversion: LocalSource['made'],
  { report, quality, lines }: Planned,
  terminal: Terminal,
): void {
  const shown = conversion === undefined ? report : conversion.reported(report);
  terminal.result({ dataset: id, dryRun: true, report: shown, quality, log: lines }, () =>
    [
      reportText(shown, conversion),
      '',
      'An import with these options:',
      ...lines.map(printable),
      '',
      'Nothing was added (--dry-run).',
    ].join('\n'),
  );
}

function reportText(report: PreflightReport, conversion: LocalSource['made']): string {
  return alignColumns(
    [...(conversion?.rows ?? []), ...reportRows(report, fileSize)].map(({ label, value }) => [
      label,
      printable(value),
    ]),
  );
}

/** Converts the error about an undecided scale of the values to one that names the option. */
function missingScale(error: unknown): CommandFailure | undefined {
  if (!(error instanceof H5adError) || error.code !== 'undecided-scale') return undefined;
  return new CommandFailure(
    exitCode.usage,
    `${error.path}: ${error.part}: ${error.problem} ${error.hint} Use the option --expression. Nothing was added.`,
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
    ...(Object.keys(options.metadata).length > 0 && { metadata: options.metadata }),
  };
}
