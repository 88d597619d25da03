import { z } from 'zod';

/** Status of a call whose client canceled it, or left before it ended. */
export const canceledCall = 499;

export const toolCallsQuery = z.object({
  before: z
    .string()
    .regex(/^\d{1,18}$/, 'Give the `next_before` of the page before.')
    .optional()
    .describe('The `next_before` of the page before; absent for the newest calls.'),
});

/** `GET /api/tool-calls`. */
export const toolCalls = z
  .object({
    calls: z
      .array(
        z.object({
          id: z.string(),
          at: z.string().describe('When it ended, in ISO 8601.'),
          tool: z.string(),
          dataset: z.string().nullable().describe('The dataset that it named; of an own file its name.'),
          credential: z
            .enum(['key', 'app', 'session'])
            .describe('What it was made with: a personal key, the token of a connected app, or a session.'),
          credential_name: z.string().describe('Name of the key or the app; empty for a session.'),
          status: z
            .number()
            .int()
            .describe(`Status of its call of \`/api\`; ${canceledCall} for one that was canceled.`),
          milliseconds: z.number().int(),
        }),
      )
      .describe('A page of the calls, newest first.'),
    next_before: z.string().nullable().describe('`before` for the next page; null on the last.'),
    kept_days: z.number().int().describe('Days after which a call leaves the list.'),
  })
  .meta({ id: 'ToolCalls' });
export type ToolCallList = z.output<typeof toolCalls>;
