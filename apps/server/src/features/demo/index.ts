export { demoAccounts, demoAccountsFile, type DemoAccounts } from './demo-accounts.ts';
export { demoDatasetIds, prepareDemoCatalogue } from './prepare-demo-catalogue.ts';
