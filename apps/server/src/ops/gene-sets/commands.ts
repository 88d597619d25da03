import type { Command } from 'commander';
import type { RunCommand } from '../command.ts';

export function geneSetCommands(program: Command, run: RunCommand): void {
  libraryCommands(program, run);
  orthologueCommands(program, run);
}

function libraryCommands(program: Command, run: RunCommand): void {
  const genesets = program
    .command('genesets')
    .description('Download, add, list and remove gene-set libraries.');
  genesets
    .command('pull')
    .argument('[library...]', 'names at the publisher (default: the four offered libraries)')
    .description(
      'Download libraries from their publisher. A stored library stays until the new one is complete.',
    )
    .option('--missing', 'download only libraries that are not stored yet', false)
    .option('--replace', 'also replace libraries that were added from a file', false)
    .action((names: string[], options: { missing: boolean; replace: boolean }) =>
      run(async (context) => (await import('./libraries.ts')).pullGeneSets({ names, ...options }, context)),
    );
  genesets
    .command('list')
    .description('List the offered libraries and their sources.')
    .action(() => run(async (context) => (await import('./libraries.ts')).printGeneSets(context)));
  genesets
    .command('add')
    .argument('<file>', 'a .gmt file: set name, description and genes, separated by tabs')
    .description('Add a library from a file.')
    .option('--name <name>', 'name of the library (default: the file’s name)')
    .option('--replace', 'replace a library of the same name', false)
    .action((file: string, options: { name?: string; replace: boolean }) =>
      run(async (context) => (await import('./libraries.ts')).addGeneSets({ file, ...options }, context)),
    );
  genesets
    .command('remove')
    .argument('<library>', 'name in the list')
    .description('Remove a stored library.')
    .action((name: string) =>
      run(async (context) => (await import('./libraries.ts')).removeGeneSets(name, context)),
    );
}

function orthologueCommands(program: Command, run: RunCommand): void {
  const orthologues = program
    .command('orthologues')
    .description('Add, list and remove tables that map the genes of one species to those of another.');
  orthologues
    .command('add')
    .argument('<file>', 'two columns of symbols, an export of Ensembl BioMart, or HOM_MouseHumanSequence.rpt')
    .description('Add a table from a file.')
    .option('--from <species>', 'species of the datasets', 'mouse')
    .option('--to <species>', 'species of the gene sets', 'human')
    .option('--replace', 'replace the table of these two species', false)
    .action((file: string, options: { from: string; to: string; replace: boolean }) =>
      run(async (context) =>
        (await import('./orthologues.ts')).addOrthologues({ file, ...options }, context),
      ),
    );
  orthologues
    .command('list')
    .description('List the installed tables.')
    .action(() => run(async (context) => (await import('./orthologues.ts')).printOrthologues(context)));
  orthologues
    .command('remove')
    .argument('<from>', 'species of the datasets')
    .argument('<to>', 'species of the gene sets')
    .description('Remove a table.')
    .action((from: string, to: string) =>
      run(async (context) => (await import('./orthologues.ts')).removeOrthologues({ from, to }, context)),
    );
}
