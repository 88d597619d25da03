import { Outlet, ScrollRestoration } from 'react-router';
import { FocusOnArrival } from './focus-on-arrival.tsx';

/** Above every page: a new page begins at its top, and going back leads to where one was. */
export function RootLayout() {
  return (
    <>
      <Outlet />
      <ScrollRestoration />
      <FocusOnArrival />
    </>
  );
}
