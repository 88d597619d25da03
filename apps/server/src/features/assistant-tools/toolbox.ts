import type { ApiError } from '@cellfolio/contract';
import { InvalidRequest } from '../../runtime/http/request-checks.ts';
import { type ApiCall, ServerUnreachable } from './api-call.ts';
import { inputSchema, outputSchema, type ToolSchema } from './tool-schemas.ts';
import { tools } from './all-tools.ts';
import { askWith, CallRefused, type Tool, type ToolCall, type ToolOutput } from './tools.ts';

export { calledTool } from './all-tools.ts';
export { mapPage } from './map-tools.ts';
export { inputSchema } from './tool-schemas.ts';
export { CallRefused, scopesOf } from './tools.ts';

export const toolsByName = new Map(tools.map((tool) => [tool.name, tool]));

/** Reading again gives the same answer; nothing of a user is written. */
const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

interface ListedTool {
  readonly scope: Tool['scope'];
  readonly listed: Pick<Tool, 'name' | 'title' | 'description'> & {
    readonly inputSchema: ToolSchema;
    readonly outputSchema: ToolSchema;
    readonly annotations: typeof annotations;
    readonly _meta?: Tool['meta'];
  };
}

/** The tools as a model is told of them, in a stable order. */
export const listedTools: readonly ListedTool[] = tools.map(
  ({ name, scope, title, description, input, output, meta }) => ({
    scope,
    listed: {
      name,
      title,
      description,
      inputSchema: inputSchema(input),
      outputSchema: outputSchema(output),
      annotations,
      ...(meta && { _meta: meta }),
    },
  }),
);

/** The outcome of a tool, or its refusal with the status of `/api`. */
type ToolOutcome =
  | { readonly status: 200; readonly output: ToolOutput }
  | { readonly status: number; readonly refusal: ApiError };

/** Rejects when the signal aborts. */
export async function runTool(
  tool: Tool,
  args: object,
  { api, signal, requestId, origin }: { api: ApiCall; signal: AbortSignal } & Omit<ToolCall, 'ask'>,
): Promise<ToolOutcome> {
  try {
    return { status: 200, output: await tool.run(args, { ask: askWith(api, signal), requestId, origin }) };
  } catch (error) {
    if (error instanceof CallRefused) return { status: error.status, refusal: error.body };
    const { message } = error as Error;
    if (error instanceof InvalidRequest)
      return { status: 400, refusal: { code: 'invalid_request', message } };
    if (error instanceof ServerUnreachable) return { status: 503, refusal: { code: 'unreachable', message } };
    throw error;
  }
}
