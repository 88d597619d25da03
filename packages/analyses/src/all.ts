import { cellTypes } from './cell-types/declare.ts';
import { coExpression } from './co-expression/declare.ts';
import { composition } from './composition/declare.ts';
import { comparison } from './comparison/declare.ts';
import { deciles } from './deciles/declare.ts';
import { ligandReceptor } from './ligand-receptor/declare.ts';
import { pathway } from './pathway/declare.ts';
import { rankedEnrichment } from './ranked-enrichment/declare.ts';
import { markers } from './markers/declare.ts';
import { perturbations } from './perturbations/declare.ts';
import type { Declaration } from './declare.ts';
import { gradient } from './gradient/declare.ts';
import { trajectory } from './trajectory/declare.ts';

/** All analyses; the files of their folders are found by id. */
export const declarations: readonly Declaration[] = [
  comparison,
  pathway,
  markers,
  gradient,
  ligandReceptor,
  deciles,
  trajectory,
  coExpression,
  composition,
  rankedEnrichment,
  cellTypes,
  perturbations,
];

export {
  type GeneSetOrigin,
  geneSetAttribution,
  geneSetLibrary,
  geneSetOrigin,
  plainLibraryName,
  plainLibraryNames,
  enrichmentOf,
  libraryNote,
} from './gene-sets.ts';
export { composition, type CompositionFigure, type CompositionRequest } from './composition/declare.ts';
export {
  abridgedMarkers,
  allUnclear,
  cellTypes,
  type CellTypesFigure,
  type CellTypesRequest,
  type GroupSuggestion,
  maxOwnMarkersLength,
  suggestedText,
  type TypeEvidence,
} from './cell-types/declare.ts';
export { coExpression, type CoExpressionFigure, type CoExpressionRequest } from './co-expression/declare.ts';
export {
  abridgedPairs,
  ligandReceptor,
  type LigandReceptorFigure,
  type LigandReceptorRequest,
  maxOwnPairsLength,
} from './ligand-receptor/declare.ts';
export { markers, type MarkersFigure, type MarkersRequest } from './markers/declare.ts';
export { pathway, type PathwayFigure, type PathwayRequest, type PathwayTerm } from './pathway/declare.ts';
export {
  type ComparedGenes,
  type ComparedResult,
  type PseudobulkResult,
  refusedParts,
} from './compared-genes.ts';
export { comparison, type ComparisonRequest } from './comparison/declare.ts';
export { gradient, type GradientFigure, type GradientRequest } from './gradient/declare.ts';
export { trajectory, type TrajectoryFigure, type TrajectoryRequest } from './trajectory/declare.ts';
export { type AxisBins, countedP, type GeneAlong } from './axis/fields.ts';
export {
  limits as screenLimits,
  perturbations,
  type PerturbationsFigure,
  type PerturbationsRequest,
} from './perturbations/declare.ts';
export {
  comparisonText,
  rankedEnrichment,
  type RankedEnrichmentFigure,
  type RankedEnrichmentRequest,
  type RankedSet,
} from './ranked-enrichment/declare.ts';
export { deciles, type EndsRecord } from './deciles/declare.ts';
export {
  analysisTasks,
  type AnalysisTask,
  type ColumnCounts,
  answerFields,
  type CodedTexts,
  type Column,
  type Declaration,
  type Fact,
  type FactTable,
  type NameList,
  type NextQuestion,
  type OfferedFigure,
} from './declare.ts';
export {
  field,
  type FieldForm,
  type FieldNote,
  type FieldNotes,
  formFields,
  formOf,
  kindsOf,
  type ListFields,
  listFields,
  unwrapped,
} from './form.ts';
export { type DatasetSpecies, type GeneNote, isRefusedList, type OfferedList, speciesNote } from './lists.ts';
export {
  type ListHead,
  listText,
  listWords,
  markerSet,
  type MarkerSet,
  pairSet,
  type PairSet,
} from './reference-lists.ts';
export {
  columnKinds,
  covariatesText,
  type DatasetFacts,
  degreesText,
  groupColumns,
  designValues,
  falseShare,
  graph,
  graphText,
  leftOutSums,
  leftOutText,
  nameOfB,
  nestedSamplesText,
  pValuesAtBoundText,
  sampleChoice,
  type SampleChoice,
  sampleSum,
  sumsProblem,
  unusualTestText,
} from './fields.ts';
export { areSidesOfTypes, chosenTypes } from './type-sides.ts';
