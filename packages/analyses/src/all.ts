import { coExpression } from './co-expression/declare.ts';
import { composition } from './composition/declare.ts';
import { deciles } from './deciles/declare.ts';
import type { Declaration } from './declare.ts';

/** All analyses; the files of their folders are found by id. */
export const declarations: readonly Declaration[] = [deciles, coExpression, composition];

export { composition, type CompositionFigure, type CompositionRequest } from './composition/declare.ts';
export { coExpression, type CoExpressionFigure, type CoExpressionRequest } from './co-expression/declare.ts';
export { deciles, type EndsRecord } from './deciles/declare.ts';
export {
  answerFields,
  type Column,
  type Declaration,
  type Fact,
  type FactTable,
  type NextQuestion,
  type OfferedFigure,
} from './declare.ts';
export { field, type FieldForm, type FieldNote, type FieldNotes, formOf } from './form.ts';
export { type DatasetSpecies, type GeneNote, isRefusedList, type OfferedList, speciesNote } from './lists.ts';
export {
  columnKinds,
  covariatesText,
  type DatasetFacts,
  degreesText,
  designValues,
  falseShare,
  graph,
  graphText,
  leftOutSums,
  leftOutText,
  nameOfB,
  nestedSamplesText,
  sampleChoice,
  type SampleChoice,
  sampleSum,
  sumsProblem,
} from './fields.ts';
