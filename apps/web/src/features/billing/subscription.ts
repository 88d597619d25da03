export type Tier = 'Standard' | 'Professional';

/** What is known of somebody's plan; field names as the service writes them. */
export interface Subscription {
  subscribed: boolean;
  subscription_tier: Tier | null;
  /** When the plan ends or renews, as ISO 8601; `null` where the service names no date. */
  subscription_end: string | null;
}

export const noSubscription: Subscription = {
  subscribed: false,
  subscription_tier: null,
  subscription_end: null,
};

/** The answer of check-subscription. What is not in the agreed form counts as not given; never throws. */
export function subscriptionOf(answer: unknown): Subscription {
  if (typeof answer !== 'object' || answer === null) return noSubscription;
  const given = answer as Partial<Record<keyof Subscription, unknown>>;
  const tier = given.subscription_tier;
  const end = given.subscription_end;
  return {
    subscribed: given.subscribed === true,
    subscription_tier: tier === 'Standard' || tier === 'Professional' ? tier : null,
    subscription_end: typeof end === 'string' && !Number.isNaN(Date.parse(end)) ? end : null,
  };
}

/** Whether a paid plan stands in for the trial. */
export function hasPlan({ subscribed, subscription_tier }: Subscription): boolean {
  return subscribed && subscription_tier !== null;
}

/** Uploads, own files and AI image analysis are for these alone. */
export function isProfessional({ subscribed, subscription_tier }: Subscription): boolean {
  return subscribed && subscription_tier === 'Professional';
}

const day = 24 * 60 * 60 * 1000;

/** When the trial of an account ends, in milliseconds since the epoch; `null` where its age is not known. */
export function trialEnd(createdAt: string | null, trialDays: number): number | null {
  const created = createdAt === null ? Number.NaN : Date.parse(createdAt);
  return Number.isNaN(created) ? null : created + trialDays * day;
}
