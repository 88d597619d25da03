export { demoAccounts, demoAccountsFile, type DemoAccounts } from './demo-accounts.ts';
export { createRandom } from './random.ts';
export { demoDatasetIds, prepareDemoCatalogue } from './prepare-demo-catalogue.ts';
