import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { routes } from '@/app/router.tsx';
import { createQueryClient } from '@/lib/query-client.ts';
import { ServicesContext } from '@/lib/services.ts';
import type { FakeServices } from './fakes.ts';

export function renderApp(path: string, { services }: FakeServices) {
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  const client = createQueryClient();
  const view = render(
    <ServicesContext value={services}>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ServicesContext>,
  );
  return {
    ...view,
    router,
    client,
    user: userEvent.setup(),
    address: () => router.state.location.pathname + router.state.location.search,
  };
}
