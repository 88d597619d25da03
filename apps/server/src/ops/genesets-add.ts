import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { InvalidGmt } from '@cellfolio/analysis';
import type { Settings } from '../boot/settings/read-settings.ts';
import { exitCode } from './exit-code.ts';
import { CommandFailure } from './failure.ts';
import { printable } from './table.ts';
import type { Terminal } from './terminal.ts';
import { withObjects } from './with-objects.ts';
import { StoredLibraries } from '../features/gene-sets/index.ts';

/** Some ten times the largest library that a publisher offers. */
const mostBytes = 64 * 1024 * 1024;

interface AddCommand {
  readonly file: string;
  readonly name: string | undefined;
  readonly replace: boolean;
  readonly settings: Settings;
  readonly terminal: Terminal;
}

/** Adds a library from a local file in the GMT form. */
export async function addGeneSets({ file, name, replace, settings, terminal }: AddCommand): Promise<void> {
  const library = {
    name: name ?? nameFrom(file),
    bytes: await readBytes(file),
    source: 'file',
    origin: basename(file),
    replace,
  } as const;
  const { record, warnings } = await withObjects(settings, (objects) =>
    new StoredLibraries(objects).put(library),
  );
  terminal.result({ library: record, warnings }, () =>
    [
      ...warnings.map(printable),
      `Added as ${record.name}: ${record.setCount.toLocaleString('en')} sets, ${record.geneCount.toLocaleString('en')} genes.`,
    ].join('\n'),
  );
}

/** The file's own name without its ending, with odd characters replaced. */
export function nameFrom(file: string): string {
  const name = basename(file)
    .replace(/\.(?:gmt|txt)$/i, '')
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 80);
  if (name === '') {
    throw new CommandFailure(
      exitCode.usage,
      `No library name can be made from ${file}; give one with --name.`,
    );
  }
  return name;
}

async function readBytes(file: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(file);
    if (size > mostBytes) {
      throw new InvalidGmt(
        basename(file),
        undefined,
        `it is larger than ${mostBytes} bytes, which no library is.`,
      );
    }
    return await readFile(file);
  } catch (error) {
    if (error instanceof InvalidGmt) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const reason =
      code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : message;
    throw new CommandFailure(exitCode.badInput, `${file}: ${reason}.`);
  }
}
