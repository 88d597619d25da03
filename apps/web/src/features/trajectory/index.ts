export { GraphField } from './graph-field.tsx';
export { GroupField } from './group-field.tsx';
export { trajectoryAnalysis } from './trajectory-analysis.tsx';
export { CurveGenesField, OrderFields } from './trajectory-fields.tsx';
export {
  graphField,
  genesOf,
  genesProblem,
  graphText,
  isOrderComplete,
  orderGraphText,
  orderDefaults,
  type OrderForm,
  orderOf,
} from './trajectory-form.ts';
