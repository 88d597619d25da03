export { demoAccounts, demoAccountsFile, type DemoAccounts } from './demo-accounts.ts';
export { createRandom } from '@cellfolio/analysis';
export { demoDatasetIds, prepareDemoCatalogue } from './prepare-demo-catalogue.ts';
