export { CovariatesField } from './covariates-field.tsx';
export { SidesField } from './sides-field.tsx';
