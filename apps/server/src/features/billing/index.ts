export { paymentFunctions } from './payments.ts';
export { listUsers } from './subscription.ts';
export { setPlan, type Subscription, subscriptionOf, type Tier } from './subscription.ts';
