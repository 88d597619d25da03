import { screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { h5adReport, testFile, testId } from '@/testing/own-jobs.ts';
import { json } from '@/testing/fakes.ts';
import { fileRow, opened, row } from '../own-data.fixture.tsx';

const [idA, idB] = [testId(11), testId(12)];
const files = [row(idA, 'donor_A', 'donor_A.h5ad'), row(idB, 'donor_B', 'donor_B.h5ad')];
const inspectedFiles = [idA, idB].map((id) => testFile(id, { report: h5adReport() }));

afterEach(() => sessionStorage.clear());

async function openedDialog() {
  const page = opened(files, { files: inspectedFiles });
  for (const name of ['donor_A', 'donor_B']) {
    await page.user.click((await fileRow(name)).getByRole('checkbox', { name: `Select ${name}` }));
  }
  return { ...page, dialog: await combined(page) };
}

async function combined({ user }: Pick<ReturnType<typeof opened>, 'user'>) {
  await user.click(await screen.findByRole('button', { name: 'Combine 2 samples' }));
  return within(await screen.findByRole('dialog'));
}

test('a resolution that is no number is not left out in silence: the field gets the focus and nothing is sent', async () => {
  const { user, dialog, fake, posted } = await openedDialog();
  fake.answer('/api/combine', () => json({ job_id: testId(900) }, 202));
  await user.type(dialog.getByLabelText('Name of the new file'), 'All');
  const field = dialog.getByLabelText('Further resolutions');
  await user.clear(field);
  await user.type(field, '0.5; abc');
  await user.click(dialog.getByRole('button', { name: 'Combine 2 samples' }));
  expect(field).toHaveFocus();
  expect(field).toBeInvalid();
  expect(posted('/api/combine')).toEqual([]);
  await user.clear(field);
  await user.type(field, '0.5; 3');
  expect(dialog.getByText('More clusterings, saved as columns leiden_0.5, leiden_3.')).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Combine 2 samples' }));
  expect(posted('/api/combine')).toEqual([
    expect.objectContaining({ choices: { resolutions: [0.5, 3] }, file_name: 'All' }),
  ]);
});

test('each way to integrate says when to choose it, a threshold of doublet scores is a number from 0 to 1, or empty, and both are sent', async () => {
  const { user, dialog, fake, posted } = await openedDialog();
  fake.answer('/api/combine', () => json({ job_id: testId(902) }, 202));
  await user.type(dialog.getByLabelText('Name of the new file'), 'All');
  expect(dialog.getByLabelText('Integration')).toHaveTextContent('Harmony');
  await user.click(dialog.getByLabelText('Integration'));
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
    expect.stringMatching(/^HarmonyThe usual choice/),
    expect.stringMatching(/^Mutual nearest neighborsUse it if Harmony leaves samples apart/),
    expect.stringMatching(/^NoneUse it if samples were handled alike/),
  ]);
  await user.click(screen.getByRole('option', { name: 'Mutual nearest neighbors' }));
  const field = dialog.getByLabelText('Doublet threshold');
  expect(field).toHaveAttribute('placeholder', 'Automatic');
  await user.type(field, '1.2');
  await user.click(dialog.getByRole('button', { name: 'Combine 2 samples' }));
  expect(field).toHaveFocus();
  expect(field).toBeInvalid();
  expect(dialog.getByText('Enter a number from 0 to 1, or leave it empty.')).toBeVisible();
  expect(posted('/api/combine')).toEqual([]);
  await user.clear(field);
  await user.type(field, '0,15');
  await user.click(dialog.getByLabelText('Doublets'));
  await user.click(screen.getByRole('option', { name: 'Do not detect them' }));
  expect(dialog.queryByLabelText('Doublet threshold')).toBeNull();
  await user.click(dialog.getByLabelText('Doublets'));
  await user.click(screen.getByRole('option', { name: 'Mark them, keep all' }));
  expect(dialog.getByLabelText('Doublet threshold')).toHaveValue('0.15');
  await user.click(dialog.getByRole('button', { name: 'Combine 2 samples' }));
  expect(posted('/api/combine')).toEqual([
    expect.objectContaining({ choices: { integrate: 'mnn', doublets: 'mark', doubletThreshold: 0.15 } }),
  ]);
});

test('the filled table is there again after Escape, and after the page was left', async () => {
  const page = await openedDialog();
  const { user, dialog, unmount } = page;
  await user.type(dialog.getByLabelText('Name of the new file'), 'All donors');
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect((await combined(page)).getByLabelText('Name of the new file')).toHaveValue('All donors');
  unmount();
  const again = opened(files, { files: inspectedFiles });
  expect((await fileRow('donor_A')).getByRole('checkbox', { name: 'Select donor_A' })).toBeChecked();
  const back = await combined(again);
  expect(back.getByLabelText('Name of the new file')).toHaveValue('All donors');
});

test('a table that cannot be read is an error and no success, and a name that is there twice is marked in its fields', async () => {
  const { user, dialog } = await openedDialog();
  const choose = (text: string) =>
    user.upload(dialog.getByLabelText('Table of samples'), new File([text], 'samples.csv'));
  await choose('sample,sex\ndonor_A,f\ndonor_B,m\n');
  expect(await dialog.findByText('2 of 2 samples were filled in with sex.')).toBeVisible();
  expect(dialog.queryByRole('alert')).toBeNull();
  await choose('sample,sex\ndonor_A,f\ndonor_A,m\n');
  expect(await dialog.findByRole('alert')).toHaveTextContent(
    "Nothing was filled in; the samples below have not changed: line 3 repeats the sample 'donor_A'; each needs a name of its own.",
  );
  expect(dialog.queryByText(/were filled in with/)).toBeNull();

  const names = ['donor_A', 'donor_B'].map((name) => dialog.getByLabelText(`Sample of ${name}`));
  await user.clear(names[1]!);
  expect(names[1]).toHaveAccessibleDescription('Enter a name.');
  await user.type(names[1]!, 'donor_A');
  for (const field of names) {
    expect(field).toBeInvalid();
    expect(field).toHaveAccessibleDescription('Another sample has this name.');
  }
  await user.type(names[1]!, '2');
  for (const field of names) expect(field).toBeValid();
});
