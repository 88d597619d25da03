import type { PathwayAnalysisAnswer } from '@cellfolio/contract';
import {
  countText,
  type ResultCaution as Caution,
  listedNames,
  resultNotes,
  plural,
  pluralWord,
} from '@cellfolio/model';
import type { InputValues } from '@cellfolio/figures';
import type { DatasetManifest } from '@cellfolio/store';
import type { RankedSets, BackgroundChoice } from './background-genes.ts';
import { otherNameCautions } from '../../runtime/gene-names/named-genes.ts';
import type { PathwayResult } from './enrichment-tests.ts';
import type { LibraryHead } from '../gene-sets/index.ts';

export function leftOut({ notInBackground, notInDataset }: RankedSets) {
  const missing = new Set(notInDataset);
  return { notInDataset, onlyNotInBackground: notInBackground.filter((gene) => !missing.has(gene)) };
}

export function reportedRows(
  { order, overlapStarts }: Pick<RankedSets, 'order' | 'overlapStarts'>,
  minimumOverlap: number,
): Int32Array {
  return order.filter((row) => overlapStarts[row + 1]! - overlapStarts[row]! >= minimumOverlap);
}

export function setCounts({ result, library, parameters }: PathwayResult): PathwayAnalysisAnswer['sets'] {
  const { dropped, shrunk, starts } = library.compiled;
  const tested = result.order.length;
  const reported = reportedRows(result, parameters.minimum_overlap).length;
  return {
    library: starts.length - 1 + dropped,
    dropped,
    shrunk,
    tested,
    below_minimum_overlap: tested - reported,
    reported,
  };
}

export function describeBackground(
  { result, background, library }: Pick<PathwayResult, 'result' | 'background' | 'library'>,
  datasetName: string,
): string {
  const size = countText(result.backgroundSize);
  const { choice, datasetGenes, activeCells, requiredCells = 0 } = background;
  const mapped = library.orthologues ? ' with an orthologue' : '';
  const outside =
    library.notInDataset > 0 ? `, ${countText(library.notInDataset)} of which the dataset lacks` : '';
  switch (choice.kind) {
    case 'expressed':
      return `the ${size} of ${countText(datasetGenes)} genes of ${datasetName}${mapped} that at least ${countText(requiredCells)} of the ${countText(activeCells)} active cells express (a value above 0)`;
    case 'dataset':
      return `the ${size} genes of the dataset ${datasetName}${mapped}, expressed or not`;
    case 'library':
      return `the ${size} genes of any set of ${library.title}${outside}`;
    case 'own':
      return `the ${size} genes${mapped} of a list of your own${outside}`;
  }
}

/** Adjusted p up to which a set counts as significant. */
const significanceThreshold = 0.05;
/** Minimum number of sets passed to the figure: the most bars that it draws. */
const maxBars = 50;

interface BarOutcome {
  result: RankedSets;
  library: Pick<LibraryHead, 'title'>;
  background: { choice: Pick<BackgroundChoice, 'kind'> };
  parameters: { minimum_overlap: number };
}

const genesOf: Readonly<Record<BackgroundChoice['kind'], string>> = {
  expressed: 'expressed genes',
  dataset: 'genes of the dataset',
  library: 'genes of the library',
  own: 'genes of an own background',
};

/**
 * The reported sets that the figure draws or counts as significant, under the library's title. The thousands
 * of others are left out: as objects they take longer to reach the thread than the figure takes to draw.
 */
export function enrichmentBarInput(
  { result: sets, library, background, parameters }: BarOutcome,
  cautions: readonly Caution[],
): InputValues['enrichment'] {
  const { adjustedPValues, queryGenes, backgroundSize } = sets;
  const order = reportedRows(sets, parameters.minimum_overlap);
  // Adjusted p-values rise along the order, so that those up to the threshold are at its start.
  let count = Math.min(maxBars, order.length);
  while (count < order.length && adjustedPValues[order[count]!]! <= significanceThreshold) count++;
  return {
    title: 'Gene set enrichment',
    subtitle: `${library.title} · ${countText(queryGenes.length)} of ${countText(backgroundSize)} ${genesOf[background.choice.kind]}`,
    threshold: significanceThreshold,
    termCount: sets.order.length,
    minimumOverlap: parameters.minimum_overlap,
    cautions: resultNotes(cautions).warnings,
    terms: Array.from(order.subarray(0, count), (row) => ({
      term: sets.terms[row]!,
      adjustedP: adjustedPValues[row]!,
      logP: sets.logPValues[row]!,
      overlap: overlapOf(sets, row),
      combinedScore: finiteCombinedScore(sets, row),
    })),
  };
}

/**
 * Computed from the logarithm of the p-value, so that it stays finite when the p-value underflows to 0 and gseapy has
 * inf.
 */
function finiteCombinedScore({ logPValues, oddsRatios }: RankedSets, row: number): number {
  // Not −0 where the p-value is 1.
  return logPValues[row] === 0 ? 0 : -logPValues[row]! * oddsRatios[row]!;
}

export function overlapOf({ overlapStarts, setSizes }: RankedSets, row: number): string {
  return `${overlapStarts[row + 1]! - overlapStarts[row]!}/${setSizes[row]!}`;
}

/** Below this many matched genes, one gene more or less decides significance. */
const fewGenes = 10;
/** A smaller background is that of a panel, chosen for a purpose that its sets share. */
const smallBackground = 1000;

/** Keeps a file with thousands of odd lines from hiding the other cautions. */
const maxLibraryWarnings = 5;

export function enrichmentCautions(outcome: PathwayResult, manifest: DatasetManifest): Caution[] {
  return [
    ...aboutBackground(outcome, manifest),
    ...libraryCautions(outcome),
    ...aboutGenes(outcome),
    aboutSets(outcome),
  ];
}

export function libraryCautions(tested: Pick<PathwayResult, 'background' | 'library'>): Caution[] {
  const { library } = tested;
  return [
    ...aboutSpecies(tested),
    ...otherNameCautions(library.renamed, 'the library'),
    ...aboutLibrary(tested),
  ];
}

function aboutBackground(outcome: PathwayResult, manifest: DatasetManifest): Caution[] {
  const { result, background, library } = outcome;
  const { choice, activeCells, datasetGenes, requiredCells, expressedGenes } = background;
  const size = result.backgroundSize;
  const cautions: Caution[] = [
    {
      code: 'background',
      message: `${describeBackground(outcome, manifest.catalogue.name)}.`,
      numbers: {
        kind: choice.kind,
        genes: size,
        datasetGenes,
        activeCells,
        ...(requiredCells !== undefined && { requiredCells }),
        notInDataset: library.notInDataset,
      },
    },
  ];
  if (expressedGenes !== undefined && expressedGenes < datasetGenes) {
    cautions.push({
      code: 'dataset-background',
      message: `The background is every gene of the file (${countText(datasetGenes)}), of which ${countText(expressedGenes)} are expressed in at least 1 % of all cells. Even random lists of expressed genes look significant: choose the expressed genes.`,
      numbers: { datasetGenes, expressedGenes },
    });
  }
  if (choice.kind === 'expressed' && manifest.expression.state === 'scaled') {
    cautions.push({
      code: 'scaled-values',
      message: `The values are scaled: above 0 means above the mean, so the ${countText(size)} genes of the background are not the expressed ones. Use a background of your own.`,
      numbers: { genes: size },
    });
  }
  if (size < smallBackground) {
    cautions.push({
      code: 'small-background',
      message: `The background has ${countText(size)} genes only, as in a targeted panel. Enrichment is relative to the panel.`,
      numbers: { genes: size, smallBelow: smallBackground },
    });
  }
  return cautions;
}

function aboutSpecies({
  background: { species },
  library,
}: Pick<PathwayResult, 'background' | 'library'>): Caution[] {
  const { orthologues, species: theirs } = library;
  if (orthologues) {
    const { from, to, table, licence, mapped, unmapped, merged } = orthologues;
    return [
      {
        code: 'species-mapped',
        message: `The genes are of ${from}, those of the library of ${to}: ${countText(mapped)} were mapped to their orthologues by ${table} (licence: ${licence}), ${countText(unmapped)} without one were left out. Of several orthologues the one of the same name counts, else the first of the table; ${countText(merged)} genes that share their orthologue with another count as one with it.`,
        numbers: { from, to, table, licence, mapped, unmapped, merged },
      },
    ];
  }
  if (species.by === 'request') {
    return [
      {
        code: 'species-given',
        message: `The species ${species.species ?? ''} is that of the request, not detected. Genes were compared by name.`,
        numbers: { species: species.species ?? '' },
      },
    ];
  }
  const unknown = [
    ...(species.species === undefined ? ['dataset'] : []),
    ...(theirs.species === undefined ? ['library'] : []),
  ];
  if (unknown.length === 0) return [];
  return [
    {
      code: 'species-unknown',
      message: `The gene names do not identify the species of the ${unknown.join(' and of the ')}, so genes were compared by name: check that both species are the same.`,
      numbers: { unknown },
    },
  ];
}

function aboutLibrary({ library }: Pick<PathwayResult, 'library'>): Caution[] {
  const cautions: Caution[] = library.warnings
    .slice(0, maxLibraryWarnings)
    .map((message) => ({ code: 'library', message }));
  const more = library.warnings.length - maxLibraryWarnings;
  if (more > 0) {
    cautions.push({
      code: 'library',
      message: `The file of the library has ${countText(more)} more problems of this kind.`,
      numbers: { more },
    });
  }
  return cautions;
}

function aboutGenes({ result }: PathwayResult): Caution[] {
  const cautions: Caution[] = otherNameCautions(result.renamed, 'the list');
  const { notInDataset, onlyNotInBackground } = leftOut(result);
  const matchCount = result.queryGenes.length;
  const total = matchCount + result.notInBackground.length;
  if (notInDataset.length > 0) {
    cautions.push({
      code: 'genes-not-found',
      message: `${ofGenes(notInDataset.length, total)} not in the dataset and left out: ${listedNames(notInDataset)}. Check their names.`,
      numbers: { genes: notInDataset.length, given: total },
    });
  }
  if (onlyNotInBackground.length > 0) {
    cautions.push({
      code: 'genes-not-in-background',
      message: `${ofGenes(onlyNotInBackground.length, total)} in the dataset but not in the background, and left out: ${listedNames(onlyNotInBackground)}. Check the background.`,
      numbers: { genes: onlyNotInBackground.length, given: total },
    });
  }
  if (matchCount < fewGenes) {
    cautions.push({
      code: 'few-genes',
      message: `Only ${plural(matchCount, 'gene')} of the list ${pluralWord(matchCount, 'was', 'were')} tested, fewer than ${fewGenes}: a single gene can change what is significant. Use a longer list.`,
      numbers: { genes: matchCount, fewBelow: fewGenes },
    });
  }
  return cautions;
}

function aboutSets(outcome: PathwayResult): Caution {
  const { library, dropped, shrunk, tested, below_minimum_overlap: below } = setCounts(outcome);
  const minimum = outcome.parameters.minimum_overlap;
  const { order, overlapStarts, adjustedPValues } = outcome.result;
  const belowSignificant = order.filter(
    (row) =>
      overlapStarts[row + 1]! - overlapStarts[row]! < minimum &&
      adjustedPValues[row]! <= significanceThreshold,
  ).length;
  const hidden =
    below === 0
      ? ''
      : ` ${countText(below)} of them share fewer than ${minimum} and are not reported, ${countText(belowSignificant)} of these with an adjusted p of at most ${significanceThreshold}; they count in the adjustment.`;
  return {
    code: 'sets',
    message: `Of the ${countText(library)} sets of the library, ${countText(dropped)} have no gene in the background and ${countText(shrunk)} lost some of their genes. The p-values are adjusted (Benjamini-Hochberg) over the ${countText(tested)} sets that share a gene with the list.${hidden}`,
    numbers: {
      library,
      dropped,
      shrunk,
      tested,
      belowMinimumOverlap: below,
      belowSignificant,
      minimumOverlap: minimum,
    },
  };
}

function ofGenes(count: number, total: number): string {
  return `${countText(count)} of the ${countText(total)} genes of the list ${pluralWord(count, 'is', 'are')}`;
}
