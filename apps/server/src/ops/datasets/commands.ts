import {
  type DropletChoice,
  genesIn,
  integrationChoice,
  mapNumbers,
  processingChoice,
  type ProcessingNumberName,
  processingNumbers,
  samplesChoice,
} from '@cellfolio/contract';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { catalogueFields } from '@cellfolio/model/catalogue';
import { expressionAnswer } from '@cellfolio/model/expression-scale';
import { flagOf, type RunCommand } from '../command.ts';
import { datasetKinds, listExtensions } from '@cellfolio/contract';
import type { DatasetAddOptions } from './add-dataset.ts';
import { optionName } from './compute-options.ts';

/** `dataset add`, `list`, `remove` and `verify`. */
export function datasetCommands(program: Command, run: RunCommand): void {
  const dataset = program.command('dataset').description('Add, list, remove and verify datasets.');
  const add = dataset
    .command('add')
    .argument(
      '[source]',
      `a file (${listExtensions('or', datasetKinds)}, or a table called .tsv or .txt; each but ${listExtensions(
        'and',
        datasetKinds.filter(({ gzip }) => !gzip),
      )} optionally with .gz) or its https address; a page of CELLxGENE Discover; an accession of GEO (GSE… or GSM…) or its page; a folder of Cell Ranger (matrix.mtx, barcodes.tsv, features.tsv or genes.tsv, each optionally with .gz and a common prefix); one matrix.mtx beside its two tables; the output folder of Cell Ranger, Space Ranger, STARsolo, alevin-fry, kallisto|bustools or Parse Biosciences, or its .zip; a folder of AnnData-Zarr; an archive of several (.tar, .tar.gz) or its https address; none with --samples`,
    )
    .description(
      'Import a dataset into the public catalog and print its report. Clusters and a UMAP that it lacks are computed from its raw counts. With --samples several files become one dataset.',
    );
  for (const option of [...catalogueOptions(), ...columnOptions(), ...computeOptions(), ...sampleOptions()])
    add.addOption(option);
  add
    .option(
      '--pick <dataset>',
      'which dataset of a link that leads to several: its number or name, or all, as the samples of one dataset',
    )
    .option('--dry-run', 'print the report and the cells to be removed; add nothing', false)
    .option('--replace', 'replace a dataset of the same file name', false)
    .action((source: string | undefined, options: DatasetAddOptions) =>
      run(async (context) => (await import('./add-dataset.ts')).addDataset(source, options, context)),
    );
  dataset
    .command('list')
    .description('List the datasets of the catalog.')
    .action(() => run(async (context) => (await import('./stored-datasets.ts')).printDatasets(context)));
  dataset
    .command('remove')
    .argument('<dataset>', 'file name in the catalog')
    .description('Remove a dataset.')
    .action((id: string) =>
      run(async (context) => (await import('./stored-datasets.ts')).removeFromCatalogue(id, context)),
    );
  dataset
    .command('verify')
    .argument('[dataset]', 'file name in the catalog (default: all datasets)')
    .description('Check every byte of a dataset against its checksums.')
    .action((id: string | undefined) =>
      run(async (context) => (await import('./stored-datasets.ts')).verifyDatasets(id, context)),
    );
}

function catalogueOptions(): Option[] {
  // Required unless the source is a link whose archive says it.
  const shown = (flags: string, description: string) => new Option(flags, description).argParser(nonEmpty);
  return [
    shown('--name <text>', 'name in the catalog'),
    shown('--disease <text>', 'disease in the catalog'),
    shown('--subdisease <text>', 'sub-disease in the catalog'),
    new Option('--id <file-name>', 'file name in the catalog (default: the file’s own name)'),
    new Option('--category1 <text>', 'first grouping in the dataset list'),
    new Option('--category2 <text>', 'second grouping in the dataset list'),
    new Option('--description <text>', 'one or two sentences about the data'),
    ...catalogueFields.map(fieldOption),
  ];
}

function fieldOption({ option, type, description }: (typeof catalogueFields)[number]): Option {
  const { value, parser } = fieldTypes[type];
  const flag = new Option(`${flagOf(option)} <${value}>`, description);
  return parser === undefined ? flag : flag.argParser(parser);
}

function columnOptions(): Option[] {
  return [
    new Option('--cell-type-column <column>', 'obs column with cell types'),
    new Option('--cluster-column <column>', 'obs column with clusters'),
    new Option('--patient-column <column>', 'obs column with patients'),
    new Option('--symbol-column <column>', 'var column with gene symbols'),
    new Option('--embedding <key>', 'obsm entry to draw on'),
    new Option(
      '--expression <scale>',
      'scale of the values, where the file does not show it: log1p (ln(1 + x)), log2, log10, linear (no logarithm) or counts (use its raw counts, or these values, also with fractions)',
    ).choices(expressionAnswer.options),
    new Option(
      '--genes-in <side>',
      'where a table of text, or a matrix of as many cells as genes, has its genes: rows or columns (default: by the names)',
    ).choices(genesIn.options),
    new Option('--metadata <key=column...>', 'obs column offered under the name KEY; repeatable')
      .argParser(pair)
      .default({}),
  ];
}

function computeOptions(): Option[] {
  return [
    new Option('--no-compute', 'compute no clusters and no UMAP, and keep all cells'),
    new Option('--keep-all-cells', 'compute, but remove no cell').default(false),
    new Option(
      '--droplets <which>',
      'barcodes of a raw matrix that become cells: called (by EmptyDrops), all, or those with at least N counts (default: called where most are empty)',
    ).argParser(dropletWords),
    ...numberNames.map(numberOption),
    deciding(
      new Option(
        '--sample-column <column>',
        'obs column whose samples get thresholds of their own, or none (default: found by its name)',
      ).argParser(sampleColumn),
    ),
  ];
}

const numberNames = Object.keys(processingNumbers) as ProcessingNumberName[];

function numberOption(name: ProcessingNumberName): Option {
  const value = 'isShare' in processingNumbers[name] ? 'share' : 'n';
  const { description } = processingChoice.shape[name].unwrap();
  const option = new Option(`${flagOf(optionName(name))} <${value}>`, description);
  return (name in mapNumbers ? option : deciding(option)).argParser(settingNumber(name));
}

/** These select cells to remove, and so conflict with the options that keep all. */
function deciding(option: Option): Option {
  return option.conflicts(['keepAllCells', 'compute']);
}

function sampleOptions(): Option[] {
  const computed = (flags: string, description: string) =>
    new Option(flags, description).conflicts('compute');
  return [
    new Option(
      '--samples <table>',
      'combine several files into one dataset: a .csv or .tsv table with the columns sample and file, and any others (condition, patient, batch) to become obs columns',
    ),
    new Option(
      '--genes <which>',
      'genes of the combined dataset: shared (in all files) or all (in any; a file without a gene has no counts of it) (default: shared)',
    ).choices(['shared', 'all']),
    computed(
      '--doublets <what>',
      'doublets that Scrublet finds within each sample: remove, mark (as predicted_doublet) or keep (not looked for) (default: remove of several files, mark of one)',
    ).choices(samplesChoice.shape.doublets.unwrap().options),
    computed(
      '--doublet-threshold <score>',
      'call cells of every sample doublets above this score, 0 to 1 (default: found in each sample between the two modes of simulated doublets)',
    ).argParser(settingNumber('doubletThreshold')),
    computed(
      '--integrate <method>',
      'how differences between batches are taken out of the map and the clusters: harmony, mnn (mutual nearest neighbors) or none (default: harmony of several files, none of one)',
    ).choices(integrationChoice.options),
    computed(
      '--batch-column <column>',
      'column whose values are the batches, of the table or of obs (default: sample)',
    ).argParser(nonEmpty),
    computed(
      '--further-resolutions <n...>',
      'further Leiden clusterings, as columns leiden_N (default: 0.5 and 2 of several files)',
    ).argParser((text: string, before: readonly number[] | undefined) => [
      ...(before ?? []),
      settingNumber('resolution')(text),
    ]),
  ];
}

function nonEmpty(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return text.trim();
}

function wholeNumber(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

function accession(text: string): string {
  if (!/^GSE\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must look like GSE176078.');
  return text;
}

const fieldTypes: Record<
  'text' | 'count' | 'gse',
  { value: string; parser?: (text: string) => string | number }
> = {
  text: { value: 'text' },
  count: { value: 'n', parser: wholeNumber },
  gse: { value: 'accession', parser: accession },
};

function pair(text: string, before: Readonly<Record<string, string>>): Record<string, string> {
  const [key, column] = [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)];
  if (!text.includes('=') || !key || !column) throw new InvalidArgumentError('It must look like KEY=COLUMN.');
  return { ...before, [key]: column };
}

/** `called`, `all` or a number of counts. */
function dropletWords(text: string): DropletChoice {
  if (text === 'called' || text === 'all') return { keep: text };
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new InvalidArgumentError('It must be called, all or a whole number of counts.');
  return { keep: 'minimum', minimumCounts: Number(text) };
}

const shapes = { ...processingChoice.shape, ...samplesChoice.shape };

export function settingNumber(name: ProcessingNumberName | 'doubletThreshold'): (text: string) => number {
  const { minValue, maxValue, format } = shapes[name].unwrap();
  const kind = format === 'safeint' ? 'a whole number' : 'a number';
  return (text) => {
    const value = text.trim() === '' ? NaN : Number(text);
    if (shapes[name].safeParse(value).success) return value;
    throw new InvalidArgumentError(`It must be ${kind} from ${minValue} to ${maxValue}.`);
  };
}

/** A column of obs, or `none`. */
export function sampleColumn(text: string): string | null {
  if (text === 'none') return null;
  if (processingChoice.shape.sampleColumn.safeParse(text).success) return text;
  throw new InvalidArgumentError('It must be the name of a column, or none.');
}
