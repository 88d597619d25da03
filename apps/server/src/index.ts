// Used by benchmarks and the conformance suite.
export { productFunctions } from './boot/functions.ts';
export { callerOfApiKey } from './features/accounts/index.ts';
export { setPlan, subscriptionOf } from './features/billing/index.ts';
export { createRandom } from './features/demo/index.ts';
export { listUsage, type UserFileLimits } from './features/quotas/index.ts';
export { userFileBuckets } from './features/uploads/index.ts';
