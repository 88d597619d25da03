import type { ExpressionAnswer } from '@cellfolio/contract';
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { readSettings } from '../boot/settings/read-settings.ts';
import type { DatasetAddOptions } from './dataset-add.ts';
import { exitCode } from './exit-code.ts';
import { CommandFailure, exitCodeOf } from './failure.ts';
import type { KeyName } from './keys-show.ts';
import { printable } from './table.ts';
import { createTerminal } from './terminal.ts';
import { dropletWords, resolution, sampleColumn, settingNumber } from './compute-arguments.ts';
import { lastDay, planTier } from './plan-arguments.ts';

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () =>
    interrupted.abort(new DOMException('Interrupted; nothing was left behind.', 'AbortError')),
  );
}

/** Scripts get errors as JSON too, also those about the options themselves. */
const json = process.argv.includes('--json');

// Each verb loads what it needs when it is called: the help of the program, and a refusal, need next to nothing.
const program = new Command('cellfolio')
  .description('Datasets, gene sets, users and upkeep of a Cellfolio server.')
  .option('--json', 'print results as JSON', false)
  .exitOverride()
  .configureOutput({ outputError: (text, write) => (json ? undefined : write(text)) })
  .addHelpText(
    'after',
    '\nExit codes: 0 done, 1 unforeseen, 2 wrong options, 3 unusable file, 4 not found, 5 exists, 6 damaged, 7 not writable, 130 interrupted.',
  );

const context = () => ({
  settings: readSettings(process.env),
  terminal: createTerminal({ json }),
});

const dataset = program.command('dataset').description('Add, list, remove and verify datasets.');

dataset
  .command('add')
  .argument(
    '<source>',
    'an .h5ad file, or its https address; or a folder of Cell Ranger (matrix.mtx, barcodes.tsv, features.tsv or genes.tsv, each also as .gz, with a common prefix or none); or one matrix with its two tables beside it',
  )
  .description(
    'Import a dataset into the public catalogue, with clusters and a UMAP computed where it has raw counts and lacks them, and print what was found in it.',
  )
  .requiredOption('--name <text>', 'name shown in the catalogue', words)
  .requiredOption('--disease <text>', 'disease it is listed under', words)
  .requiredOption('--subdisease <text>', 'sub-disease it is listed under', words)
  .option('--id <file-name>', 'file name in the catalogue (default: that of the file)')
  .option('--category1 <text>', 'first grouping in the dataset list')
  .option('--category2 <text>', 'second grouping in the dataset list')
  .option('--description <text>', 'one or two sentences about the data')
  .option('--gse <accession>', 'GEO series accession, such as GSE176078', accession)
  .option('--patient-count <n>', 'number of patients', count)
  .option('--stage <text>', 'disease stage')
  .option('--treatment <text>', 'treatment of the patients')
  .option('--lymph-node-status <text>', 'lymph node status')
  .option('--disease-type <text>', 'type of the disease')
  .option('--cell-type-column <column>', 'obs column with cell types')
  .option('--cluster-column <column>', 'obs column with clusters')
  .option('--patient-column <column>', 'obs column with patients')
  .option('--symbol-column <column>', 'var column with gene symbols')
  .option('--embedding <key>', 'obsm entry to draw on')
  .addOption(
    new Option(
      '--expression <scale>',
      'what the values are, where the file does not show it: log1p (ln(1 + x)), log2, log10, linear (no logarithms) or counts (take its raw counts)',
    ).choices(['log1p', 'counts', 'linear', 'log2', 'log10'] satisfies ExpressionAnswer[]),
  )
  .option('--metadata <key=column...>', 'obs column offered under the name KEY; may be repeated', pair, {})
  .option('--no-compute', 'leave out clusters and a UMAP that the file lacks, and keep its cells')
  .option('--keep-all-cells', 'compute, but take no cell away', false)
  .option('--resolution <n>', 'of the Leiden clustering; larger gives more clusters (default: 1)', resolution)
  .option(
    '--droplets <which>',
    'barcodes of a raw matrix that become cells: called (by EmptyDrops), all, or those with at least N counts (default: called where most are empty)',
    dropletWords,
  )
  .addOption(
    deciding(
      '--deviations <n>',
      'remove cells this many median absolute deviations out, by counts, genes or mitochondrial share (default: 5)',
    ).argParser(settingNumber('deviations')),
  )
  .addOption(
    deciding('--min-counts <n>', 'fewest counts of a cell, instead of deviations').argParser(
      settingNumber('minimumCounts'),
    ),
  )
  .addOption(
    deciding('--min-genes <n>', 'fewest genes of a cell, instead of deviations').argParser(
      settingNumber('minimumGenes'),
    ),
  )
  .addOption(
    deciding(
      '--max-mitochondrial <share>',
      'greatest share of mitochondrial counts, 0 to 1, instead of deviations',
    ).argParser(settingNumber('maximumMitochondrial')),
  )
  .addOption(
    deciding(
      '--sample-column <column>',
      'obs column whose samples have thresholds of their own, or none (default: found by its name)',
    ).argParser(sampleColumn),
  )
  .option('--dry-run', 'print what was found and which cells would be removed; add nothing', false)
  .option('--replace', 'replace a dataset of the same file name', false)
  .action(async (source: string, options: DatasetAddOptions) =>
    (await import('./dataset-add.ts')).addDataset({
      source,
      options,
      signal: interrupted.signal,
      ...context(),
    }),
  );

dataset
  .command('list')
  .description('List the datasets of the catalogue.')
  .action(async () => {
    const { settings, terminal } = context();
    await (await import('./dataset-list.ts')).printDatasets(settings, terminal);
  });

dataset
  .command('remove')
  .argument('<dataset>', 'its file name in the catalogue')
  .description('Remove a dataset.')
  .action(async (id: string) => {
    const { settings, terminal } = context();
    await (await import('./dataset-remove.ts')).removeFromCatalogue(id, settings, terminal);
  });

dataset
  .command('verify')
  .argument('[dataset]', 'its file name in the catalogue; all where it is not given')
  .description('Check every byte of a dataset against its checksums.')
  .action(async (id: string | undefined) => {
    const { settings, terminal } = context();
    process.exitCode = await (await import('./dataset-verify.ts')).verifyDatasets(id, settings, terminal);
  });

const genesets = program.command('genesets').description('Fetch, add, list and remove gene-set libraries.');

genesets
  .command('pull')
  .argument('[library...]', 'names as the publisher has them; the four offered ones where none is given')
  .description('Fetch libraries from their publisher. What is stored stays until the new one is whole.')
  .option('--missing', 'fetch only those that are not stored yet', false)
  .option('--replace', 'fetch also in the place of libraries that were added from a file', false)
  .action(async (names: string[], { missing, replace }: { missing: boolean; replace: boolean }) => {
    const { settings, terminal } = context();
    const { signal } = interrupted;
    process.exitCode = await (
      await import('./genesets-pull.ts')
    ).pullGeneSets({ names, missing, replace, settings, terminal, signal });
  });

genesets
  .command('list')
  .description('List the libraries that are offered, and where they come from.')
  .action(async () => {
    const { settings, terminal } = context();
    await (await import('./genesets-list.ts')).printGeneSets(settings, terminal);
  });

genesets
  .command('add')
  .argument('<file>', 'a .gmt file: set name, description and genes, separated by tabs')
  .description('Add a library from a file.')
  .option('--name <name>', 'name it is offered under (default: that of the file)')
  .option('--replace', 'replace a library of the same name', false)
  .action(async (file: string, { name, replace }: { name?: string; replace: boolean }) =>
    (await import('./genesets-add.ts')).addGeneSets({ file, name, replace, ...context() }),
  );

genesets
  .command('remove')
  .argument('<library>', 'its name in the list')
  .description('Remove a stored library.')
  .action(async (name: string) => {
    const { settings, terminal } = context();
    await (await import('./genesets-remove.ts')).removeGeneSets(name, settings, terminal);
  });

const orthologues = program
  .command('orthologues')
  .description('Add, list and remove tables that map the genes of one species to those of another.');

orthologues
  .command('add')
  .argument('<file>', 'two columns of symbols, an export of Ensembl BioMart, or HOM_MouseHumanSequence.rpt')
  .description('Add a table from a file.')
  .option('--from <species>', 'species of the genes of datasets', 'mouse')
  .option('--to <species>', 'species of the gene sets', 'human')
  .option('--replace', 'replace the table between the two species', false)
  .action(async (file: string, { from, to, replace }: { from: string; to: string; replace: boolean }) =>
    (await import('./orthologues.ts')).addOrthologues({ file, from, to, replace, ...context() }),
  );

orthologues
  .command('list')
  .description('List the installed tables.')
  .action(async () => {
    const { settings, terminal } = context();
    await (await import('./orthologues.ts')).printOrthologues(settings, terminal);
  });

orthologues
  .command('remove')
  .argument('<from>', 'one species')
  .argument('<to>', 'the other')
  .description('Remove a table.')
  .action(async (from: string, to: string) => {
    const { settings, terminal } = context();
    await (await import('./orthologues.ts')).removeOrthologues({ from, to }, settings, terminal);
  });

const user = program
  .command('user')
  .description('List users and set their plans. Stop an embedded server first.');

user
  .command('list')
  .description('List the users.')
  .action(async () => {
    const { settings, terminal } = context();
    await (await import('./user.ts')).printUsers(settings, terminal);
  });

user
  .command('plan')
  .argument('<email>')
  .argument('<tier>', 'Standard, Professional, trial or none', planTier)
  .option('--until <date>', 'last day of the plan, such as 2027-12-31', lastDay)
  .description('Set the plan of a user.')
  .action(async (email: string, plan: 'Standard' | 'Professional' | null, { until }: { until?: Date }) => {
    const { settings, terminal } = context();
    await (await import('./user.ts')).setUserPlan({ email, tier: plan, until }, settings, terminal);
  });

user
  .command('operator')
  .argument('<email>')
  .option('--revoke', 'take it away again', false)
  .description('Let a user operate the server from the browser: pull gene-set libraries.')
  .action(async (email: string, { revoke }: { revoke: boolean }) => {
    const { settings, terminal } = context();
    await (await import('./user.ts')).setUserOperator({ email, operates: !revoke }, settings, terminal);
  });

program
  .command('usage')
  .description(
    'Print what each user has stored, against what they may have; the largest first. Stop an embedded server first.',
  )
  .action(async () => {
    const { settings, terminal } = context();
    await (await import('./usage.ts')).printUsage(settings, terminal);
  });

const keys = program
  .command('keys')
  .description(
    'The keys of clients, and those that access tokens are signed with. Stop an embedded server first.',
  );

keys
  .command('show')
  .description('Print the publishable and the secret key, for clients and for calls of an operator.')
  .action(async () => {
    const { settings, terminal } = context();
    await (await import('./keys-show.ts')).showKeys(settings, terminal);
  });

keys
  .command('replace')
  .addArgument(new Argument('<key>').choices(['publishable', 'secret', 'all'] satisfies KeyName[]))
  .description(
    'Make one of them anew, for instance where the secret key has become known; or all that is secret, where a backup has.',
  )
  .action(async (which: KeyName) => {
    const { settings, terminal } = context();
    await (await import('./keys-show.ts')).replaceOneKey(which, settings, terminal);
  });

keys
  .command('rotate')
  .description('Sign with a new key from now on; tokens of the old one stay good until they end.')
  .action(async () => {
    const { settings, terminal } = context();
    await (await import('./keys-rotate.ts')).rotateKeys(settings, terminal);
  });

program
  .command('migrate')
  .description('Bring the tables of the database up to date, as starting the server does too.')
  .action(async () => {
    const { settings, terminal } = context();
    await (await import('./migrate.ts')).migrateDatabase(settings, terminal);
  });

program
  .command('backup')
  .argument('<folder>', 'a new folder')
  .description(
    'Write everything into a folder: accounts and rows, users’ files, datasets, gene sets, keys. A server on PostgreSQL may go on; stop one with the embedded database first.',
  )
  .action(async (folder: string) =>
    (await import('./backup/run-backup.ts')).runBackup({ folder, signal: interrupted.signal, ...context() }),
  );

program
  .command('restore')
  .argument('<folder>', 'what backup has written')
  .description(
    'Put a backup into an empty DATA_DIR and database, of either kind. Nothing is touched unless every byte of it is as it was written.',
  )
  .action(async (folder: string) =>
    (await import('./backup/run-restore.ts')).runRestore({
      folder,
      signal: interrupted.signal,
      ...context(),
    }),
  );

program
  .command('demo')
  .description('Prepare the simulated demo catalogue; datasets that are there already are left alone.')
  .action(async () => {
    const { settings, terminal } = context();
    await (await import('./demo-prepare.ts')).prepareDemo(settings, terminal, interrupted.signal);
  });

/** Text that people will read in the catalogue. */
function words(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return text.trim();
}

/** An option that decides which cells are removed, and so contradicts those that keep all. */
function deciding(flags: string, description: string): Option {
  return new Option(flags, description).conflicts(['keepAllCells', 'compute']);
}

function count(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

function accession(text: string): string {
  if (!/^GSE\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must look like GSE176078.');
  return text;
}

function pair(text: string, before: Readonly<Record<string, string>>): Record<string, string> {
  const [key, column] = [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)];
  if (!text.includes('=') || !key || !column) throw new InvalidArgumentError('It must look like KEY=COLUMN.');
  return { ...before, [key]: column };
}

/** One clear line for people, one object for scripts; never a stack trace. */
function report(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  const code = exitCodeOf(error);
  process.exitCode = code;
  if (json) {
    const name = error instanceof Error ? error.name : 'Error';
    const part = error instanceof Error && 'part' in error ? { part: error.part } : {};
    process.stdout.write(`${JSON.stringify({ error: { code: name, message, ...part } }, null, 2)}\n`);
  } else {
    process.stderr.write(`cellfolio: ${printable(message)}\n`);
  }
}

try {
  // --json may stand anywhere, as users of other tools expect.
  const given = process.argv.slice(2);
  const rest = given.filter((word) => word !== '--json');
  await program.parseAsync(json ? ['--json', ...rest] : rest, { from: 'user' });
} catch (error) {
  if (!(error instanceof CommanderError)) report(error);
  else if (error.exitCode !== 0) {
    if (json) report(new CommandFailure(exitCode.usage, error.message.replace(/^error: /, '')));
    else process.exitCode = exitCode.usage;
  }
}
