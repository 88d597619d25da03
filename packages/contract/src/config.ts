import { z } from 'zod';

/** `GET /config.json`: what the web app must know before it can call anything. Nothing in it is secret. */
export const publicConfig = z.object({
  /** Base of `/auth/v1`, `/rest/v1`, `/storage/v1` and `/functions/v1`. */
  supabaseUrl: z.string(),
  publishableKey: z.string(),
  /** Base of `/api`. */
  analysisUrl: z.string(),
  /** Value of `X-API-Key` for the calls of the web app. */
  apiKey: z.string(),
  trialDays: z.number().int(),
  limits: z.object({
    /** Most genes that one plot call takes. */
    genesPerCall: z.number().int(),
  }),
  /** Accounts shown on the sign-in page of a loopback demo; absent otherwise. */
  demoAccounts: z.array(z.object({ tier: z.string(), email: z.string(), password: z.string() })).optional(),
  features: z.object({
    signUp: z.boolean(),
    upload: z.boolean(),
    aiAnalysis: z.boolean(),
    checkout: z.boolean(),
  }),
});
export type PublicConfig = z.infer<typeof publicConfig>;
