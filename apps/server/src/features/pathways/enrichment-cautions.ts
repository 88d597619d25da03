import { countText, type Caution } from '@cellfolio/model';
import type { DatasetManifest } from '@cellfolio/store';
import { listedNames } from '../../runtime/listed-names.ts';
import { describeBackground } from './describe-background.ts';
import { significanceThreshold } from './enrichment-bar-input.ts';
import type { PathwayResult } from './enrichment-tests.ts';
import { leftOut, setCounts } from './left-out.ts';

/** Below this many found genes one gene more or less decides what is significant. */
const fewGenes = 10;
/** Below it a background is that of a panel, chosen for a purpose that its sets share. */
const smallBackground = 1000;

/** A file of thousands of odd lines does not push out what else is to be known. */
const mostLibraryWarnings = 5;

/** What a careful reader has to know of an enrichment, what it was tested against first. */
export function enrichmentCautions(outcome: PathwayResult, manifest: DatasetManifest): Caution[] {
  return [
    ...aboutBackground(outcome, manifest),
    ...aboutSpecies(outcome),
    ...aboutLibrary(outcome),
    ...aboutGenes(outcome),
    aboutSets(outcome),
  ];
}

function aboutBackground(outcome: PathwayResult, manifest: DatasetManifest): Caution[] {
  const { result, background, library } = outcome;
  const { choice, activeCells, datasetGenes, requiredCells, expressedGenes } = background;
  const size = result.backgroundSize;
  const cautions: Caution[] = [
    {
      code: 'background',
      message: `Background: ${describeBackground(outcome, manifest.catalogue.name)}.`,
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
      message: `The background is every gene of the file (${countText(datasetGenes)}), of which ${countText(expressedGenes)} are expressed in at least 1 % (and three) of all cells. Genes that no cell expresses cannot be in a list of expressed genes, so even random lists look significant; choose the expressed genes.`,
      numbers: { datasetGenes, expressedGenes },
    });
  }
  if (choice.kind === 'expressed' && manifest.expression.state === 'scaled') {
    cautions.push({
      code: 'scaled-values',
      message: `The values of this dataset are scaled: a value above 0 means above the mean, so the ${countText(size)} genes of the background are not the expressed ones. Use a background of your own.`,
      numbers: { genes: size },
    });
  }
  if (size < smallBackground) {
    cautions.push({
      code: 'small-background',
      message: `The background has ${countText(size)} genes only, fewer than ${countText(smallBackground)}: as of a panel, whose genes were chosen for what they do. Sets are compared with those alone.`,
      numbers: { genes: size, smallBelow: smallBackground },
    });
  }
  return cautions;
}

function aboutSpecies({ background: { species }, library }: PathwayResult): Caution[] {
  const { orthologues, species: theirs } = library;
  if (orthologues) {
    const { from, to, table, mapped, unmapped, merged } = orthologues;
    return [
      {
        code: 'species-mapped',
        message: `The genes are of ${from}, those of the library of ${to}: ${countText(mapped)} were mapped to their orthologues by the table ${table}, ${countText(unmapped)} without one were left out. Of several orthologues the one of the same name counts, else the first of the table; ${countText(merged)} genes that share their orthologue with another count as one with it.`,
        numbers: { from, to, table, mapped, unmapped, merged },
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
      message: `The names of the genes do not tell the species of the ${unknown.join(' and of the ')}, so genes were compared by name: check that both are of the same species.`,
      numbers: { unknown },
    },
  ];
}

function aboutLibrary({ library }: PathwayResult): Caution[] {
  const cautions: Caution[] = library.warnings
    .slice(0, mostLibraryWarnings)
    .map((message) => ({ code: 'library', message }));
  const more = library.warnings.length - mostLibraryWarnings;
  if (more > 0) {
    cautions.push({
      code: 'library',
      message: `There are ${countText(more)} more remarks of this kind on the file of the library.`,
      numbers: { more },
    });
  }
  if (library.source === 'starter') {
    cautions.push({
      code: 'starter-library',
      message: `${library.name} has not been fetched, so ${library.setCount} abridged sets stand in for it. They are good for a first look, not for a paper.`,
      numbers: { sets: library.setCount },
    });
  }
  return cautions;
}

function aboutGenes({ result }: PathwayResult): Caution[] {
  const cautions: Caution[] = [];
  const { notInDataset, onlyNotInBackground } = leftOut(result);
  const found = result.queryGenes.length;
  const given = found + result.notInBackground.length;
  if (notInDataset.length > 0) {
    cautions.push({
      code: 'genes-not-found',
      message: `${ofGenes(notInDataset.length, given)} not in the dataset and left out: ${listedNames(notInDataset)}.`,
      numbers: { genes: notInDataset.length, given },
    });
  }
  if (onlyNotInBackground.length > 0) {
    cautions.push({
      code: 'genes-not-in-background',
      message: `${ofGenes(onlyNotInBackground.length, given)} in the dataset but not in the background, and left out: ${listedNames(onlyNotInBackground)}.`,
      numbers: { genes: onlyNotInBackground.length, given },
    });
  }
  if (found < fewGenes) {
    cautions.push({
      code: 'few-genes',
      message: `Only ${found} ${found === 1 ? 'gene' : 'genes'} of the list ${found === 1 ? 'was' : 'were'} tested, fewer than ${fewGenes}: one gene more or less decides what is significant.`,
      numbers: { genes: found, fewBelow: fewGenes },
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

function ofGenes(count: number, given: number): string {
  return `${countText(count)} of the ${countText(given)} genes of the list ${count === 1 ? 'is' : 'are'}`;
}
