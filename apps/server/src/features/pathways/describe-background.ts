import { countText } from '@cellfolio/model';
import type { PathwayResult } from './enrichment-tests.ts';

/** The background in words, without a full stop. */
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
      return `the ${size} genes of any set of ${library.name}${outside}`;
    case 'own':
      return `the ${size} genes${mapped} of a list of your own${outside}`;
  }
}
