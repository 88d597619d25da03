import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Database } from '@cellfolio/platform';
import type { Settings } from '../boot/settings/read-settings.ts';
import type { Terminal } from './terminal.ts';

export interface CommandContext {
  settings: Settings;
  terminal: Terminal;
  /** Aborts on Ctrl-C and SIGTERM. */
  signal: AbortSignal;
}

export type RunCommand = (command: (context: CommandContext) => Promise<number | void>) => Promise<void>;

/** Opens the migrated database for the duration of a command. */
export type RunOnDatabase = (
  command: (database: Database, context: CommandContext) => Promise<void>,
) => Promise<void>;

/** Exit codes of the command line, stable for scripts. */
export const exitCode = {
  ok: 0,
  failure: 1,
  usage: 2,
  badInput: 3,
  notFound: 4,
  exists: 5,
  damaged: 6,
  notWritable: 7,
  /** Ctrl-C: 128 + SIGINT. */
  interrupted: 130,
} as const;

export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: number;
  /** Printed below the message, such as the available choices. */
  readonly lines: readonly string[];

  constructor(code: number, message: string, lines: readonly string[] = []) {
    super(message);
    this.exitCode = code;
    this.lines = lines;
  }
}

/** Keyed by error names, since importing their classes would load whole features. */
const codes: ReadonlyMap<string, number> = new Map([
  ['H5adError', exitCode.badInput],
  ['TextFileError', exitCode.badInput],
  ['DownloadFailed', exitCode.badInput],
  ['LinkFailed no-page', exitCode.usage],
  ['LinkFailed not-found', exitCode.notFound],
  ['LinkFailed unreadable', exitCode.badInput],
  ['InsecureAddress', exitCode.usage],
  ['WorkFailed', exitCode.badInput],
  ['InvalidSettings', exitCode.usage],
  ['InvalidGmt', exitCode.badInput],
  ['InvalidLibraryName', exitCode.usage],
  ['LibraryDamaged', exitCode.damaged],
  ['LibraryExists', exitCode.exists],
  ['InvalidOrthologues', exitCode.badInput],
  ['OrthologuesExist', exitCode.exists],
  ['InvalidPairs', exitCode.badInput],
  ['InvalidMarkers', exitCode.badInput],
  ['InvalidListName', exitCode.usage],
  ['ListExists', exitCode.exists],
  ['InvalidDatasetId', exitCode.usage],
  ['DatasetExists', exitCode.exists],
  ['DatasetNotFound', exitCode.notFound],
  ['DatasetDamaged', exitCode.damaged],
  ['WrittenOtherwise', exitCode.damaged],
  ['BackupDamaged', exitCode.damaged],
  ['PlaceNotEmpty', exitCode.exists],
  ['StoreWriteFailed', exitCode.notWritable],
]);

export function exitCodeOf(error: unknown): number {
  if (error instanceof CommandFailure) return error.exitCode;
  if (!(error instanceof Error)) return exitCode.failure;
  if (error.name === 'AbortError') return exitCode.interrupted;
  const { reason } = error as { reason?: unknown };
  const name = typeof reason === 'string' ? `${error.name} ${reason}` : error.name;
  return codes.get(name) ?? codes.get(error.name) ?? exitCode.failure;
}

/** Reads an input file of a command. Throws CommandFailure when that fails or the file is too large. */
export async function readInput(file: string, maxBytes: number): Promise<Buffer> {
  try {
    const { size } = await stat(file);
    if (size > maxBytes) {
      const limit = `${maxBytes / 2 ** 20} MiB`;
      throw new CommandFailure(
        exitCode.badInput,
        `${file}: it is larger than ${limit}, the maximum for this input.`,
      );
    }
    return await readFile(file);
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'no such file' : code === 'EISDIR' ? 'it is a folder' : message;
    throw new CommandFailure(exitCode.badInput, `${file}: ${reason}.`);
  }
}

/** `patientCount` → `--patient-count`. */
export function flagOf(option: string): string {
  return `--${option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/**
 * The name of a file without its extension, special characters replaced. Throws CommandFailure when nothing is left.
 */
export function nameFrom(file: string, extension: RegExp): string {
  const name = basename(file)
    .replace(extension, '')
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 80);
  if (name !== '') return name;
  throw new CommandFailure(exitCode.usage, `No name can be made from ${file}; give one with --name.`);
}
