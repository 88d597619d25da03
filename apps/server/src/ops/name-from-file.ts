import { basename } from 'node:path';
import { CommandFailure, exitCode } from './command.ts';

/** The name of a file without its extension, special characters replaced. Throws CommandFailure where none is left. */
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
