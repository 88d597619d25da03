import type { Command } from 'commander';
import type { RunCommand } from '../command.ts';
import type { AddOptions } from './pairs.ts';

export function pairCommands(program: Command, run: RunCommand): void {
  const pairs = program.command('pairs').description('Add, list and remove sets of ligand–receptor pairs.');
  pairs
    .command('add')
    .argument('<file>', 'CSV with the columns ligand and receptor, or an export of LIANA or OmniPath')
    .description('Add a published resource from a file. Its release and licence are shown with every result.')
    .requiredOption('--release <release>', 'version of the resource, such as "CellPhoneDB 5.0"')
    .requiredOption('--licence <licence>', 'its licence, such as "CC BY 4.0"')
    .option('--name <name>', 'name of the set (default: that of the file)')
    .option('--species <species>', 'whose symbols it has', 'human')
    .option('--replace', 'replace a set of the same name', false)
    .action((file: string, options: Omit<AddOptions, 'file'>) =>
      run(async (context) => (await import('./pairs.ts')).addPairs({ file, ...options }, context)),
    );
  pairs
    .command('list')
    .description('List the sets that are offered.')
    .action(() => run(async (context) => (await import('./pairs.ts')).printPairs(context)));
  pairs
    .command('remove')
    .argument('<set>', 'name in the list')
    .description('Remove a set that was added.')
    .action((name: string) =>
      run(async (context) => (await import('./pairs.ts')).removePairs(name, context)),
    );
}
