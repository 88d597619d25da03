import { z } from 'zod';

/** `GET /api/account`: contents of an account, and what deleting it would delete. */
export const accountContents = z
  .object({
    tables: z
      .array(z.object({ name: z.string(), title: z.string(), rows: z.int() }))
      .describe('Rows of the account, by the files of its archive.'),
    files: z.object({ count: z.int(), bytes: z.number() }),
    files_included: z
      .boolean()
      .describe('Whether the archive has the files; else it has an address for each.'),
    jobs_under_way: z.int(),
    paid_plan: z.enum(['Standard', 'Professional']).nullable().describe('A deletion cancels it.'),
    password: z.boolean().describe('Whether the account has a password, which is required to delete it.'),
  })
  .meta({ id: 'AccountContents' });
export type AccountContents = z.infer<typeof accountContents>;

/** `POST /api/account/delete`. */
export const deleteAccountRequest = z
  .object({
    email: z.string().max(320).describe('Of the account, for it cannot be undone; empty where it has none.'),
    password: z
      .string()
      .max(1000)
      .default('')
      .describe(
        'Password of the account. An account without one needs a sign-in within the last ten minutes.',
      ),
  })
  .strict()
  .meta({ id: 'DeleteAccountRequest' });

/** Body of `POST /api/account/delete`. */
export const deletedAccount = z.object({ deleted: z.literal(true) }).meta({ id: 'DeletedAccount' });
