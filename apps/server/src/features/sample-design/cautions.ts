import { columnTitle } from '@cellfolio/contract';
import { type ResultCaution as Caution, countText, listedNames, plural, pluralWord } from '@cellfolio/model';
import type { DesignedPart } from './designed-part.ts';
import { emptySumWords, sumsOnSides, sumWords } from './part-sums.ts';
import { emptySumsWords } from './refusals.ts';

const maxNamesListed = 5;
/** With this many samples a side or fewer only large differences are found. */
const fewSamples = 3;

export function designCautions(
  designed: readonly DesignedPart[],
  { minCells, ...others }: { minCells: number; unlabelled: number; sampleColumn: string },
): Caution[] {
  return [...sampleLimits(designed, minCells), ...designNotes(designed, others)];
}

export function sampleLimits(designed: readonly DesignedPart[], minCells: number): Caution[] {
  return [...fewOnASide(designed), ...withoutCounts(designed), ...tooFewCells(designed, minCells)];
}

export function designNotes(
  designed: readonly DesignedPart[],
  { unlabelled, sampleColumn }: { unlabelled: number; sampleColumn: string },
): Caution[] {
  return [
    ...pairsUsed(designed),
    ...pairsNotUsed(designed),
    ...notInModel(designed, 'constant'),
    ...notInModel(designed, 'held'),
    ...codesTaken(designed),
    ...withoutSample(unlabelled, sampleColumn),
  ];
}

/** `B cell: `, or empty when no column divides the cells into parts. */
export function headOf({ part: { name } }: DesignedPart): string {
  return name === '' ? '' : `${name}: `;
}

function fewOnASide(tested: readonly DesignedPart[]): Caution[] {
  const few = tested.filter((one) => Math.min(...Object.values(sumsOnSides(one))) <= fewSamples);
  if (few.length === 0) return [];
  const counts = few.map(sumsOnSides);
  const alike = Map.groupBy(few.keys(), (at) => `${counts[at]!.a} against ${counts[at]!.b}`);
  const words = Array.from(alike, ([sides, at]) =>
    at.length > 1 ? `${sides} in ${at.length} groups` : `${headOf(few[at[0]!]!)}${sides}`,
  );
  const sides = listedNames(words, maxNamesListed);
  return [
    {
      code: 'few-samples',
      message: `Few samples on a side (${sides}) show only large differences; there may be smaller ones. Read effects with their limits, or add samples.`,
      numbers: {
        limit: fewSamples,
        groups: few.slice(0, maxNamesListed).map(({ part }) => part.name),
        samplesA: counts.slice(0, maxNamesListed).map(({ a }) => a),
        samplesB: counts.slice(0, maxNamesListed).map(({ b }) => b),
      },
    },
  ];
}

function withoutCounts(tested: readonly DesignedPart[]): Caution[] {
  const left = tested.flatMap((one) => one.empty.map((sum) => ({ sum, part: one.part.name })));
  if (left.length === 0) return [];
  const words = left.map(({ sum, part }) => emptySumWords(sum, part));
  const listed = left.slice(0, maxNamesListed);
  return [
    {
      code: 'samples-without-counts',
      message: `${emptySumsWords(listedNames(words, maxNamesListed))} The genes to test were then chosen from the other samples.`,
      numbers: {
        groups: listed.map(({ part }) => part),
        samples: listed.map(({ sum }) => sum.sample),
        cells: listed.map(({ sum }) => sum.cells),
        genes: listed.map(({ sum }) => sum.genes),
        sampleCount: left.length,
      },
    },
  ];
}

function tooFewCells(tested: readonly DesignedPart[], minCells: number): Caution[] {
  const left = tested.flatMap((one) => one.fewCells.map((sum) => ({ one, sum })));
  if (left.length === 0) return [];
  const words = left.map(({ one, sum }) => sumWords(sum, one.part.name));
  return [
    {
      code: 'samples-left-out',
      message: `Left out, with fewer than ${minCells} cells: ${listedNames(words, maxNamesListed)}. Lower the minimum to keep them.`,
      numbers: {
        minimumCells: minCells,
        samples: left.slice(0, maxNamesListed).map(({ sum }) => sum.sample),
        cells: left.slice(0, maxNamesListed).map(({ sum }) => sum.cells),
        sampleCount: left.length,
      },
    },
  ];
}

function pairsUsed(tested: readonly DesignedPart[]): Caution[] {
  const paired = tested.filter(({ design }) => design.isPaired);
  if (paired.length === 0) return [];
  const words = paired.map((one) => `${headOf(one)}${countText(one.design.both)} pairs`);
  const alone = paired.flatMap((one) => one.unpaired.map((sum) => ({ one, sum })));
  const leftOut = alone.map(({ one, sum }) => sumWords(sum, one.part.name));
  return [
    {
      code: 'samples-paired',
      message: `Samples with cells on both sides are compared with themselves (${listedNames(words, maxNamesListed)})${alone.length > 0 ? `; left out, on one side only: ${listedNames(leftOut, maxNamesListed)}` : ''}.`,
      numbers: {
        pairs: paired.slice(0, maxNamesListed).map(({ design }) => design.both),
        leftOut: alone.length,
        samples: alone.slice(0, maxNamesListed).map(({ sum }) => sum.sample),
      },
    },
  ];
}

function pairsNotUsed(tested: readonly DesignedPart[]): Caution[] {
  const both = tested.filter(({ design }) => !design.isPaired && design.both > 0);
  if (both.length === 0) return [];
  const words = both.map((one) => `${headOf(one)}${countText(one.design.both)}`);
  return [
    {
      code: 'pairs-not-used',
      message: `Samples with cells on both sides (${listedNames(words, maxNamesListed)}) count as two, though their sums are correlated. Compare in pairs to remove differences between samples.`,
      numbers: {
        groups: both.slice(0, maxNamesListed).map(({ part }) => part.name),
        samplesOfBoth: both.slice(0, maxNamesListed).map(({ design }) => design.both),
      },
    },
  ];
}

const whyNotInModel = {
  constant: { code: 'constant-covariates', why: 'as all samples have one value' },
  held: {
    code: 'covariates-held-by-pairs',
    why: 'as both sums of every pair have one value, so that comparing pairs removes its effect',
  },
} as const;

function notInModel(tested: readonly DesignedPart[], because: keyof typeof whyNotInModel): Caution[] {
  const parts = tested.filter(({ design }) => design[because].length > 0);
  if (parts.length === 0) return [];
  const { code, why } = whyNotInModel[because];
  const words = parts.map(
    (one) => `${headOf(one)}${one.design[because].map((column) => columnTitle(column)).join(' and ')}`,
  );
  return [
    {
      code,
      message: `Not in the model, ${why}: ${listedNames(words, maxNamesListed)}.`,
      numbers: {
        groups: parts.slice(0, maxNamesListed).map(({ part }) => part.name),
        columns: [...new Set(parts.flatMap(({ design }) => design[because]))],
      },
    },
  ];
}

/** Covariates with few distinct integers, which the model treats as categories. */
export function codesTaken(designed: readonly DesignedPart[]): Caution[] {
  const columns = new Map<string, readonly string[]>();
  for (const { design } of designed) {
    for (const column of design.columns) {
      if (column.kind === 'categorical' && column.isOfNumbers) columns.set(column.name, column.categories);
    }
  }
  if (columns.size === 0) return [];
  const words = Array.from(columns, ([name, values]) => `${columnTitle(name)} (${listedNames(values, 10)})`);
  return [
    {
      code: 'numbers-as-categories',
      message: `Columns with few whole numbers count as categories, with one effect each: ${listedNames(words, maxNamesListed)}. If they are quantities, such as doses, mark them as numeric.`,
      numbers: {
        columns: [...columns.keys()],
        categories: [...columns.values()].map(({ length }) => length),
      },
    },
  ];
}

function withoutSample(unlabelled: number, column: string): Caution[] {
  if (unlabelled === 0) return [];
  return [
    {
      code: 'cells-without-sample',
      message: `${plural(unlabelled, 'cell of A or B has', 'cells of A or B have')} no value in ${columnTitle(column)} and ${pluralWord(unlabelled, 'is', 'are')} in no sum: label them to include them.`,
      numbers: { unlabelled },
    },
  ];
}
