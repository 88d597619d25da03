import type { ComponentProps } from 'react';
import { useEffect } from 'react';
import { RouterProvider } from 'react-router/dom';
import { PublicServicesContext } from '@/lib/services.ts';
import type { ServicesSource } from './services-source.ts';
import { ServicesSourceContext } from './services-source.ts';

type AppProps = { source: ServicesSource; router: ComponentProps<typeof RouterProvider>['router'] };

export function App({ source, router }: AppProps) {
  // After the first render, which must match the prerendered page.
  useEffect(() => source.public.begin(), [source]);
  return (
    <ServicesSourceContext value={source}>
      <PublicServicesContext value={source.public}>
        <RouterProvider router={router} />
      </PublicServicesContext>
    </ServicesSourceContext>
  );
}
