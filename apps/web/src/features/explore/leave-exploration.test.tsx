import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { markerAnswer } from '@/features/analyses/result.fixture.ts';
import { genePlot, json } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';
import type { ExplorerFake } from './explorer.fixture.ts';
import { explorerFake, here, paths } from './explorer.fixture.ts';

let fake: ExplorerFake;
beforeEach(() => {
  fake = explorerFake();
  fake.answer(paths.gene, () =>
    json({
      plots: [genePlot('CST3'), genePlot('CD79A'), genePlot('CD79A', 'violin')],
      found_genes: ['CST3', 'CD79A'],
      not_found_genes: [],
    }),
  );
});

async function explored() {
  const app = renderApp(here, fake);
  await app.user.type(
    await screen.findByRole('combobox', { name: 'Search genes' }),
    'CST3,CD79A{Enter}{Enter}',
  );
  await screen.findByText('Found: CST3, CD79A');
  return app;
}
const changeDataset = () => screen.getByRole('link', { name: 'Change dataset' });
const dialog = () => screen.findByRole('dialog', { name: 'Leave Exploration' });
const asksOnClosing = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

describe('leaving the explorer', () => {
  test('with images, which are stored, a dialog counts them; Stay on Page keeps them and gives the focus back, Leave Page goes on', async () => {
    const { user, address } = await explored();
    // Closing the tab loses nothing.
    await waitFor(() => expect(asksOnClosing()).toBe(false));
    await user.click(changeDataset());
    expect(await dialog()).toHaveAccessibleDescription(
      /^2 UMAP images and 1 violin plot in the Image Library are stored and .* Please download/,
    );
    expect(screen.getByRole('button', { name: 'Stay on Page' })).toHaveFocus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(address().startsWith(here)).toBe(true);
    expect(screen.getByText(/^3 images and the default/)).toBeVisible();
    await waitFor(() => expect(changeDataset()).toHaveFocus());
    await user.click(changeDataset());
    await user.click(within(await dialog()).getByRole('button', { name: 'Leave Page' }));
    await screen.findByRole('heading', { name: 'Dataset Selector' });
    expect(address()).toMatch(/^\/dataset-selector/);
  });

  test('the question stays when an image comes meanwhile, which the address names afterwards', async () => {
    const { user, address } = await explored();
    let answerNow: () => void = () => {};
    const gate = new Promise<void>((done) => (answerNow = done));
    fake.answer(paths.gene, async () => {
      await gate;
      return json({ plots: [genePlot('CD3D')], found_genes: ['CD3D'], not_found_genes: [] });
    });
    await user.type(screen.getByRole('combobox', { name: 'Search genes' }), 'CD3D{Enter}{Enter}');
    await user.click(changeDataset());
    const leaveDialog = await dialog();
    answerNow();
    await screen.findByText(/^4 images and the default/);
    expect(address()).not.toMatch(/CD3D/);
    expect(leaveDialog).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Stay on Page' }));
    await waitFor(() => expect(address()).toMatch(/CD3D/));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('without generated images no confirmation is shown, on a link or on closing the tab', async () => {
    const { user } = renderApp(here, fake);
    await screen.findByRole('combobox', { name: 'Search genes' });
    expect(asksOnClosing()).toBe(false);
    await user.click(changeDataset());
    await screen.findByRole('heading', { name: 'Dataset Selector' });
  });

  test('images that could not be stored are named as lost, and the browser asks too', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    fake.answer('/rest/v1/generated_images', () => json({ message: 'down' }, 500));
    const { user, unmount } = await explored();
    await screen.findByText('3 images not saved.');
    expect(asksOnClosing()).toBe(true);
    await user.click(changeDataset());
    expect(await dialog()).toHaveAccessibleDescription(
      /^Not stored, and lost when you leave: 2 UMAP images and 1 violin plot\. Please download/,
    );
    unmount();
    expect(asksOnClosing()).toBe(false);
  });

  test('signing out asks first, and happens only on Leave Page', async () => {
    const { user } = await explored();
    const account = screen.getByRole('button', { name: /^Signed in as/ });
    const signOut = async () => {
      await user.click(account);
      await user.click(await screen.findByRole('menuitem', { name: 'Sign out' }));
    };
    await signOut();
    await dialog();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(account).toHaveFocus());
    expect(fake.auth.client.signOut).not.toHaveBeenCalled();
    await signOut();
    await user.click(within(await dialog()).getByRole('button', { name: 'Leave Page' }));
    expect(fake.auth.client.signOut).toHaveBeenCalledOnce();
  });

  test('a sign-out that fails at the connection shows the message of the page', async () => {
    const { user } = renderApp(here, fake);
    await screen.findByRole('combobox', { name: 'Search genes' });
    const lost = Object.assign(new Error('Failed to fetch'), { name: 'AuthRetryableFetchError' });
    fake.auth.client.signOut.mockResolvedValueOnce({ error: lost as never });
    await user.click(screen.getByRole('button', { name: /^Signed in as/ }));
    await user.click(await screen.findByRole('menuitem', { name: 'Sign out' }));
    expect(await screen.findByText('Signing out failed. Please try again.')).toBeInTheDocument();
    expect(screen.queryByText(/Failed to fetch/)).toBeNull();
  });

  test('a session that ends leaves without asking', async () => {
    const { address } = await explored();
    act(() => fake.auth.signOut());
    await screen.findByRole('tab', { name: 'Sign In' });
    expect(address()).toBe('/auth');
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('leaving with results of analyses', () => {
  const markers = async () => {
    fake.answer('/api/perform-marker-analysis', () => json(markerAnswer()));
    const app = await explored();
    await app.user.click(screen.getByRole('button', { name: 'Run Analysis' }));
    await app.user.click(await screen.findByRole('button', { name: 'Marker Analysis' }));
    await app.user.click(screen.getByRole('combobox', { name: 'Group By' }));
    await app.user.click(await screen.findByRole('option', { name: /^Cluster/ }));
    await app.user.click(screen.getAllByRole('button', { name: 'Run Analysis' }).at(-1)!);
    await screen.findByRole('tabpanel', { name: 'Marker Analysis' });
    return app;
  };

  test('those that are listed again are not called lost, and the browser does not ask', async () => {
    const { user } = await markers();
    await waitFor(() => expect(asksOnClosing()).toBe(false));
    await user.click(changeDataset());
    expect(await dialog()).toHaveAccessibleDescription(
      /The results of Marker Analysis are listed under Run Analysis in your account, and recomputed when you open them\. Please download/,
    );
  });

  test('where the account could not take them they are called lost, and it asks', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    fake.answer('/api/datasets/tumour_one/kept-analyses', ({ method }) =>
      method === 'POST' ? json({ code: 'x', message: 'Busy.' }, 503) : json({ analyses: [] }),
    );
    const { user } = await markers();
    expect(await screen.findByText(/Some could not be saved/)).toBeVisible();
    expect(asksOnClosing()).toBe(true);
    await user.click(changeDataset());
    expect(await dialog()).toHaveAccessibleDescription(
      /Not stored, and lost when you leave: the results of Marker Analysis\. Please download/,
    );
    vi.restoreAllMocks();
  });
});
