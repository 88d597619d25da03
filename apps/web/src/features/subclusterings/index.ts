export { ParentCrumb, ParentWarnings, PartOf } from './part-of.tsx';
export { SubclusteringsPanel } from './subclusterings-panel.tsx';
