import { z } from 'zod';

/** Scopes of personal keys: the calls of `/api` and the tools of assistants that a key opens. */
export const keyScopes = {
  read: {
    label: 'Find and describe',
    description: 'Find datasets and genes, describe them, and see your files, jobs, labels and gene lists.',
  },
  analyse: {
    label: 'Analyze and draw',
    description: 'Run analyses, and draw figures with their numbers.',
  },
  label: {
    label: 'Write labels and lists',
    description: 'Write and delete annotations, gene lists, displays of categories, kept analyses and links.',
  },
  upload: {
    label: 'Bring data in',
    description: 'Fetch, convert, combine and rebuild data, and make datasets of it.',
  },
  export: {
    label: 'Take data out',
    description: 'Download cells, whole datasets and their files, and values of all cells.',
  },
} as const satisfies Readonly<Record<string, { label: string; description: string }>>;

export type KeyScope = keyof typeof keyScopes;

export const keyScopeNames = Object.keys(keyScopes) as [KeyScope, ...KeyScope[]];
export const keyScope = z.enum(keyScopeNames);

/** Scopes of a new key, unless its user chooses others. */
export const usualScopes: readonly KeyScope[] = ['read', 'analyse'];

export const callerScopes = z.object({
  scopes: z.array(keyScope).describe('Scopes of the key of the call; all of them in a session.'),
});
export type CallerScopes = z.output<typeof callerScopes>;
