import { Stripe } from 'stripe';
import type { StripeSettings } from '../../runtime/functions/functions-settings.ts';
import { FunctionError } from '@cellfolio/platform';

const timeoutMs = 20_000;

export function createStripe({ secretKey, apiUrl }: Pick<StripeSettings, 'secretKey' | 'apiUrl'>): Stripe {
  const other = apiUrl === undefined ? undefined : new URL(apiUrl);
  return new Stripe(secretKey, {
    timeout: timeoutMs,
    maxNetworkRetries: 1,
    telemetry: false,
    ...(other && {
      protocol: other.protocol === 'http:' ? ('http' as const) : ('https' as const),
      host: other.hostname,
      port: other.port || (other.protocol === 'http:' ? 80 : 443),
    }),
  });
}

/** Converts an error of the Stripe client to one that reveals nothing about keys and accounts. */
export function stripeFailure(cause: unknown): FunctionError {
  if (cause instanceof Stripe.errors.StripeRateLimitError) {
    const message = 'The payment provider is busy. Please try again in a moment.';
    return new FunctionError(503, 'payment_provider_busy', message, { cause, retryAfterSeconds: 5 });
  }
  if (cause instanceof Stripe.errors.StripeConnectionError) {
    const message = 'The payment provider cannot be reached. Please try again in a moment.';
    return new FunctionError(502, 'payment_provider_unreachable', message, { cause });
  }
  const message = 'The payment provider did not accept the request. Please contact us.';
  return new FunctionError(502, 'payment_provider_refused', message, { cause });
}

/**
 * Whether Stripe reports that the requested object is missing; with `param`, that this parameter of the request is the
 * missing one.
 */
export function isMissing(error: unknown, param?: string): boolean {
  if (!(error instanceof Stripe.errors.StripeError)) return false;
  if (error.code !== 'resource_missing' && error.statusCode !== 404) return false;
  return param === undefined || error.param === param;
}
