export { BringLabels } from './bring-labels.tsx';
export { ParentCrumb, ParentWarnings, PartOf } from './part-of.tsx';
export { useSubclusterings } from './subclustering-calls.ts';
export { SubclusteringsPanel } from './subclusterings-panel.tsx';
