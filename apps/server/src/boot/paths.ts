import { fileURLToPath } from 'node:url';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

export const paths = {
  migrations: path('../../../../supabase/migrations'),
  webApp: path('../../../web/dist'),
  docs: path('../../../docs/dist'),
  computeThread: new URL('./compute-thread.ts', import.meta.url).href,
  commandLine: path('../ops/main.ts'),
} as const;
