import { type Database, FunctionError } from '@cellfolio/platform';
import type { FunctionsSettingsInput } from '../../runtime/functions/functions-settings.ts';
import type { Owner } from '../../runtime/owners.ts';
import { customerOfOwner, paidTier } from './paid-subscriptions.ts';

/**
 * Ends what an owner pays for, before it is deleted. Deleting a customer at Stripe cancels all their
 * subscriptions at once, including one that no webhook has reported yet; Stripe keeps the invoices. Idempotent. Throws
 * FunctionError, in which case nothing was ended.
 */
export async function endPayments(
  database: Database,
  payments: FunctionsSettingsInput['payments'],
  owner: Owner,
): Promise<void> {
  const customer = await customerOfOwner(database, owner);
  if (customer === undefined || payments?.kind === 'test') return;
  if (payments === undefined) {
    if (!(await paidTier(database, owner))) return;
    throw new FunctionError(
      503,
      'payments_not_configured',
      'This account has a paid plan that this server cannot cancel, so nothing was deleted. Please contact us.',
    );
  }
  const { createStripe, isMissing, stripeFailure } = await import('./stripe-client.ts');
  try {
    await createStripe(payments).customers.del(customer);
  } catch (error) {
    if (isMissing(error)) return;
    const { status, code, message } = stripeFailure(error);
    throw new FunctionError(
      status,
      code,
      `Your subscription could not be canceled, so nothing was deleted. ${message}`,
      {
        cause: error,
        retryAfterSeconds: 30,
      },
    );
  }
}
