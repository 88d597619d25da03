export { ParentCrumb, PartOf } from './part-of.tsx';
export { SubMapsPanel } from './sub-maps-panel.tsx';
