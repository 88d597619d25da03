import type { Route } from './route.ts';

/** The description of these calls, made from their schemas. */
export const getOpenApi: Route = async (app) => {
  app.get('/api/openapi.json', { config: { access: 'public' }, schema: { hide: true } }, async () =>
    app.swagger(),
  );
};
