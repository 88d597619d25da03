import { expect, test } from 'vitest';
import * as analysis from './index.ts';

test('the public names of the package are these', () => {
  expect(Object.keys(analysis).sort()).toEqual(
    [
      // Markers.
      'NotEnoughGroups',
      'TooManyGroups',
      'blockStatistics',
      'cellGroups',
      'groupMeans',
      'groupSeparation',
      'SampleSums',
      'passes',
      'rankGenes',
      'sampleChecks',
      'selectMarkers',
      'storedStatistics',
      'testedGroups',
      // Masks, scores and enrichment.
      'GeneBackground',
      'InvalidGmt',
      'InvalidPercentiles',
      'NoControlGenes',
      'NoExpressionMeans',
      'ScoreSum',
      'benjaminiHochberg',
      'blockMeans',
      'bySignificance',
      'categoryMask',
      'checkPercentiles',
      'compileLibrary',
      'geneSetColumns',
      'geneSetsOf',
      'geneHistogram',
      'genePercentileMask',
      'intersectMasks',
      'overRepresentation',
      'parseGmt',
      'readGmt',
      'planSignature',
      'presenceMask',
      'scoreHistogram',
      'scorePercentileMask',
      'signatureScores',
      // Species.
      'InvalidOrthologues',
      'countGeneIds',
      'detectSpecies',
      'knownSpecies',
      'parseOrthologues',
    ].sort(),
  );
});
