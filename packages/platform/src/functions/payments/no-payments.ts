import { FunctionError } from '../function-error.ts';
import type { Payments } from './payments.ts';

const unavailable = async (): Promise<never> => {
  throw new FunctionError(
    503,
    'payments_not_configured',
    'Plans cannot be bought on this server yet: payment is not set up. Please contact us.',
  );
};

/** An installation whose operator has named no payment provider. */
export const noPayments: Payments = { checkout: unavailable, portal: unavailable, routes: () => {} };
