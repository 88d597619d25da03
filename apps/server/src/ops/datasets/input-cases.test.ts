import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { addedTo } from './adding.test-data.ts';
import type { DatasetAddOptions } from './add-dataset.ts';
import { datasetCommands } from './commands.ts';
import { differences, type InputCase, inputCases, type Outcome } from './input-cases.test-data.ts';

const cases = await inputCases();

test.each(cases)('$topic: $title', async (input) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'cellfolio-case-'));
  try {
    expect(await differences(input.right, await outcomeOf(input, dataDir))).toEqual([]);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});

async function outcomeOf({ path, options }: InputCase, dataDir: string): Promise<Outcome> {
  try {
    const { text, json } = await addedTo(dataDir, path, parsed(options));
    return { report: text, objects: join(dataDir, 'objects'), id: json.dataset };
  } catch (error) {
    return { refused: (error as Error).message };
  }
}

function parsed(options: readonly string[]): Partial<DatasetAddOptions> {
  const program = new Command();
  datasetCommands(program, async () => undefined);
  const add = program.commands[0]!.commands.find((command) => command.name() === 'add')!;
  add.parseOptions(['--no-compute', ...options]);
  return add.opts();
}
