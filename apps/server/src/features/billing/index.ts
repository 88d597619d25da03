export { paymentFunctions } from './payments.ts';
export { listUsers, type ListedUser } from './subscription.ts';
export { setPlan, type Subscription, subscriptionOf, type Tier } from './subscription.ts';
