import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render-app.tsx';
import { chips, explorerFake, here, paths, search, subsetRow, viewerTitles } from './explorer.fixture.ts';

const palette = () => screen.findByRole('dialog', { name: 'Command Palette' });
const first = (list: HTMLElement) => within(list).getAllByRole('option')[0]!;

async function opened() {
  const fake = explorerFake();
  fake.subsets.push(subsetRow({ subset_name: '<img src=x onerror=alert(1)>' }));
  const app = renderApp(here, fake);
  await search();
  return { fake, ...app };
}

test('Ctrl+K, a name and Enter draw the gene, and the palette is gone', async () => {
  const { user, fake } = await opened();
  await user.keyboard('{Control>}k{/Control}');
  const box = within(await palette()).getByRole('combobox', { name: 'Find a command' });
  expect(box).toHaveFocus();
  await user.keyboard('cd3d');
  expect(first(await palette())).toHaveTextContent('CD3D');
  expect(first(await palette())).toHaveAttribute('aria-selected', 'true');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(viewerTitles()[0]).toBe('CD3DExpression UMAP'));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(fake.sent(paths.gene)).toEqual([{ genes: ['CD3D'], violin_plot: false }]);
  expect(chips()).toEqual(['CD3D']);
  await user.keyboard('{Control>}k{/Control}');
  expect(within(await palette()).getByRole('group', { name: 'Recent' })).toHaveTextContent('CD3D');
});

test('an analysis, a panel and the gene box are reached, also where they are closed', async () => {
  const { user } = await opened();
  await user.click(screen.getByRole('button', { name: 'Gene Visualization' }));
  const run = async (text: string) => {
    await user.keyboard('{Control>}k{/Control}');
    await palette();
    await user.keyboard(`${text}{Enter}`);
  };
  await run('marker analysis');
  expect(await screen.findByRole('heading', { name: 'Marker Analysis' })).toBeVisible();
  await run('export cells');
  await waitFor(() =>
    expect(screen.getAllByRole('button', { name: 'Export Cells' })[0]).toHaveAttribute(
      'aria-expanded',
      'true',
    ),
  );
  await run('search genes');
  await waitFor(async () => expect(await search()).toHaveFocus());
});

test('words of tasks and methods lead to where they are done', async () => {
  const { user } = await opened();
  await user.keyboard('{Control>}k{/Control}');
  const list = await palette();
  const leadsTo = async (text: string, ...labels: string[]) => {
    await user.clear(within(list).getByRole('combobox'));
    await user.keyboard(text);
    const options = within(list)
      .getAllByRole('option')
      .map(({ textContent }) => textContent);
    for (const label of labels) expect(options).toContainEqual(expect.stringContaining(label));
  };
  await leadsTo('paga', 'Trajectory Analysis');
  await leadsTo('compare', 'DEG Analysis', 'Composition Analysis');
  await leadsTo('rename', 'Annotations', 'Gene Lists');
  await leadsTo('delete', 'Upload Data', 'Manage Cell Subsets');
  await leadsTo('density', 'Show density');
  await leadsTo('shortcuts', 'Keyboard shortcuts');
  await user.keyboard('{Enter}');
  expect(await screen.findByRole('dialog', { name: 'Keyboard Shortcuts' })).toBeVisible();
});

test('names of users are text, and a saved subset becomes active', async () => {
  const { user, fake } = await opened();
  await user.keyboard('{Control>}k{/Control}');
  const list = await palette();
  await user.keyboard('<img');
  expect(first(list)).toHaveTextContent('<img src=x onerror=alert(1)>');
  expect(list.querySelector('img')).toBeNull();
  await user.keyboard('{Enter}');
  await waitFor(() =>
    expect(fake.sent(paths.filter).at(-1)).toMatchObject({
      subset_group_name: '<img src=x onerror=alert(1)>',
    }),
  );
});

test('a text that nothing matches says so, and Enter keeps the palette open', async () => {
  const { user } = await opened();
  await user.keyboard('{Control>}k{/Control}');
  const list = await palette();
  await user.keyboard('no such thing{Enter}');
  expect(within(list).getByRole('status')).toHaveTextContent('Nothing matches “no such thing”.');
});

test('the palette stays closed while another dialog is open, and closes by its own shortcut', async () => {
  const { user } = await opened();
  await user.click(screen.getByRole('button', { name: 'Open Cell types, Full dataset UMAP large' }));
  await screen.findByRole('dialog');
  await user.keyboard('{Control>}k{/Control}');
  expect(screen.queryByRole('dialog', { name: 'Command Palette' })).toBeNull();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Command palette' }));
  await palette();
  await user.keyboard('{Control>}k{/Control}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a question mark lists the shortcuts, unless it is typed into a field or turned off', async () => {
  const { user } = await opened();
  await user.type(await search(), '?');
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.clear(await search());
  (await search()).blur();
  await user.keyboard('?');
  const dialog = await screen.findByRole('dialog', { name: 'Keyboard Shortcuts' });
  expect(within(dialog).getByText('Zoom to the selected cells')).toBeVisible();
  await user.click(within(dialog).getByRole('switch', { name: 'Shortcuts of a single key: / and ?' }));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.keyboard('?');
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.click(screen.getByRole('button', { name: /^Signed in as/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Keyboard shortcuts' }));
  await screen.findByRole('dialog', { name: 'Keyboard Shortcuts' });
});
