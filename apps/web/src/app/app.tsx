import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { RouterProvider } from 'react-router/dom';
import { createQueryClient } from '@/lib/query-client.ts';
import type { Services } from '@/lib/services.ts';
import { ServicesContext } from '@/lib/services.ts';
import { createRouter } from './router.tsx';

export function App({ services }: { services: Services }) {
  const [queryClient] = useState(createQueryClient);
  const [router] = useState(createRouter);
  return (
    <ServicesContext value={services}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ServicesContext>
  );
}
