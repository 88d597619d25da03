import { Argument, Command, CommanderError } from 'commander';
import { readSettings } from '../boot/settings/read-settings.ts';
import { CommandFailure, exitCode, exitCodeOf, type RunCommand, type RunOnDatabase } from './command.ts';
import { datasetCommands } from './datasets/commands.ts';
import { geneSetCommands } from './gene-sets/commands.ts';
import type { KeyName } from './keys.ts';
import { listCommands } from './reference-lists/commands.ts';
import { createTerminal, type Output, printable } from './terminal.ts';
import { userCommands } from './users/commands.ts';

export interface Surroundings {
  environment: NodeJS.ProcessEnv;
  output: Output;
  /** Aborts on Ctrl-C and SIGTERM. */
  signal: AbortSignal;
}

/** Runs one command line, given as words without the program's name; the exit code. Errors are reported, not thrown. */
export async function runCommandLine(
  words: readonly string[],
  { environment, output, signal }: Surroundings,
): Promise<number> {
  // Scripts get errors as JSON too, including errors of options; --json is accepted anywhere on the command line.
  const json = words.includes('--json');
  const terminal = createTerminal({ json, output });
  let code: number = exitCode.ok;
  const run: RunCommand = async (command) => {
    code = (await command({ settings: readSettings(environment), terminal, signal })) ?? code;
  };
  const program = new Command('cellfolio')
    .description('Datasets, gene sets, users and maintenance of a Cellfolio server.')
    .option('--json', 'print results as JSON', false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void output.stdout.write(text),
      writeErr: (text) => void output.stderr.write(text),
      outputError: (text, write) => (json ? undefined : write(text)),
    })
    .addHelpText(
      'after',
      '\nExit codes: 0 success, 1 unexpected error, 2 wrong options or settings, 3 unusable file, 4 not found, 5 exists, 6 damaged, 7 not writable, 130 interrupted.',
    );
  addCommands(program, run, environment);
  try {
    const rest = words.filter((word) => word !== '--json');
    await program.parseAsync(json ? ['--json', ...rest] : rest, { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) return report(error, json, output);
    if (error.exitCode === 0) return exitCode.ok;
    if (!json) return exitCode.usage;
    return report(new CommandFailure(exitCode.usage, error.message.replace(/^error: /, '')), json, output);
  }
}

/** Each command imports its code when it runs, so that help and refusals are fast. */
function addCommands(program: Command, run: RunCommand, environment: NodeJS.ProcessEnv): void {
  const onDatabase: RunOnDatabase = (command) =>
    run(async (context) => {
      const { withDatabase } = await import('../boot/open-stores.ts');
      await withDatabase(context.settings, (database) => command(database, context));
    });

  datasetCommands(program, run);
  geneSetCommands(program, run);
  listCommands(program, run);
  userCommands(program, run, onDatabase);

  const keys = program
    .command('keys')
    .description('Keys of clients, and keys that sign access tokens. Stop an embedded server first.');

  keys
    .command('show')
    .description('Print the publishable and the secret key.')
    .action(() => onDatabase(async (...opened) => (await import('./keys.ts')).printKeys(...opened)));

  keys
    .command('replace')
    .addArgument(new Argument('<key>').choices(['publishable', 'secret', 'all'] satisfies KeyName[]))
    .description('Replace a key that has leaked; or all secrets, for instance after a backup has leaked.')
    .action((key: KeyName) =>
      onDatabase(async (...opened) => (await import('./keys.ts')).replaceOneKey(key, ...opened)),
    );

  keys
    .command('rotate')
    .description('Sign access tokens with a new key; existing tokens stay valid until they expire.')
    .action(() => onDatabase(async (...opened) => (await import('./keys.ts')).rotateKeys(...opened)));

  program
    .command('migrate')
    .description('Apply the migrations of the database, as the start of the server does.')
    .action(() => run(async (context) => (await import('./installation.ts')).migrateDatabase(context)));

  program
    .command('backup')
    .argument('<folder>', 'a new folder')
    .description(
      'Write accounts, tables, users’ files, datasets, gene sets and keys into a folder. A server on PostgreSQL may keep running; stop a server with the embedded database first.',
    )
    .action((folder: string) =>
      run(async (context) => (await import('./backup/backup-and-restore.ts')).runBackup(folder, context)),
    );

  program
    .command('restore')
    .argument('<folder>', 'written by backup')
    .description(
      'Restore a backup into an empty DATA_DIR and database of either kind. Every byte is checked before anything is written.',
    )
    .action((folder: string) =>
      run(async (context) => (await import('./backup/backup-and-restore.ts')).runRestore(folder, context)),
    );

  program
    .command('mcp')
    .description(
      'Offer the tools of a running server to an assistant, over standard input and output, with the personal key in CELLFOLIO_API_KEY.',
    )
    .option('--url <address>', 'address of the server', 'http://127.0.0.1:3000')
    .action(({ url }: { url: string }) =>
      run(async ({ signal }) =>
        (await import('./mcp.ts')).offerTools(url, environment['CELLFOLIO_API_KEY'], signal),
      ),
    );

  program
    .command('demo')
    .description('Create the simulated demo datasets that do not exist yet.')
    .action(() => run(async (context) => (await import('./installation.ts')).prepareDemo(context)));
}

/** One line for people, an object for scripts; never a stack trace. The exit code. */
function report(error: unknown, json: boolean, { stdout, stderr }: Output): number {
  const message = error instanceof Error ? error.message : String(error);
  const lines = error instanceof CommandFailure ? error.lines : [];
  if (json) {
    const name = error instanceof Error ? error.name : 'Error';
    const part = error instanceof Error && 'part' in error ? { part: error.part } : {};
    stdout.write(
      `${JSON.stringify({ error: { code: name, message, ...part, ...(lines.length > 0 && { lines }) } }, null, 2)}\n`,
    );
  } else {
    stderr.write([`cellfolio: ${message}`, ...lines].map((line) => `${printable(line)}\n`).join(''));
  }
  return exitCodeOf(error);
}
