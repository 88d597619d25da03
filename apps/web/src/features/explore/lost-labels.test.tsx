import type { Annotation, AnnotationList, FigureSource } from '@cellfolio/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { lostColumns } from '@/features/annotations/index.ts';
import { json } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';
import type { ExplorerFake } from './explorer.fixture.ts';
import { explorerFake, here, imageRow, search } from './explorer.fixture.ts';

const id = '8b1f6c1e-5b7e-4a0e-9d52-1f3c1b7a9a10';
const makeAnnotation = (...revisions: number[]): Annotation => ({
  id,
  name: 'Mine',
  revision: revisions[0]!,
  version: '1',
  groups: [{ name: 'One', colour: '#112233', cells: 700 }],
  unlabelled: 0,
  history: revisions.map((revision) => ({
    revision,
    at: '2026-01-02T03:04:05.678Z',
    words: 'Changed.',
    cells: 1,
  })),
});
const listed = (...annotations: Annotation[]): AnnotationList => ({ version: '1', annotations, numbers: [] });
const source = (revision: number): FigureSource => ({
  dataset_filename: 'tumour_one',
  version: '1',
  annotations: [{ id, revision, name: 'Mine' }],
  content: { kind: 'obs-umap', column: 'Mine' },
});

let fake: ExplorerFake;
let annotations: Annotation[];
beforeEach(() => {
  fake = explorerFake();
  annotations = [makeAnnotation(3, 1)];
  fake.answer('/api/datasets/tumour_one/annotations', () => json(listed(...annotations)));
  fake.answer('/api/render-figure', ({ body }) => {
    const { revision } = (body as { source: FigureSource }).source.annotations![0]!;
    return annotations[0]?.history.some((one) => one.revision === revision)
      ? new Response(new Blob(['png'], { type: 'image/png' }))
      : json(
          { code: 'annotation_not_kept', message: 'The labels are no longer available. Redraw the figure.' },
          404,
        );
  });
});

function addImage(revision: number, subtitle = 'Map') {
  fake.images.push(
    imageRow(`${revision} ${subtitle}`, {
      title: 'Mine',
      subtitle,
      figure_source: source(revision),
      cell_count: 700,
    }),
  );
}
const viewer = () => within(screen.getByRole('region', { name: 'Main Viewer' }));
const mark = 'Drawn from labels that have changed since.';

test('labels are lost where their revision is not kept, and not where that is not known', () => {
  expect(lostColumns(listed(makeAnnotation(3, 1)), source(2))).toBe('changed');
  expect(lostColumns(listed(makeAnnotation(3, 1)), source(1))).toBeNull();
  // Made since the list was read.
  expect(lostColumns(listed(makeAnnotation(3, 1)), source(4))).toBeNull();
  expect(lostColumns(listed({ ...makeAnnotation(3, 1), version: '2' }), source(2))).toBeNull();
  expect(lostColumns(listed(), source(1))).toBe('deleted');
  expect(lostColumns(listed(), { ...source(1), annotations: undefined })).toBeNull();
  const numbers = [{ id, revision: 1, name: 'Mine', version: '1', words: '', cells: 1, missing: 0 }];
  expect(lostColumns({ ...listed(), numbers }, source(1))).toBeNull();
});

test('a figure of labels that are not kept says so, and one click draws it of those of now', async () => {
  addImage(2);
  const { user } = renderApp(here, fake);
  await search();
  expect(await viewer().findByText(mark)).toBeVisible();
  const library = within(screen.getByRole('region', { name: 'Image Library' }));
  expect(library.getByText(/^of earlier labels · /)).toBeVisible();
  await user.click(viewer().getByRole('button', { name: 'Redraw Mine, Map' }));
  await waitFor(() => expect(viewer().queryByText(mark)).toBeNull());
  await waitFor(() => expect(fake.images).toHaveLength(2));
  expect(fake.images.map(({ figure_source }) => figure_source)).toContainEqual(
    expect.objectContaining({ annotations: [{ id, revision: 3, name: 'Mine' }] }),
  );
});

test('a file of labels that are not kept is refused with the reason', async () => {
  addImage(2);
  const { user } = renderApp(here, fake);
  await search();
  await user.click(await viewer().findByRole('button', { name: 'Download Mine, Map' }));
  await user.click(await screen.findByRole('menuitem', { name: /^SVG/ }));
  expect(await screen.findByText('The image was not downloaded')).toBeInTheDocument();
  expect(
    screen.getByText(
      'The labels are no longer available. Redraw the figure. Its PNG for the screen is kept.',
    ),
  ).toBeInTheDocument();
});

test('notices of figures that could not be redrawn name them, and go when the labels have changed', async () => {
  addImage(2, 'Map');
  addImage(2, 'Violin');
  fake.answer('/api/render-figure', () => json({ code: 'unknown_column', message: 'No such labels.' }, 422));
  const { user, client } = renderApp(here, fake);
  await search();
  for (const kind of ['Map', 'Violin']) {
    await user.click(await viewer().findByRole('button', { name: `Redraw Mine, ${kind}` }));
    expect(await screen.findByText(`Mine, ${kind} could not be redrawn`)).toBeInTheDocument();
  }
  annotations = [makeAnnotation(4, 3, 1)];
  await client.invalidateQueries({ queryKey: ['annotations'] });
  await waitFor(() => expect(screen.queryByText(/could not be redrawn/)).toBeNull());
});
