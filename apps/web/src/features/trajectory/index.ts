export { GroupField } from './group-field.tsx';
export { trajectoryAnalysis } from './trajectory-analysis.tsx';
export { CurveGenesField, OrderFields } from './trajectory-fields.tsx';
export {
  genesOf,
  genesProblem,
  isOrderComplete,
  orderGraphText,
  orderDefaults,
  type OrderForm,
  orderOf,
} from './trajectory-form.ts';
