import type { SmsSender } from '@cellfolio/platform';

const timeoutMs = 10_000;

/**
 * Hands text messages to the operator's gateway: POST of `{"to": "+41791234567", "text": "…"}`, with the token as
 * bearer where there is one. Throws where the gateway does not answer 2xx; the platform tries again then.
 */
export function webhookSms({ url, token }: { readonly url: string; readonly token?: string }): SmsSender {
  return {
    send: async ({ to, text }) => {
      const answer = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({ to: `+${to}`, text }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      await answer.body?.cancel();
      if (!answer.ok) throw new Error(`The gateway of SMS_WEBHOOK_URL answered ${answer.status}.`);
    },
  };
}
