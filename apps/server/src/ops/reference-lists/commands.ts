import type { Command } from 'commander';
import type { RunCommand } from '../command.ts';
import type { AddOptions, ListName } from './lists.ts';

interface ListWords {
  name: ListName;
  /** Name for the middle of a sentence. */
  of: string;
  file: string;
  example: { release: string; licence: string };
}

const lists: readonly ListWords[] = [
  {
    name: 'pairs',
    of: 'ligand–receptor pairs',
    file: 'CSV with the columns ligand and receptor, or an export of LIANA or OmniPath',
    example: { release: 'CellPhoneDB 5.0', licence: 'CC BY 4.0' },
  },
  {
    name: 'markers',
    of: 'markers of cell types',
    file: 'CSV with the columns cell_type and gene, or an export of PanglaoDB or CellMarker with the rows of one species',
    example: { release: 'PanglaoDB 27 Mar 2020', licence: 'as its publisher states it' },
  },
];

export function listCommands(program: Command, run: RunCommand): void {
  for (const { name, of, file, example } of lists) {
    const commands = program.command(name).description(`Add, list and remove sets of ${of}.`);
    commands
      .command('add')
      .argument('<file>', file)
      .description(
        'Add a published resource from a file. Its release and license are shown with every result.',
      )
      .requiredOption('--release <release>', `version of the resource, such as "${example.release}"`)
      .requiredOption('--licence <licence>', `its license, such as "${example.licence}"`)
      .option('--name <name>', 'name of the set (default: the file’s name)')
      .option('--species <species>', 'whose symbols it has', 'human')
      .option('--replace', 'replace a set of the same name', false)
      .action((added: string, options: Omit<AddOptions, 'file'>) =>
        run(async (context) =>
          (await import('./lists.ts')).addList(name, { file: added, ...options }, context),
        ),
      );
    commands
      .command('list')
      .description('List the sets that are offered.')
      .action(() => run(async (context) => (await import('./lists.ts')).printLists(name, context)));
    commands
      .command('remove')
      .argument('<set>', 'name in the list')
      .description('Remove a set that was added.')
      .action((set: string) =>
        run(async (context) => (await import('./lists.ts')).removeList(name, set, context)),
      );
  }
}
