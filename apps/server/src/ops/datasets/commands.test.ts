import { processingChoice, processingNumbers } from '@cellfolio/contract';
import { Command, InvalidArgumentError } from 'commander';
import { expect, test } from 'vitest';
import { flagOf } from '../command.ts';
import type { DatasetAddOptions } from './add-dataset.ts';
import { datasetCommands, sampleColumn, settingNumber } from './commands.ts';
import { optionName, processingChoiceOf } from './compute-options.ts';

test.each([
  ['deviations', '5', 5],
  ['minimumCounts', '0', 0],
  ['maximumMitochondrial', '0.2', 0.2],
  ['doubletThreshold', '0.25', 0.25],
] as const)('%s takes %s', (name, text, value) => {
  expect(settingNumber(name)(text)).toBe(value);
});

test.each([
  ['deviations', '0.5', 'It must be a number from 1 to 100.'],
  ['minimumCounts', '1.5', 'It must be a whole number from 0 to 1000000000.'],
  ['minimumGenes', '', 'It must be a whole number from 0 to 1000000.'],
  ['maximumMitochondrial', '20', 'It must be a number from 0 to 1.'],
  ['doubletThreshold', '-0.1', 'It must be a number from 0 to 1.'],
] as const)('%s refuses %j with its limits', (name, text, message) => {
  expect(() => settingNumber(name)(text)).toThrow(new InvalidArgumentError(message));
});

test('a sample column is a name, or none', () => {
  expect(sampleColumn('donor')).toBe('donor');
  expect(sampleColumn('none')).toBeNull();
  expect(() => sampleColumn('')).toThrow('It must be the name of a column, or none.');
});

test('every number of processing is an option, and becomes the choice that an upload has', () => {
  const names = Object.keys(processingNumbers) as (keyof typeof processingNumbers)[];
  const program = new Command();
  datasetCommands(program, async () => undefined);
  const add = program.commands[0]!.commands.find((command) => command.name() === 'add')!;
  add.parseOptions(
    names.flatMap((name) => [flagOf(optionName(name)), String(processingNumbers[name].maximum)]),
  );
  const choice = processingChoiceOf(add.opts<DatasetAddOptions>(), undefined);
  expect(choice).toEqual(Object.fromEntries(names.map((name) => [name, processingNumbers[name].maximum])));
  expect(processingChoice.parse(choice)).toEqual(choice);
});
