import type * as toolbox from './toolbox.ts';

export { type ApiCall, inProcess, overHttp, personalKeyOf } from './api-call.ts';
export type { CalledTool } from './all-tools.ts';
export type { ToolOutput } from './tools.ts';

export type Toolbox = typeof toolbox;

/** Half a second and tens of megabytes, which only the first use needs. */
export const loadToolbox = (): Promise<Toolbox> => import('./toolbox.ts');
