import { composition } from './composition/declare.ts';
import type { Declaration } from './declare.ts';

/** All analyses; the files of their folders are found by id. */
export const declarations: readonly Declaration[] = [composition];

export { composition, type CompositionFigure, type CompositionRequest } from './composition/declare.ts';
export type { Column, DatasetFacts, Declaration } from './declare.ts';
export { type FieldForm, type FieldNote, type FieldNotes, formOf } from './form.ts';
export {
  columnKinds,
  covariatesText,
  degreesText,
  designValues,
  falseShare,
  leftOutSums,
  leftOutText,
  nameOfB,
  nestedSamplesText,
  sampleChoice,
  type SampleChoice,
  sampleSum,
} from './fields.ts';
