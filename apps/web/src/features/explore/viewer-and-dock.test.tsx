import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { markerAnswer } from '@/features/analyses/result.fixture.ts';
import { toast } from '@/components/ui/toast.ts';
import { json } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';
import { setScreenWidth } from '@/testing/stand-ins.ts';
import { explorerFake, here, paths, search, viewerTitles } from './explorer.fixture.ts';

const fullScreen = () => screen.getByRole('button', { name: 'Full screen' });
const isFull = () => fullScreen().getAttribute('aria-pressed') === 'true';

async function withResult() {
  const fake = explorerFake();
  fake.answer('/api/perform-marker-analysis', () => json(markerAnswer()));
  const { user } = renderApp(here, fake);
  await search();
  await user.click(screen.getByRole('button', { name: 'Run Analysis' }));
  await user.click(await screen.findByRole('button', { name: 'Marker Analysis' }));
  await user.click(screen.getByRole('combobox', { name: 'Group By' }));
  await user.click(await screen.findByRole('option', { name: /^Cluster/ }));
  await user.click(screen.getAllByRole('button', { name: 'Run Analysis' }).at(-1)!);
  await screen.findByRole('tabpanel', { name: 'Marker Analysis' });
  const toFull = async () => {
    await user.click(fullScreen());
    expect(isFull()).toBe(true);
  };
  const command = async (text: string) => {
    await user.keyboard('{Control>}k{/Control}');
    await screen.findByRole('dialog', { name: 'Command Palette' });
    await user.keyboard(`${text}{Enter}`);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  };
  return { fake, user, toFull, command };
}

test('a full-screen result makes room for what the command palette opens beside it, and for no other command', async () => {
  const { fake, toFull, command } = await withResult();
  await toFull();
  await command('export cells');
  expect(isFull()).toBe(false);
  await toFull();
  await command('cd3d');
  expect(isFull()).toBe(false);
  await waitFor(() => expect(viewerTitles()[0]).toBe('CD3DExpression UMAP'));
  expect(fake.sent(paths.gene)).toHaveLength(1);
  await toFull();
  await command('copy link');
  expect(isFull()).toBe(true);
});

test('Escape leaves full screen also while a notice is shown, but closes an open menu or dialog first', async () => {
  const { user, toFull } = await withResult();
  await toFull();
  act(() => void toast.error('Not exported', { description: 'The server is busy.' }));
  await screen.findByText('Not exported');
  await user.keyboard('{Escape}');
  expect(isFull()).toBe(false);

  await toFull();
  const result = within(screen.getByRole('tabpanel', { name: 'Marker Analysis' }));
  // By key: without a layout every place of a press is on the separator.
  result.getByRole('button', { name: 'Download' }).focus();
  await user.keyboard('{Enter}');
  await screen.findByRole('menu');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  expect(isFull()).toBe(true);
  await user.keyboard('{Control>}k{/Control}');
  await screen.findByRole('dialog');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(isFull()).toBe(true);
  await user.keyboard('{Escape}');
  expect(isFull()).toBe(false);
});

test('zoom that stacks the explorer keeps maps and results as they are', async () => {
  const { user } = await withResult();
  const result = screen.getByRole('tabpanel', { name: 'Marker Analysis' });
  within(result)
    .getByRole('tab', { name: /^Full Table/ })
    .focus();
  await user.keyboard('{Enter}');
  const viewer = screen.getByRole('region', { name: 'Main Viewer' });
  act(() => setScreenWidth(600, 1440));
  expect(screen.getByRole('region', { name: 'Main Viewer' })).toBe(viewer);
  expect(screen.getByRole('tabpanel', { name: 'Marker Analysis' })).toBe(result);
  expect(within(result).getByRole('tab', { name: /^Full Table/ })).toHaveAttribute('aria-selected', 'true');
  // There is no choice between beside and below where all is stacked.
  expect(screen.queryByRole('button', { name: /^Results (beside|below) the map/ })).toBeNull();
  act(() => setScreenWidth(1440));
  expect(screen.getByRole('region', { name: 'Main Viewer' })).toBe(viewer);
});
