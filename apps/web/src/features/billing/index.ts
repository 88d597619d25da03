export { isProfessional, subscriptionKey, useSubscription } from './subscription.ts';
export type { Subscription } from './subscription.ts';
export { useCustomerPortal } from './payment-pages.ts';
