import {
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Member } from '../../runtime/http/access.ts';
import type { TaskState, ToolTasks } from './tool-tasks.ts';

/** Declared by both sides where a call may be answered with a task. */
export const tasksCapability = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

export interface OfferedTasks {
  readonly store: ToolTasks;
  /** Without an account a call has no tasks. */
  readonly caller: Member | undefined;
}

const declaring = z.object({
  [CLIENT_CAPABILITIES_META_KEY]: z.object({
    extensions: z.object({ 'io.modelcontextprotocol/tasks': z.looseObject({}) }),
  }),
});

/** Each request says what its client can do; earlier revisions of the protocol have other tasks. */
export function declaresTasks({ mcpReq }: Pick<ServerContext, 'mcpReq'>): boolean {
  return declaring.safeParse(mcpReq.envelope).success;
}

/** The methods of the extension. No task asks its client for anything, so that updates are only acknowledged. */
export function offerTasks(server: Server, { store, caller }: OfferedTasks): void {
  const stateOf = (taskId: string, context: ServerContext): TaskState => {
    if (!declaresTasks(context))
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: tasksCapability });
    const state = caller && store.get(taskId, caller);
    if (state) return state;
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'There is no such task of yours: it is over, or another process of the server has it.',
    );
  };
  const params = z.looseObject({ taskId: z.string() });
  server.setRequestHandler('tasks/get', { params }, async ({ taskId }, context) => ({
    ...stateOf(taskId, context),
  }));
  server.setRequestHandler('tasks/update', { params }, async ({ taskId }, context) => {
    stateOf(taskId, context);
    return {};
  });
  server.setRequestHandler('tasks/cancel', { params }, async ({ taskId }, context) => {
    stateOf(taskId, context);
    if (caller) store.cancel(taskId, caller);
    return {};
  });
}
