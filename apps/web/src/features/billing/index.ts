export { subscriptionKey } from './subscription-query.ts';
export { isProfessional } from './subscription.ts';
export type { Subscription } from './subscription.ts';
export { useCustomerPortal } from './use-customer-portal.ts';
export { useSubscription } from './use-subscription.ts';
