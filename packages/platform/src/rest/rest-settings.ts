import { z } from 'zod';

/** What an operator may choose about the REST service. */
export const restSettings = z.object({
  /** The one schema of the database that is offered. */
  schema: z.string().min(1).default('public'),
  /** Longest list of rows; more are cut off silently, as clients of a hosted project know it. */
  maxRows: z.int().positive().default(1000),
  /** Largest body of a request, in bytes. The largest honest ones hold images of 4 MiB as text. */
  bodyBytes: z
    .int()
    .positive()
    .default(16 * 1024 * 1024),
  /** The same of a visitor without an account, who writes one message a call. */
  visitorBodyBytes: z
    .int()
    .positive()
    .default(256 * 1024),
  /** Longest body of an answer, in bytes: a library of 30 images of 4 MiB fits. */
  answerBytes: z
    .int()
    .positive()
    .default(160 * 1024 * 1024),
  /**
   * What the database builds at once, in bytes: a row of a read, or the whole answer of a write or a function. It is held
   * several times over while it is built, and the embedded database never gives memory back.
   */
  builtBytes: z
    .int()
    .positive()
    .default(16 * 1024 * 1024),
  /** Writing requests of visitors without an account, per network and five minutes. */
  visitorWrites: z.int().positive().default(30),
  /** Longest time a statement of a caller may take, in milliseconds. */
  statementTimeoutMs: z.int().positive().default(8_000),
});

export type RestSettings = z.output<typeof restSettings>;
export type RestSettingsInput = z.input<typeof restSettings>;
