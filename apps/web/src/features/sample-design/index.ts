export { CovariatesField, covariatesOf, numericCovariatesOf } from './covariates-field.tsx';
export { SidesField } from './sides-field.tsx';
