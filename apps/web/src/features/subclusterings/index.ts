export { ParentCrumb, PartOf } from './part-of.tsx';
export { SubclusteringsPanel } from './subclusterings-panel.tsx';
