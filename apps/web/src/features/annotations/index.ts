export {
  type AnnotationAtHand,
  annotationCalls,
  annotationsOf,
  lostColumns,
  takeLinkLabels,
  useAnnotationAtHand,
  useAnnotations,
  useLostColumns,
  useOwnColumns,
} from './annotation-calls.ts';
export { AnnotationGroupsButton } from './annotation-groups-button.tsx';
export { AnnotationsPanel } from './annotations-panel.tsx';
export { useCalledTerms } from './called-terms.ts';
export { KeepNumbers } from './keep-numbers.tsx';
export { LabelSelection } from './label-selection.tsx';
export { TermSearch } from './term-search.tsx';
