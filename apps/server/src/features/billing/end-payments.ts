import { type Database, FunctionError } from '@cellfolio/platform';
import type { FunctionsSettingsInput } from '../../runtime/functions/functions-settings.ts';
import { customerOfUser, paidTier } from './paid-subscriptions.ts';

/**
 * Ends what an account pays for, before the account is deleted. Deleting a customer at Stripe cancels all their
 * subscriptions at once, including one that no webhook has reported yet; Stripe keeps the invoices. Idempotent. Throws
 * FunctionError, in which case nothing was ended.
 */
export async function endPayments(
  database: Database,
  payments: FunctionsSettingsInput['payments'],
  userId: string,
): Promise<void> {
  const customer = await customerOfUser(database, userId);
  if (customer === undefined || payments?.kind === 'test') return;
  if (payments === undefined) {
    if (!(await paidTier(database, userId))) return;
    throw new FunctionError(
      503,
      'payments_not_configured',
      'A plan of this account is paid for, and this server is not set up to cancel it: nothing was deleted. Please contact us.',
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
      `Your subscription could not be cancelled, so nothing was deleted. ${message}`,
      {
        cause: error,
        retryAfterSeconds: 30,
      },
    );
  }
}
