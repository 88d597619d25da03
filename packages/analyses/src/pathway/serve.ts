import { countText, listedNames, type ResultCaution } from '@cellfolio/model';
import type { Context, DatasetLibrary } from '../context.ts';
import type { CodedCaution } from '../declare.ts';
import { serve } from '../serve.ts';
import type { RankedSets, steps } from './compute.ts';
import {
  fewGenes,
  pathway,
  type PathwayRequest,
  type PathwayResult as Result,
  significanceThreshold,
  smallBackground,
} from './declare.ts';

/** Minimum number of sets passed to the figure: the most bars that it draws. */
const maxBars = 50;

export const analysis = serve(pathway, {
  async run(request, context: Context<typeof steps>) {
    const library = await context.library(request);
    const { compiled, background, key } = library;
    const sets = await context.compute(
      'enrich',
      { compiled, background, backgroundKey: key, genes: request.pathway_genes },
      { isLong: true },
    );
    if (sets.queryGenes.length === 0) return refuseGenes(sets, library, context);
    const missing = new Set(sets.notInDataset);
    const outside = sets.notInBackground.filter((gene) => !missing.has(gene));
    const reported = reportedRows(sets, request.minimum_overlap);
    const { dropped, shrunk, starts } = compiled;
    const tested = sets.order.length;
    const result: Result = {
      library: library.origin,
      background: backgroundOf(request, sets, library, context.dataset.name),
      species: {
        dataset: speciesOf(library.datasetSpecies),
        library: speciesOf(library.species),
        orthologues: library.orthologues ?? null,
      },
      sets: {
        library: starts.length - 1 + dropped,
        dropped,
        shrunk,
        tested,
        below_minimum_overlap: tested - reported.length,
        reported: reported.length,
      },
      minimum_overlap: request.minimum_overlap,
      found_genes: [...sets.queryGenes],
      not_found_genes: [...sets.notInDataset],
      not_in_background_genes: outside,
    };
    return {
      request,
      result,
      table: tableOf(sets, reported, library.origin.title),
      cautions: [
        ...aboutBackground(result.background, library, context),
        ...library.cautions,
        ...context.otherNameCautions(sets.renamed, 'the list'),
        ...aboutGenes(result),
        aboutSets(result, sets),
      ],
      drawing: {
        title: 'Gene set enrichment',
        subtitle: `${library.origin.title} · ${countText(sets.queryGenes.length)} of ${countText(sets.backgroundSize)} ${genesOf[library.chosen.kind]}`,
        threshold: significanceThreshold,
        termCount: tested,
        minimumOverlap: request.minimum_overlap,
        terms: termsOf(sets, reported),
      },
    };
  },
  facts: () => [],
});

type Cautions = (CodedCaution<(typeof pathway)['cautions']> | ResultCaution)[];

const genesOf: Readonly<Record<DatasetLibrary['chosen']['kind'], string>> = {
  expressed: 'expressed genes',
  dataset: 'genes of the dataset',
  library: 'genes of the library',
  own: 'genes of an own background',
};

function refuseGenes(
  { notInBackground, notInDataset }: RankedSets,
  { orthologues }: DatasetLibrary,
  context: Context,
): never {
  if (notInDataset.length === notInBackground.length) return context.refuseGenes('the list', notInBackground);
  const there = notInBackground.filter((gene) => !notInDataset.includes(gene));
  const advice = orthologues
    ? "They are not expressed, or have no ortholog in the library's species: use more genes, or a library of the dataset's species."
    : 'Lower the thresholds of the background, or choose another one.';
  return context.refuse(
    'no_genes_in_background',
    `None of the genes of the list is in the background, though the dataset has ${there.length === 1 ? 'one' : countText(there.length)} of them: ${listedNames(there)}. ${advice}`,
    { not_found_genes: notInDataset, not_in_background_genes: there },
  );
}

function reportedRows({ order, overlapStarts }: RankedSets, minimumOverlap: number): Int32Array {
  return order.filter((row) => overlapStarts[row + 1]! - overlapStarts[row]! >= minimumOverlap);
}

function speciesOf({ species, by, matching, looked }: DatasetLibrary['datasetSpecies']) {
  return { species: species ?? null, by, matching, looked };
}

function backgroundOf(
  { background }: PathwayRequest,
  { backgroundSize }: RankedSets,
  library: DatasetLibrary,
  datasetName: string,
): Result['background'] {
  const { kind, activeCells, datasetGenes, requiredCells } = library.chosen;
  return {
    kind,
    gene_count: backgroundSize,
    description: descriptionOf(backgroundSize, library, datasetName),
    ...(background.kind === 'expressed' && {
      minimum_share: background.minimum_share,
      minimum_cells: background.minimum_cells,
    }),
    ...(requiredCells !== undefined && { required_cells: requiredCells }),
    active_cells: activeCells,
    dataset_gene_count: datasetGenes,
  };
}

function descriptionOf(backgroundSize: number, library: DatasetLibrary, datasetName: string): string {
  const size = countText(backgroundSize);
  const { kind, datasetGenes, activeCells, requiredCells = 0 } = library.chosen;
  const mapped = library.orthologues ? ' with an ortholog' : '';
  const outside =
    library.notInDataset > 0 ? `, ${countText(library.notInDataset)} of which the dataset lacks` : '';
  switch (kind) {
    case 'expressed':
      return `The ${size} of ${countText(datasetGenes)} genes of ${datasetName}${mapped} that at least ${countText(requiredCells)} of the ${countText(activeCells)} active cells express (a value above 0)`;
    case 'dataset':
      return `The ${size} genes of the dataset ${datasetName}${mapped}, expressed or not`;
    case 'library':
      return `The ${size} genes of any set of ${library.origin.title}${outside}`;
    case 'own':
      return `The ${size} genes${mapped} of a list of your own${outside}`;
  }
}

/** gseapy's columns. */
function tableOf(sets: RankedSets, reported: Int32Array, title: string) {
  const all = <Value>(valueOf: (row: number) => Value) => Array.from(reported, valueOf);
  return {
    Gene_set: all(() => title),
    Term: all((row) => sets.terms[row]!),
    Overlap: all((row) => overlapOf(sets, row)),
    'P-value': all((row) => sets.pValues[row]!),
    'Adjusted P-value': all((row) => sets.adjustedPValues[row]!),
    'Odds Ratio': all((row) => sets.oddsRatios[row]!),
    'Combined Score': all((row) => sets.combinedScores[row]!),
    Genes: all((row) => overlapGenes(sets, row)),
  };
}

function overlapOf({ overlapStarts, setSizes }: RankedSets, row: number): string {
  return `${overlapStarts[row + 1]! - overlapStarts[row]!}/${setSizes[row]!}`;
}

function overlapGenes({ overlapStarts, overlaps, queryGenes }: RankedSets, row: number): string {
  const places = overlaps.subarray(overlapStarts[row], overlapStarts[row + 1]);
  return Array.from(places, (place) => queryGenes[place]!).join(';');
}

/** The sets that the figure draws or counts: as objects, thousands of others take longer to post than it takes to draw. */
function termsOf(sets: RankedSets, reported: Int32Array) {
  const { adjustedPValues, logPValues, oddsRatios } = sets;
  // Adjusted p-values rise along the order, so that those up to the threshold are at its start.
  let count = Math.min(maxBars, reported.length);
  while (count < reported.length && adjustedPValues[reported[count]!]! <= significanceThreshold) count++;
  return Array.from(reported.subarray(0, count), (row) => ({
    term: sets.terms[row]!,
    adjustedP: adjustedPValues[row]!,
    logP: logPValues[row]!,
    overlap: overlapOf(sets, row),
    // Not −0 where the p-value is 1.
    combinedScore: logPValues[row] === 0 ? 0 : -logPValues[row]! * oddsRatios[row]!,
  }));
}

function aboutBackground(
  { kind, gene_count: size }: Result['background'],
  { chosen, notInDataset }: DatasetLibrary,
  { dataset }: Pick<Context, 'dataset'>,
): Cautions {
  const { datasetGenes, activeCells, requiredCells, expressedGenes } = chosen;
  const cautions: Cautions = [
    {
      code: 'background',
      numbers: {
        kind,
        genes: size,
        datasetGenes,
        activeCells,
        ...(requiredCells !== undefined && { requiredCells }),
        notInDataset,
      },
    },
  ];
  if (expressedGenes !== undefined && expressedGenes < datasetGenes) {
    cautions.push({ code: 'dataset-background', numbers: { datasetGenes, expressedGenes } });
  }
  if (kind === 'expressed' && dataset.expression.state === 'scaled') {
    cautions.push({ code: 'scaled-values', numbers: { genes: size } });
  }
  if (size < smallBackground) {
    cautions.push({ code: 'small-background', numbers: { genes: size, smallBelow: smallBackground } });
  }
  return cautions;
}

function aboutGenes(result: Result): Cautions {
  const { found_genes: matched, not_found_genes: missing, not_in_background_genes: outside } = result;
  const total = matched.length + missing.length + outside.length;
  const cautions: Cautions = [];
  if (missing.length > 0) {
    cautions.push({ code: 'genes-not-found', numbers: { genes: missing.length, given: total } });
  }
  if (outside.length > 0) {
    cautions.push({ code: 'genes-not-in-background', numbers: { genes: outside.length, given: total } });
  }
  if (matched.length < fewGenes) {
    cautions.push({ code: 'few-genes', numbers: { genes: matched.length, fewBelow: fewGenes } });
  }
  return cautions;
}

function aboutSets({ sets, minimum_overlap: minimum }: Result, tested: RankedSets): Cautions[number] {
  const { order, overlapStarts, adjustedPValues } = tested;
  const hidden = order.filter(
    (row) =>
      overlapStarts[row + 1]! - overlapStarts[row]! < minimum &&
      adjustedPValues[row]! <= significanceThreshold,
  );
  return {
    code: 'sets',
    numbers: {
      library: sets.library,
      dropped: sets.dropped,
      shrunk: sets.shrunk,
      tested: sets.tested,
      belowMinimumOverlap: sets.below_minimum_overlap,
      belowSignificant: hidden.length,
      minimumOverlap: minimum,
    },
  };
}
