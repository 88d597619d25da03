import type { LinkPreview } from '@cellfolio/contract';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { json } from '@/testing/fakes.ts';
import { testId, testJob } from '@/testing/own-jobs.ts';
import { opened } from '../own-data.fixture.tsx';

const dataset = {
  name: 'GSM1 Donor 1',
  files: [{ name: 'GSM1_cells.h5ad', bytes: 2e6 }],
  bytes: 2e6,
  cells: null,
  file_name: 'Donor 1',
  description: 'From GEO, which states no license.',
  facts: [{ name: 'Organism', value: 'Homo sapiens <b>' }],
};
const preview = (...datasets: LinkPreview['datasets']): LinkPreview => ({
  title: 'GSE1 Two donors',
  datasets,
  left: 0,
  unreadable: ['GSE1_RAW.tar (the files of the samples as one archive)'],
});
const download = testJob({ id: testId(7), kind: 'download', file_ids: [], name: 'Donor 1' });

async function look(link: string) {
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText('Paste a link'), link);
  await user.click(screen.getByRole('button', { name: 'Show contents' }));
  return user;
}

test('a dataset is shown with what the archive says, and fetched under the name and words that are in the form', async () => {
  const { fake, posted } = opened([], {});
  fake.answer('/api/linked-data', () => json(preview(dataset)));
  fake.answer('/api/downloads', () => json({ jobs: [download] }, 202));
  const user = await look(' GSE1 ');
  const region = within(await screen.findByRole('region', { name: 'Contents of the link' }));
  expect(region.getByText('Homo sapiens <b>')).toBeVisible();
  expect(region.getByText('GSM1_cells.h5ad, 2.00 MB')).toBeVisible();
  const name = region.getByLabelText('File name');
  expect(name).toHaveValue('Donor 1');
  await user.clear(name);
  await user.type(name, 'Mine');
  await user.click(region.getByRole('button', { name: 'Download to your files' }));
  expect(await screen.findByText('Download Started')).toBeVisible();
  expect(posted('/api/linked-data')).toEqual([{ link: 'GSE1' }]);
  expect(posted('/api/downloads')).toEqual([
    {
      link: 'GSE1',
      datasets: ['GSM1 Donor 1'],
      file_name: 'Mine',
      description: 'From GEO, which states no license.',
    },
  ]);
});

test('of several datasets those are fetched that are chosen, together', async () => {
  const { fake, posted } = opened([], { jobs: [download] });
  const treated = (value: string) => [...dataset.facts, { name: 'treatment', value }];
  const first = { ...dataset, facts: treated('none') };
  const other = { ...dataset, name: 'GSM2 Donor 2', file_name: 'Donor 2', facts: treated('drug') };
  fake.answer('/api/linked-data', () => json(preview(first, other)));
  fake.answer('/api/downloads', () => json({ jobs: [download, download] }, 202));
  const user = await look('GSE1');
  // Told apart by what differs, and what does not is said once.
  expect(await screen.findByText('All of them: Organism: Homo sapiens <b>')).toBeVisible();
  await user.click(screen.getByRole('checkbox', { name: /^GSM2 Donor 2 .*treatment: drug$/ }));
  await user.click(screen.getByRole('checkbox', { name: /^GSM1 Donor 1 .*treatment: none$/ }));
  await user.click(screen.getByRole('button', { name: 'Download 2 datasets (4.00 MB)' }));
  expect(posted('/api/downloads')).toEqual([{ link: 'GSE1', datasets: ['GSM1 Donor 1', 'GSM2 Donor 2'] }]);
  const under = within(screen.getByRole('list', { name: 'Downloads' }));
  expect(under.getByRole('progressbar', { name: 'Progress of: Download of Donor 1' })).toBeVisible();
});

test('a message beside the field gives the reason why a link leads to nothing', async () => {
  const { fake } = opened([], {});
  const message = 'GEO has no public record GSE404.';
  fake.answer('/api/linked-data', () => json({ code: 'linked_data_not_found', message }, 404));
  await look('GSE404');
  expect(await screen.findByText(message)).toHaveAttribute('role', 'alert');
});

test('while an archive that is packed as a whole is read, a note explains the delay', async () => {
  const { fake } = opened([], {});
  let answer: () => void = () => undefined;
  const read = new Promise<void>((resolve) => void (answer = resolve));
  fake.answer('/api/linked-data', async () => {
    await read;
    return json(preview(dataset));
  });
  await look('https://example.org/GSE1_RAW.tar.gz?download=1');
  expect(screen.getByText(/has to read the whole archive/)).toBeVisible();
  answer();
  expect(await screen.findByRole('region', { name: 'Contents of the link' })).toBeVisible();
  expect(screen.queryByText(/has to read the whole archive/)).toBeNull();
});

test('without the plan no link is looked at', async () => {
  opened([], {}, 'Standard');
  await screen.findByText('Professional Plan Required');
  expect(screen.getByLabelText('Paste a link')).toBeDisabled();
});

test('a download that was cancelled or failed a moment ago is reported in place, one long ago is not', async () => {
  const ended = (minutes: number) => ({
    kind: 'download' as const,
    file_ids: [],
    created_at: new Date(Date.now() - (minutes + 1) * 60_000).toISOString(),
    finished_at: new Date(Date.now() - minutes * 60_000).toISOString(),
  });
  const problem = { code: 'download_failed', message: 'The server answered 404.' };
  const jobs = [
    testJob({ ...ended(1), id: testId(11), name: 'Stopped', state: 'cancelled' }),
    testJob({ ...ended(2), id: testId(12), name: 'Gone', state: 'failed', problem }),
    testJob({ ...ended(60), id: testId(13), name: 'Old', state: 'cancelled' }),
    testJob({ ...ended(1), id: testId(14), name: 'Whole', state: 'done' }),
  ];
  opened([], { jobs });
  const list = within(await screen.findByRole('list', { name: 'Downloads' }));
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'StoppedCanceled',
    'GoneThe server answered 404.',
  ]);
  expect(list.queryByRole('button')).toBeNull();
});
