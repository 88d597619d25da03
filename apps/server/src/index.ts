// What benchmarks and the conformance suite use of the server.
export { productFunctions } from './boot/functions.ts';
export { callerOfApiKey } from './features/accounts/index.ts';
export { setPlan, subscriptionOf } from './features/billing/index.ts';
export { listUsage } from './features/quotas/index.ts';
export { userFileBuckets, type UserFileLimits } from './features/uploads/index.ts';
