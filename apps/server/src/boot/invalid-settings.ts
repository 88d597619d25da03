import type { z } from 'zod';

/** A setting that cannot be used; the message is one line that names it. */
export class InvalidSettings extends Error {
  override readonly name = 'InvalidSettings';

  static of({ issues: [issue] }: z.ZodError): InvalidSettings {
    return new InvalidSettings(`${String(issue?.path[0])}: ${issue?.message ?? 'cannot be used'}`);
  }
}
