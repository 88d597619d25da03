import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu.tsx';
import { isDialogOpen } from '@/lib/open-layers.ts';
import { ServicesContext } from '@/lib/services.ts';
import { tourAnchor, tourKey } from '@/lib/tour-anchor.ts';
import { fakeServices } from '@/testing/fakes.ts';
import { ExplorerTour } from './explorer-tour.tsx';
import { useTour } from './use-tour.ts';

function Explorer({ isLoading }: { isLoading: boolean }) {
  const tour = useTour();
  return (
    <main id="content" tabIndex={-1}>
      {!isLoading && (
        <>
          <input aria-label="Search genes" {...tourAnchor('gene')} />
          <h2 {...tourAnchor('analysis')}>Analysis</h2>
          <h2 {...tourAnchor('library')}>Image Library</h2>
        </>
      )}
      <DropdownMenu>
        <DropdownMenuTrigger>Menu</DropdownMenuTrigger>
        <DropdownMenuContent>
          <DropdownMenuItem>Sign out</DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      <button onClick={tour.start}>Take the tour</button>
      <ExplorerTour tour={tour} />
    </main>
  );
}

function open({ isLoading = false } = {}) {
  const fake = fakeServices();
  act(() => fake.auth.signIn());
  const page = (loads: boolean) => (
    <ServicesContext value={fake.services}>
      <Explorer isLoading={loads} />
    </ServicesContext>
  );
  const view = render(page(isLoading));
  return { ...view, load: () => view.rerender(page(false)), user: userEvent.setup() };
}

const nextLook = () => new Promise((resolve) => setTimeout(resolve, 1000));

beforeEach(() => localStorage.removeItem(tourKey('ada')));

test('the tour begins by itself once, explains each control that is there, and ends with its last step', async () => {
  const { user, unmount } = open();
  expect(await screen.findByRole('dialog', { name: 'Tour: Draw a gene' })).toBeVisible();
  expect(screen.getByLabelText('Search genes')).toHaveAttribute('data-tour-current');
  expect(screen.getByRole('button', { name: 'Next' })).toHaveFocus();
  await user.keyboard('{Enter}');
  // There is no lasso.
  expect(screen.getByRole('dialog', { name: 'Tour: Run an analysis' })).toBeVisible();
  expect(screen.getByLabelText('Search genes')).not.toHaveAttribute('data-tour-current');
  await user.click(screen.getByRole('button', { name: 'Back' }));
  await user.click(screen.getByRole('button', { name: 'Next' }));
  await user.click(screen.getByRole('button', { name: 'Next' }));
  await user.click(screen.getByRole('button', { name: 'Done' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  unmount();
  open();
  await nextLook();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('Escape and Skip leave the tour, the focus stays on the page, and the menu starts it again', async () => {
  localStorage.setItem(tourKey('ada'), 'seen');
  const { user } = open();
  const start = screen.getByRole('button', { name: 'Take the tour' });
  await user.click(start);
  await user.click(screen.getByLabelText('Search genes'));
  expect(screen.getByRole('dialog', { name: 'Tour: Draw a gene' })).toBeVisible();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.click(start);
  await user.click(screen.getByRole('button', { name: 'Skip tour' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.getByLabelText('Search genes')).toHaveFocus();
});

test('the tour is not seen before a control that it explains is on the page', async () => {
  const { load } = open({ isLoading: true });
  await nextLook();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(localStorage.getItem(tourKey('ada'))).toBeNull();
  load();
  expect(await screen.findByRole('dialog', { name: 'Tour: Draw a gene' })).toBeVisible();
  expect(localStorage.getItem(tourKey('ada'))).toBe('seen');
});

test('the tour waits until an open menu is closed', async () => {
  const { user } = open();
  await user.click(screen.getByRole('button', { name: 'Menu' }));
  await nextLook();
  expect(screen.getByRole('menuitem', { name: 'Sign out' })).toBeVisible();
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.keyboard('{Escape}');
  expect(await screen.findByRole('dialog', { name: 'Tour: Draw a gene' })).toBeVisible();
});

test('the shortcuts of the page work while the tour is shown', async () => {
  open();
  await screen.findByRole('dialog', { name: 'Tour: Draw a gene' });
  expect(isDialogOpen()).toBe(false);
});
