import { toolCalls, toolCallsQuery } from '@cellfolio/contract';
import { memberOf } from '../../runtime/http/access.ts';
import type { Route } from '../../runtime/http/routes.ts';
import type { ToolCalls } from './tool-calls.ts';

const getToolCalls: Route<{ toolCalls: ToolCalls }> = async (app, { services }) => {
  app.get(
    '/api/tool-calls',
    {
      config: { access: 'session' },
      schema: {
        summary: 'List the calls of tools for assistants in your name',
        tags: ['account'],
        querystring: toolCallsQuery,
        response: { 200: toolCalls },
      },
    },
    async (request) => services.toolCalls.list(memberOf(request).userId, request.query.before),
  );
};

export const toolCallRoutes = [getToolCalls];
