export { endPayments } from './end-payments.ts';
export { paidTier } from './paid-subscriptions.ts';
export { paymentFunctions } from './payments.ts';
export { listUsers } from './subscription.ts';
export { setPlan, type Subscription, subscriptionOf, type Tier } from './subscription.ts';
