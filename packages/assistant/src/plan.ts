import { z } from 'zod';

export const maxSteps = 6;

/** A call of a tool of assistants on the open dataset and the active cells, which it does not name. */
export const planStep = z.strictObject({
  id: z.string().regex(/^s[1-9]$/, 'Steps are named s1, s2 and so on.'),
  tool: z.string().max(100),
  // name-dictionary: by the fields of a request of ours
  arguments: z.record(z.string(), z.unknown()),
  purpose: z.string().max(200).describe('What the step answers, in one sentence.'),
});
export type PlanStep = z.output<typeof planStep>;

/** A question as calls. Without steps, `cannot` says why. */
export const plan = z.strictObject({
  steps: z.array(planStep).max(maxSteps),
  cannot: z.string().max(500).nullable(),
});
export type Plan = z.output<typeof plan>;
