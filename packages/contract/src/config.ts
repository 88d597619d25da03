import { z } from 'zod';

/** `GET /config.json`: settings that the web app needs before its first call. Contains no secrets. */
export const publicConfig = z
  .object({
    supabaseUrl: z.string().describe('Base of `/auth/v1`, `/rest/v1`, `/storage/v1` and `/functions/v1`.'),
    publishableKey: z.string(),
    analysisUrl: z.string().describe('Base of `/api`.'),
    apiKey: z.string().describe('Value of `X-API-Key` for the calls of the web app.'),
    trialDays: z.number().int(),
    limits: z.object({
      genesPerCall: z.number().int().describe('Most genes that one plot call takes.'),
    }),
    demoAccounts: z
      .array(z.object({ tier: z.string(), email: z.string(), password: z.string() }))
      .optional()
      .describe('Accounts shown on the sign-in page of a loopback demo; absent otherwise.'),
    demoDataset: z
      .string()
      .optional()
      .describe(
        'Id of the simulated dataset that visitors may explore without an account; absent otherwise.',
      ),
    assistant: z
      .object({ provider: z.string(), model: z.string(), host: z.string() })
      .optional()
      .describe(
        'The model that answers questions about a dataset, and the host that they are sent to; absent without one.',
      ),
    signIn: z
      .object({
        providers: z
          .array(z.object({ name: z.string(), label: z.string() }))
          .describe(
            'Where people may sign in from: `provider` of `/auth/v1/authorize`, and the text of its button.',
          ),
        anonymous: z.boolean(),
        phone: z.boolean().describe('Phone numbers may be a second step.'),
        authenticatorApps: z.boolean(),
        captcha: z
          .object({ provider: z.enum(['hcaptcha', 'turnstile']), siteKey: z.string() })
          .optional()
          .describe('The widget whose token signing up and signing in must carry; absent without one.'),
      })
      .optional(),
    features: z.object({
      signUp: z.boolean(),
      upload: z.boolean(),
      aiAnalysis: z.boolean(),
      aiAnalysisKind: z
        .enum(['model', 'summary'])
        .optional()
        .describe('Whether a model looks at figures, or a summary is computed from their numbers.'),
      checkout: z.boolean(),
      connectedApps: z
        .boolean()
        .optional()
        .describe('Whether apps can sign in for the tools for assistants.'),
      tools: z.boolean().optional().describe('Whether there are tools for assistants.'),
      embedding: z.boolean().optional().describe('Whether other sites may frame views of public datasets.'),
      cellModels: z
        .boolean()
        .optional()
        .describe('Whether there are models that cells can be classified by.'),
    }),
  })
  .meta({ id: 'PublicConfig' });
export type PublicConfig = z.infer<typeof publicConfig>;
