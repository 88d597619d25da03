import type { BatchesApart } from '@cellfolio/analyses/compute';
import type { ComparedCells, SampleChecks } from '@cellfolio/analysis';
import type { ComparisonParameters } from '@cellfolio/analysis/parameters';
import { columnTitle } from '@cellfolio/contract';
import {
  type ResultCaution as Caution,
  countCautions,
  countText,
  isOfExpression,
  isUnassigned,
  listedNames,
  valueCautions,
  plural,
  pluralWord,
  unassignedCautions,
} from '@cellfolio/model';
import type { FoundDepths } from '../../runtime/cell-depths.ts';
import {
  type ComparedDepths,
  depthCautions,
  fewCells,
  leadingGeneCautions,
  multipleTesting,
  pValuesAtBound,
  sparseGenes,
  unevenTTest,
  replicateTestWords,
} from '@cellfolio/analyses/cautions';
import { nestingCautions } from '../../runtime/nesting-cautions.ts';
import type { SampleColumn, SidesSamples } from '../../runtime/sample-column.ts';
import { columnsOf, columnsOfSets, type PartComposition } from '../sample-design/index.ts';
import { cutByExpression, type Selection, type SubsetFilter } from '../selection/index.ts';
import type { TableSummary } from './compared-table.ts';
import { otherComposition } from './composition-caution.ts';
import { sumCautions } from './pseudobulk/cautions.ts';
import type { TestedParts } from './pseudobulk/pseudobulk-comparisons.ts';
import type { CompositionCheck } from './sample-check-task.ts';

export interface ComparedSamples extends SampleColumn, Omit<SidesSamples, 'samples'> {}

interface Findings {
  selection: Selection;
  parameters: ComparisonParameters;
  compared: ComparedCells;
  tables: readonly TableSummary[];
  samples: ComparedSamples | undefined;
  batches: readonly BatchesApart[];
  between?: SampleChecks | undefined;
  /** Where the sides are of other types, and of how many of the differing genes that makes the most, where any differ. */
  composition: PartComposition | undefined;
  byComposition: CompositionCheck | undefined;
  /** Where cells were compared, and it is known how many counts they have. */
  depths?: FoundDepths | undefined;
  pseudobulk?: TestedParts;
  /** Symbols of leading genes that behave as ambient RNA. */
  ambient: ReadonlySet<string>;
  untested: readonly number[];
}

const maxNamesListed = 5;

/** Limits of a comparison that apply, each with its figures. */
export function comparisonCautions(findings: Findings): Caution[] {
  const { pseudobulk, parameters } = findings;
  const ofSums = pseudobulk ? sumCautions(pseudobulk, parameters, findings.samples?.column ?? '') : noSums;
  return [
    ...otherComposition(findings),
    ...nested(findings),
    ...ofSums.limits,
    ...(pseudobulk
      ? countCautions(findings.selection.manifest)
      : [...valueCautions(findings.selection.manifest), ...sampleCautions(findings)]),
    ...depthOfSides(findings),
    ...batchCautions(findings.batches, columnsOfSets(findings.selection, parameters)),
    ...sameCells(findings),
    ...cutByExpression(findings.selection),
    ...(pseudobulk ? [] : fewOnASide(findings)),
    ...(pseudobulk ? [] : unevenSides(findings)),
    ...sparseIn(findings),
    ...leadingGeneCautions(
      findings.tables.map(({ leading: genes }, at) => ({ group: partOf(findings, at), genes })),
      findings.ambient,
    ),
    testsOf(findings),
    ...pValuesAtBound(findings.tables.reduce((sum, { zeroPs }) => sum + zeroPs, 0)),
    ...findings.tables.flatMap(({ warnings }) => warnings).slice(0, 1),
    ...leftOut(findings),
    ...ofSums.notes,
  ];
}

/** By a random effect, or without one, as found by the tests of all parts together. */
function nested({ samples, pseudobulk, parameters }: Findings): Caution[] {
  if (!samples) return [];
  const correlations = (pseudobulk?.tested ?? []).flatMap(({ checks: { correlation } }) => correlation ?? []);
  const sum = correlations.reduce((total, one) => total + one, 0);
  const correlation = correlations.length === 0 ? undefined : sum / correlations.length;
  const { random_effect: random } = parameters;
  const unused: Caution[] =
    pseudobulk && random !== undefined && !correlation
      ? [
          {
            code: 'random-effect-unused',
            message: `The random effect of ${columnTitle(random)} has no effect: none of its values has several samples (${columnTitle(samples.column)}) given the columns of the model. Choose a finer column as Samples, or leave it out.`,
            numbers: { column: random, sampleColumn: samples.column },
          },
        ]
      : [];
  return [...unused, ...nestingCautions(samples, { correlation, random })];
}

const noSums = { limits: [], notes: [] } as const;

function partOf({ compared, pseudobulk }: Findings, at: number): string {
  return (pseudobulk ? pseudobulk.tested[at]!.part : compared.parts[at]!).name;
}

function cellsOf({ compared }: Findings): { a: number; b: number } {
  const sum = (side: 'a' | 'b') => compared.parts.reduce((cells, part) => cells + part[side], 0);
  return { a: sum('a'), b: sum('b') };
}

/** Number of samples with cells on each side, and on both. */
export function sampleCounts({ a, b, names }: ComparedSamples): { a: number; b: number; both: number } {
  const on = (isIn: (sample: number) => boolean) => names.filter((_, sample) => isIn(sample)).length;
  return {
    a: on((sample) => a[sample]! > 0),
    b: on((sample) => b[sample]! > 0),
    both: on((sample) => a[sample]! > 0 && b[sample]! > 0),
  };
}

/**
 * Cells of a sample resemble each other, so a test that treats cells as replicates finds differences between samples
 * without any effect (Zimmerman, Espeland and Langefeld 2021; Squair and others 2021).
 */
function sampleCautions(findings: Findings): Caution[] {
  const { samples, selection, between } = findings;
  const { a, b } = cellsOf(findings);
  const cells = countText(a + b);
  if (!samples) {
    return [
      {
        code: 'cells-as-replicates',
        message: `Each of ${cells} cells counts as a replicate, and no sample column is known: with few samples, p-values are too small. Choose the column of samples.`,
        numbers: { cellsA: a, cellsB: b },
      },
    ];
  }
  const count = sampleCounts(samples);
  const numbers = {
    cellsA: a,
    cellsB: b,
    samplesA: count.a,
    samplesB: count.b,
    samplesOfBoth: count.both,
    sampleColumn: samples.column,
    ...(between && {
      checked: between.markerCount,
      testable: between.testable,
      kept: between.confirmed,
      keptAdjusted: between.confirmedAdjusted,
      testedBy: between.ofCounts ? 'counts' : 'values',
    }),
  };
  const samplesText = (number: number) => plural(number, 'sample');
  const both = count.both === 0 ? 'none in both' : `${countText(count.both)} in both`;
  const replicates: Caution = {
    code: 'cells-as-replicates',
    message: `Cells count as replicates, but A has only ${samplesText(count.a)} and B ${countText(count.b)} (${columnTitle(samples.column)}; ${both}): p-values are too small.${betweenText(findings)}${selection.manifest.expression.hasCounts ? ' Use pseudobulk.' : ''}`,
    numbers,
  };
  if (count.both > 0 || Math.min(count.a, count.b) > 1) return [replicates];
  return [
    {
      code: 'sample-confounded',
      message: `${count.a === 1 ? 'A' : 'B'} is a single sample, and no sample has cells of both sides (${columnTitle(samples.column)}): any difference may be one between samples, and no test can separate them. Compare several samples.`,
      numbers,
    },
    replicates,
  ];
}

/** How many genes that differ between cells also differ between samples. */
function betweenText({ between, selection }: Findings): string {
  if (!between) return '';
  const { markerCount, testable, confirmed, confirmedAdjusted: keptAdjusted } = between;
  if (testable === 0) {
    return ' No gene can be tested between samples: each side needs two.';
  }
  return ` Between samples, ${countText(confirmed)} of the first ${countText(markerCount)} genes ${pluralWord(confirmed, 'has', 'have')} p < 0.05, ${countText(keptAdjusted)} adjusted, ${replicateTestWords(between, selection.manifest)}`;
}

/** Sets whose membership came from the tested expression: their p-values are too small whatever the cells are. */
function sameCells({ selection, parameters }: Findings): Caution[] {
  const { a, b } = parameters;
  const cautions: Caution[] = [];
  const sides = [{ side: 'A', set: a }, ...(b ? [{ side: 'B', set: b }] : [])];
  const where = (isSo: (filter: SubsetFilter) => boolean) =>
    sides.filter(({ set }) => isSo(set.filter)).map(({ side }) => side);
  const clustered = where((filter) => ofClusters(selection, filter));
  if (clustered.length > 0) {
    cautions.push({
      code: 'clusters-tested-on-own-data',
      message: `${sidesText(clustered)} clusters or cell types, formed by the expression that is tested: p-values are too small, and genes pass without a real difference. Judge by effect, and confirm in other cells.`,
      numbers: { sides: clustered },
    });
  }
  const selected = where(({ cells_filter: isOn }) => isOn);
  if (selected.length > 0) {
    cautions.push({
      code: 'selection-tested-on-own-data',
      message: `${sidesText(selected)} cells selected on a map, which is made from the expression that is tested: p-values are too small. Judge by effect, and confirm in other cells.`,
      numbers: { sides: selected },
    });
  }
  const filtered = where(({ gene_filter: gene, signature_filter: signature }) => gene || signature);
  if (filtered.length > 0) {
    cautions.push({
      code: 'filter-tested-on-own-data',
      message: `${sidesText(filtered)} cells chosen by an expression filter: genes of the filter, and genes correlated with them, differ by construction. They are not findings.`,
      numbers: { sides: filtered },
    });
  }
  return cautions;
}

function sidesText(sides: readonly string[]): string {
  return `${sides.join(' and ')} ${pluralWord(sides.length, 'is made of', 'are made of')}`;
}

function ofClusters(selection: Selection, filter: SubsetFilter): boolean {
  return columnsOf(selection, filter).some((column) => isOfExpression(selection.manifest, column));
}

/** `compared` holds the columns that define the sides: a user who compares batches knows that they are batches. */
function batchCautions(separateBatches: readonly BatchesApart[], compared: readonly string[]): Caution[] {
  const batches = separateBatches.filter(({ column }) => !compared.includes(column));
  if (batches.length === 0) return [];
  const words = batches.map(({ column, counts: [a, b] }) => `${columnTitle(column)} (${a} in A, ${b} in B)`);
  const listed = batches.slice(0, maxNamesListed);
  return [
    {
      code: 'batch-confounded',
      message: `No batch has cells of both A and B, by ${listedNames(words, maxNamesListed)}: any difference may be the batch, and no test can separate them. Compare cells of batches that have both.`,
      numbers: {
        columns: listed.map(({ column }) => column),
        batchesA: listed.map(({ counts }) => counts[0]!),
        batchesB: listed.map(({ counts }) => counts[1]!),
      },
    },
  ];
}

function fewOnASide({ compared }: Findings): Caution[] {
  const few = compared.parts.filter(({ a, b }) => Math.min(a, b) < fewCells);
  if (few.length === 0) return [];
  const words = few.map(({ name, a, b }) => `${name === '' ? '' : `${name}: `}${a} against ${b}`);
  return [
    {
      code: 'few-cells',
      message: `Fewer than ${fewCells} cells on a side (${listedNames(words, maxNamesListed)}). Their p-values are not reliable: compare larger groups.`,
      numbers: {
        limit: fewCells,
        groups: few.slice(0, maxNamesListed).map(({ name }) => name),
        cellsA: few.slice(0, maxNamesListed).map(({ a }) => a),
        cellsB: few.slice(0, maxNamesListed).map(({ b }) => b),
      },
    },
  ];
}

function unevenSides({ compared, tables, parameters }: Findings): Caution[] {
  const withGenes = compared.parts.filter((_, at) => tables[at]!.rising + tables[at]!.falling > 0);
  return unevenTTest(
    parameters.method,
    withGenes.map(({ name, a, b }) => ({ name, cells: a, others: b })),
  );
}

/** By tests of cells with the normal approximation. */
function sparseIn({ tables, parameters: { pvals_adj: limit } }: Findings): Caution[] {
  const sparse = tables.reduce((sum, table) => sum + (table.sparse ?? 0), 0);
  const significant = tables.reduce((sum, { rising, falling }) => sum + rising + falling, 0);
  return sparseGenes({ sparse, significant, limit });
}

/** Counts per cell of tests of cells, unless they were brought to one depth, and of ends, which have other depths by what ranks them. */
function depthOfSides({ depths, compared, tables, parameters, pseudobulk }: Findings): Caution[] {
  const words = { of: ['A', 'B'], areEnds: parameters.ends !== undefined } as const;
  if (pseudobulk && words.areEnds) {
    return depthCautions(pseudobulk.tested.map(depthsOfSums), { ...words, ofCounts: true });
  }
  if (!depths || parameters.depth === 'downsample') return [];
  const parts = depths.sets.map(({ counts: [a, b] }, at) => {
    const { rising: higher, falling: lower } = tables[at]!;
    return { group: compared.parts[at]!.name, counts: a!, others: b!, higher, lower };
  });
  return depthCautions(parts, { ...words, ofCounts: depths.ofCounts });
}

/** Geometric means over the samples of each side, in the genes that were tested. */
function depthsOfSums({ part, sums, checks }: TestedParts['tested'][number]): ComparedDepths {
  const depthOf = (side: 'a' | 'b') => {
    const logs = sums.flatMap((sum, at) =>
      sum.side === side ? [Math.log(checks.librarySizes[at]! / sum.cells)] : [],
    );
    return Math.exp(logs.reduce((total, one) => total + one, 0) / logs.length);
  };
  return { group: part.name, counts: depthOf('a'), others: depthOf('b') };
}

function testsOf({ selection, tables, parameters, pseudobulk, untested }: Findings): Caution {
  const genes = selection.manifest.geneCount - untested.length;
  return multipleTesting({
    // With sums, genes that have an adjusted p-value: others were not tested, or filtered out.
    tests: pseudobulk ? tables.reduce((sum, { tested }) => sum + tested, 0) : genes * tables.length,
    genes,
    groups: tables.length,
    over: pseudobulk ? 'genes that were tested' : `${countText(genes)} genes`,
    limit: parameters.pvals_adj,
    significant: tables.reduce((sum, { higher, lower }) => sum + higher + lower, 0),
  });
}

function leftOut({ compared, parameters, pseudobulk }: Findings): Caution[] {
  const { unlabelled } = compared;
  const isLeftOut = parameters.unassigned === 'left-out';
  const groups = compared.leftOut.filter(({ name }) => !(isLeftOut && isUnassigned(name)));
  const cautions: Caution[] = [];
  if (groups.length > 0) {
    const words = groups.map(({ name, a, b }) => `${name} (${a} against ${b})`);
    cautions.push({
      code: 'groups-left-out',
      message: `Not compared, with fewer than ${parameters.min_cells} cells on a side: ${listedNames(words, maxNamesListed)}. Lower the minimum to compare them.`,
      numbers: {
        minimumCells: parameters.min_cells,
        groups: groups.slice(0, maxNamesListed).map(({ name }) => name),
        groupCount: groups.length,
      },
    });
  }
  if (unlabelled > 0) {
    cautions.push({
      code: 'unlabelled-cells',
      message: `${plural(unlabelled, 'cell of A or B has', 'cells of A or B have')} no value in ${parameters.within ?? ''} and ${pluralWord(unlabelled, 'is', 'are')} in no comparison: label them to include them.`,
      numbers: { unlabelled },
    });
  }
  // Parts that could not be tested are named with the reason.
  const refused = new Set(pseudobulk?.refused.map(({ name }) => name));
  const tested = compared.parts.filter(({ name }) => !refused.has(name));
  const unassigned = (isLeftOut ? compared.leftOut : tested).flatMap(({ name, a, b }) =>
    parameters.within !== undefined && isUnassigned(name) ? [{ name, cells: a + b }] : [],
  );
  return [
    ...cautions,
    ...unassignedCautions(unassigned, {
      column: columnTitle(parameters.within ?? ''),
      isLeftOut,
      otherwise: 'compared like the others, though they may be cells of several kinds',
    }),
  ];
}
