export { GroupField } from './group-field.tsx';
export { trajectoryAnalysis } from './trajectory-analysis.ts';
export { CurveGenesField, OrderFields } from './trajectory-fields.tsx';
export {
  genesOf,
  genesProblem,
  isOrderComplete,
  orderDefaults,
  type OrderForm,
  orderOf,
} from './trajectory-form.ts';
