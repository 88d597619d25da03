import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { endedJob, tableReport, testFile, testId, testJob } from '@/testing/own-jobs.ts';
import type { UserFile } from './user-files.ts';
import { json } from '@/testing/fakes.ts';
import { DeleteQuestion } from './delete-files.tsx';
import { useShownPart } from './file-list.tsx';
import {
  atlas,
  barcodesId,
  featuresId,
  fileRow,
  inspected,
  matrixId,
  opened,
  trio,
} from './own-data.fixture.tsx';

afterEach(() => vi.restoreAllMocks());

test('deleting an AnnData file warns that its dataset is deleted too, until the question has closed', async () => {
  const fileToDelete = { ...atlas, file_name: 'Atlas' } as UserFile;
  const question = (...files: UserFile[]) => (
    <DeleteQuestion files={files} onDelete={() => {}} onClose={() => {}} />
  );
  const styles = globalThis.getComputedStyle.bind(globalThis);
  let animation = 'enter';
  // What is closed stays on the screen for the time of its animation.
  vi.spyOn(globalThis, 'getComputedStyle').mockImplementation(
    (element) =>
      new Proxy(styles(element), {
        get: (style, name) => {
          const value: unknown = name === 'animationName' ? animation : Reflect.get(style, name, style);
          return typeof value === 'function' ? value.bind(style) : value;
        },
      }),
  );
  const { rerender } = render(question(fileToDelete));
  const dialog = screen.getByRole('alertdialog');
  expect(dialog).toHaveTextContent('and so is the dataset built from it');
  animation = 'leave';
  rerender(question());
  expect(dialog).toBeInTheDocument();
  expect(dialog).toHaveTextContent('Atlas (atlas.h5ad) is permanently deleted, and so is');
});

test('a file that could not be inspected for the moment is inspected again, one that is of no use is not', async () => {
  const failed = endedJob('failed', {
    kind: 'inspect',
    name: 'Counts',
    file_ids: [matrixId],
    problem: { code: 'took_too_long', message: 'It took too long.' },
  });
  const { user, fake, tell, posted } = opened([...trio], {
    files: [
      testFile(matrixId, { problem: { code: 'took_too_long', message: 'It took too long.' } }),
      testFile(barcodesId, { problem: { code: 'binary', message: 'This is no text.' } }),
      testFile(featuresId, { report: tableReport('features', 3) }),
    ],
    jobs: [failed],
  });
  const counts = await fileRow('Counts');
  await counts.findByText('It took too long.');
  expect((await fileRow('Cells')).queryByRole('button', { name: 'Inspect again' })).toBeNull();
  const path = `/api/files/${matrixId}/inspect`;
  fake.answer(path, () => json({ code: 'file_not_found', message: 'There is no such file.' }, 404));
  await user.click(counts.getByRole('button', { name: 'Inspect again' }));
  expect(await screen.findByText('There is no such file.')).toBeVisible();
  const running = testJob({ id: testId(901), kind: 'inspect', name: 'Counts', file_ids: [matrixId] });
  fake.answer(path, () => {
    tell({ files: [testFile(matrixId), ...inspected.slice(1)], jobs: [running, failed] });
    return json({ job: running }, 202);
  });
  await user.click(screen.getByRole('button', { name: 'Start again: Inspection of Counts' }));
  expect(await counts.findByText('Inspecting…')).toBeVisible();
  expect(posted(path)).toEqual([{}, {}]);
});

test('of many files the newest are shown, and more on request', async () => {
  const user = userEvent.setup();
  function List() {
    const { shown, more } = useShownPart(['a', 'b', 'c', 'd', 'e', 'f'], { first: 2, more: 3 });
    return (
      <>
        <p>{shown.join()}</p>
        {more}
      </>
    );
  }
  render(<List />);
  expect(screen.getByText('a,b')).toBeVisible();
  expect(screen.getByText('The newest 2 of 6 are shown.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Show 3 more files' }));
  expect(screen.getByText('a,b,c,d,e')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Show 1 more file' }));
  expect(screen.getByText('a,b,c,d,e,f')).toBeVisible();
  expect(screen.queryByRole('button')).toBeNull();
});

test('more files than there is room for are not sent', async () => {
  const { user } = opened([...trio], { files: inspected, most_files: 4 });
  await screen.findByRole('list', { name: 'Your files' });
  const text = (name: string) => new File(['AAAC'], name);
  await user.upload(screen.getByLabelText('Choose files'), [text('a.tsv'), text('b.tsv')]);
  expect(await screen.findByText(/1 of 4 file slots left/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Upload 2 Files' })).toBeDisabled();
});
