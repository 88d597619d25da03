import { modelPlanOnly } from '@cellfolio/assistant';
import type { PublicConfig } from '@cellfolio/contract';
import { isProfessional, useSubscription } from '@/features/billing/index.ts';
import { useServices } from '@/lib/services.ts';
import type { AskHost } from './ask-host.ts';

export type Model = NonNullable<PublicConfig['assistant']>;

/** The model that questions can go to, or what it would take. The server decides; calls that it would refuse are not made. */
export function useModelOffer({ model: hasModel }: Pick<AskHost, 'model'>): {
  model?: Model;
  refusal?: string;
} {
  const { assistant: model } = useServices().config;
  const subscription = useSubscription();
  if (model === undefined || hasModel === undefined) return {};
  const isOffered = isProfessional(subscription) || subscription.loading || subscription.failed;
  return isOffered ? { model } : { refusal: modelPlanOnly };
}

export function modelName({ provider, model }: Pick<Model, 'provider' | 'model'>): string {
  return `${model}, ${provider}`;
}
