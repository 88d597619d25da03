import { coExpression } from './co-expression/declare.ts';
import { composition } from './composition/declare.ts';
import type { Declaration } from './declare.ts';

/** All analyses; the files of their folders are found by id. */
export const declarations: readonly Declaration[] = [coExpression, composition];

export { composition, type CompositionFigure, type CompositionRequest } from './composition/declare.ts';
export { coExpression, type CoExpressionFigure, type CoExpressionRequest } from './co-expression/declare.ts';
export {
  answerFields,
  type Column,
  type DatasetFacts,
  type Declaration,
  type FactTable,
  type NextQuestion,
  type OfferedFigure,
} from './declare.ts';
export { type FieldForm, type FieldNote, type FieldNotes, formOf } from './form.ts';
export {
  columnKinds,
  covariatesText,
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
} from './fields.ts';
