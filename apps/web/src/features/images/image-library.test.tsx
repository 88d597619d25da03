import { QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLayoutEffect, useMemo, useState } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Toaster } from '@/components/ui/toaster.tsx';
import { TooltipProvider } from '@/components/ui/tooltip.tsx';
import { createQueryClient } from '@/lib/query-client.ts';
import { ServicesContext, useSession } from '@/lib/services.ts';
import type { Row } from '@/testing/fake-table.ts';
import { fakeTable } from '@/testing/fake-table.ts';
import type { FakeServices } from '@/testing/fakes.ts';
import { fakeServices, json } from '@/testing/fakes.ts';
import { ImageLibraryStrip } from './image-library-strip.tsx';
import { imageOrigin } from './image-origin.tsx';
import { generatedImage, libraryImage, pngDataUrl } from './library-image.fixture.ts';
import type { LibraryImage } from './library-image.ts';
import { LiveMaps } from '@/features/map/index.ts';
import { mapStores, noActions } from './live-figure.fixture.ts';
import { useCommonScaleOf } from './common-scale.tsx';
import { MainViewer } from './main-viewer.tsx';
import type { ImageLibrary } from './use-image-library.ts';
import { useImageLibrary } from './use-image-library.ts';

const table = '/rest/v1/generated_images';
let fake: FakeServices;
let rows: Row[];
let library: ImageLibrary;
beforeEach(() => {
  fake = fakeServices();
  rows = fakeTable(fake, 'generated_images');
  fake.auth.signIn();
});
afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

function Explorer({ onLibrary }: { onLibrary: (library: ImageLibrary) => void }) {
  const session = useSession();
  const [opened] = useState(0);
  const defaultImage = useMemo(
    () =>
      libraryImage('default', {
        title: 'Cell types',
        type: 'default',
        imageUrl: '/umap.png',
        createdAt: opened,
      }),
    [opened],
  );
  const library = useImageLibrary({
    user: session.status === 'signed-in' ? session.user : null,
    defaultImage,
  });
  const scale = useCommonScaleOf(library.viewed);
  useLayoutEffect(() => {
    onLibrary(library);
  });
  return (
    <TooltipProvider>
      <section aria-label="Main Viewer">
        <LiveMaps stores={mapStores}>
          <MainViewer
            library={library}
            scale={scale}
            originOf={originOf}
            opened={{ filename: 'opened', version: '1' }}
            selectionActions={noActions}
            onKeep={() => Promise.resolve()}
            onRedraw={() => Promise.resolve()}
          />
        </LiveMaps>
      </section>
      <ImageLibraryStrip library={library} originOf={originOf} onRedraw={() => Promise.resolve()} />
      <Toaster theme="light" />
    </TooltipProvider>
  );
}

const originOf = (image: LibraryImage) => {
  const foreign = image.datasetName !== 'd';
  return imageOrigin(image, {
    datasetName: foreign ? 'Other' : 'Dataset D',
    foreign,
    subsets: [],
    version: undefined,
    lost: null,
  });
};

function open() {
  return render(
    <ServicesContext value={fake.services}>
      <QueryClientProvider client={createQueryClient()}>
        <Explorer onLibrary={(shown) => void (library = shown)} />
      </QueryClientProvider>
    </ServicesContext>,
  );
}

function storedRow(id: string, at: number, overrides: Row = {}): Row {
  return {
    image_id: id,
    user_id: 'ada',
    title: id,
    subtitle: 'Expression UMAP',
    image_data: pngDataUrl,
    image_type: 'gene',
    dataset_name: 'd',
    disease_name: '',
    subset_group_name: 'Global',
    created_at: new Date(at).toISOString(),
    figure_source: null,
    ...overrides,
  };
}

const loaded = () => waitFor(() => expect(screen.queryByText('Loading your images...')).toBeNull());
const titles = () => library.images.map(({ title }) => title);
const viewed = () => library.viewed.map(({ title }) => title);
const add = (...names: string[]) => act(() => library.add(names.map((name) => generatedImage(name))));
const saved = (count: number) => waitFor(() => expect(rows).toHaveLength(count));

describe('the image library', () => {
  test('opens with the images of the user, the newest four of this dataset in the viewer', async () => {
    rows.push(
      storedRow('new', 5),
      storedRow('elsewhere', 4, { dataset_name: 'other.h5ad' }),
      storedRow('old', 3),
    );
    open();
    await loaded();
    expect(titles()).toEqual(['Cell types', 'new', 'elsewhere', 'old']);
    expect(viewed()).toEqual(['new', 'old', 'Cell types']);
    expect(screen.getByText('Other')).toBeVisible();
    // Files are asked for by those that show them: three cards of the library, two of them in the viewer too.
    const files = fake.requests.filter(({ path }) => path.includes('select=image_data'));
    expect(files).toHaveLength(3);
  });

  test('the pages, the selection rules and what can be deleted', async () => {
    open();
    await loaded();
    add('a', 'b', 'c', 'd');
    expect(viewed()).toEqual(['a', 'b', 'c', 'd']);
    const strip = screen.getByRole('region', { name: 'Image Library' });
    expect(within(strip).getByRole('button', { name: 'Viewer Full' })).toBeDisabled();
    expect(within(strip).queryByRole('button', { name: /^Delete Cell types/ })).toBeNull();
    fireEvent.click(within(strip).getByRole('button', { name: 'Hide b, Expression UMAP' }));
    fireEvent.click(within(strip).getByRole('button', { name: 'Select Cell types, Expression UMAP' }));
    expect(viewed()).toEqual(['a', 'c', 'd', 'Cell types']);
    fireEvent.click(within(strip).getByRole('button', { name: 'Next page' }));
    await saved(4);
    fireEvent.click(within(strip).getByRole('button', { name: 'Delete d, Expression UMAP' }));
    expect(viewed()).toEqual(['a', 'c', 'Cell types']);
    // The last image of the last page took the page with it.
    expect(library.page).toBe(0);
    expect(await screen.findByText('Image Deleted')).toBeInTheDocument();
    await saved(3);
  });

  test('images of other datasets stay in the library when one is drawn, and are selected by hand', async () => {
    rows.push(storedRow('elsewhere', 5, { dataset_name: 'other.h5ad' }), storedRow('old', 3));
    open();
    await loaded();
    add('a');
    expect(titles()).toEqual(['Cell types', 'a', 'elsewhere', 'old']);
    expect(viewed()).toEqual(['a', 'old', 'Cell types']);
    fireEvent.click(screen.getByRole('button', { name: 'Select elsewhere, Expression UMAP, Other' }));
    expect(viewed()).toEqual(['a', 'old', 'Cell types', 'elsewhere']);
    expect(
      within(screen.getByRole('region', { name: 'Main Viewer' })).getByRole('button', {
        name: 'Open elsewhere, Expression UMAP, Other large',
      }),
    ).toBeVisible();
    await saved(3);
  });

  test('lists the images of this dataset alone where that is chosen, by pages of four, also on the next visit', async () => {
    rows.push(
      ...['e', 'd', 'c'].map((id, place) => storedRow(id, 20 - place, { dataset_name: 'other.h5ad' })),
      ...['b', 'a'].map((id, place) => storedRow(id, 10 - place)),
    );
    const first = open();
    await loaded();
    const strip = () => within(screen.getByRole('region', { name: 'Image Library' }));
    const cards = () =>
      strip()
        .getAllByRole('listitem')
        .map((card) => card.querySelector('p')?.textContent);
    // Images of the open dataset first.
    expect(cards()).toEqual(['Cell types', 'b', 'a', 'e']);
    expect(strip().getByText('5 images and the default UMAP · the newest 30 are kept')).toBeVisible();
    fireEvent.click(strip().getByRole('button', { name: 'Next page' }));
    expect(cards()).toEqual(['d', 'c']);
    fireEvent.click(strip().getByRole('radio', { name: 'This dataset' }));
    expect(cards()).toEqual(['Cell types', 'b', 'a']);
    expect(strip().queryByRole('navigation')).toBeNull();
    expect(strip().getByText('2 images and the default UMAP · the newest 30 are kept')).toBeVisible();
    first.unmount();
    open();
    await loaded();
    expect(cards()).toEqual(['Cell types', 'b', 'a']);
    fireEvent.click(strip().getByRole('radio', { name: 'All' }));
    expect(strip().getByText('Page 1 of 2')).toBeVisible();
  });

  test('a wide strip shows eight images, and pages go on in steps of four', async () => {
    vi.spyOn(HTMLUListElement.prototype, 'clientWidth', 'get').mockReturnValue(1490);
    rows.push(...Array.from({ length: 12 }, (_, place) => storedRow(`i${place}`, 100 - place)));
    open();
    await loaded();
    const strip = within(screen.getByRole('region', { name: 'Image Library' }));
    const cards = () => strip.getAllByRole('listitem').map((card) => card.querySelector('p')?.textContent);
    const next = () => strip.getByRole('button', { name: 'Next page' });
    expect(cards()).toEqual(['Cell types', ...[0, 1, 2, 3, 4, 5, 6].map((place) => `i${place}`)]);
    expect(strip.getByText('Page 1 of 3')).toBeVisible();
    fireEvent.click(next());
    expect(cards()).toEqual([3, 4, 5, 6, 7, 8, 9, 10].map((place) => `i${place}`));
    fireEvent.click(next());
    expect(cards()).toEqual([7, 8, 9, 10, 11].map((place) => `i${place}`));
    expect(next()).toBeDisabled();
  });

  test('every card has one menu of files, with their sizes, that keys work', async () => {
    const png = Uint8Array.of(
      137,
      80,
      78,
      71,
      13,
      10,
      26,
      10,
      0,
      0,
      0,
      13,
      73,
      72,
      68,
      82,
      0,
      0,
      4,
      176,
      0,
      0,
      3,
      232,
    );
    const imageUrl = `data:image/png;base64,${btoa(String.fromCharCode(...png))}`;
    const files = {
      png: { width: 1200, height: 1000 },
      'png-300dpi': { width: 2326, height: 1400 },
      svg: { width: 646, height: 389 },
      pdf: { width: 197, height: 119 },
    };
    fake.answer('/api/render-figure', ({ body }) =>
      (body as { format: string }).format === 'json'
        ? Response.json({ files })
        : new Response(new Blob(['png'], { type: 'image/png' })),
    );
    const user = userEvent.setup();
    open();
    await loaded();
    const source = {
      dataset_filename: 'd',
      version: '1',
      content: { kind: 'gene-umap', gene: 'a' },
    } as const;
    act(() => library.add([generatedImage('a', { source, imageUrl }), generatedImage('old', { imageUrl })]));
    for (const region of ['Main Viewer', 'Image Library']) {
      const card = within(screen.getByRole('region', { name: region }));
      const trigger = card.getByRole('button', { name: 'Download a, Expression UMAP' });
      trigger.focus();
      await user.keyboard('{Enter}');
      expect(await screen.findByRole('menuitem', { name: /^PNG 1200 × 1000 px/ })).toHaveFocus();
      expect(await screen.findByRole('menuitem', { name: /^SVG 646 × 389 px/ })).toBeVisible();
      await user.keyboard('{ArrowDown}');
      expect(screen.getByRole('menuitem', { name: /^PNG, 300 dpi 2326 × 1400 px/ })).toHaveFocus();
      await user.keyboard('{Enter}');
      await waitFor(() =>
        expect(fake.requests.at(-1)).toMatchObject({
          path: '/api/render-figure',
          body: { source, format: 'png-300dpi' },
        }),
      );
      expect((await screen.findAllByText('d_a_UMAP_300dpi.png')).length).toBeGreaterThan(0);
    }
    // It is not known what the other was drawn from: there is the one file of it.
    fireEvent.keyDown(
      within(screen.getByRole('region', { name: 'Main Viewer' })).getByRole('button', {
        name: 'Download old, Expression UMAP',
      }),
      { key: 'Enter' },
    );
    expect(await screen.findByRole('menuitem', { name: /^PNG 1200 × 1000 px/ })).toBeVisible();
    expect(screen.getByRole('menuitem', { name: /^SVG/ })).toHaveAttribute('aria-disabled', 'true');
  });

  test('a file has the format, title and width that are chosen for it, and says how large its type is', async () => {
    const pixels = { width: 600, height: 500 };
    fake.answer('/api/render-figure', ({ body }) => {
      const { format, file } = body as { format: string; file?: { width_mm?: number } };
      const pdf = { width: file?.width_mm ?? 183, height: 74 };
      return format === 'json'
        ? Response.json({ files: { png: pixels, 'png-300dpi': pixels, svg: pixels, pdf } })
        : new Response(new Blob(['%PDF'], { type: 'application/pdf' }));
    });
    const user = userEvent.setup();
    open();
    await loaded();
    const source = { dataset_filename: 'd', content: { kind: 'gene-umap', gene: 'a' } } as const;
    act(() => library.add([generatedImage('a', { source })]));
    const card = within(screen.getByRole('region', { name: 'Main Viewer' }));
    card.getByRole('button', { name: 'Download a, Expression UMAP' }).focus();
    await user.keyboard('{Enter}');
    await user.click(await screen.findByRole('menuitem', { name: 'Title and width…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Download figure' }));
    const width = dialog.getByLabelText('Width in mm');
    await user.type(width, '12');
    expect(dialog.getByText('Enter a width of 30 to 420 mm.')).toBeVisible();
    expect(dialog.getByRole('button', { name: 'Download' })).toBeDisabled();
    await user.clear(width);
    await user.type(width, '89');
    expect(await dialog.findByText('89 × 74 mm · smallest text 6.1 pt')).toBeVisible();
    await user.click(dialog.getByRole('combobox', { name: 'Title block' }));
    await user.click(await screen.findByRole('option', { name: 'With your own title' }));
    const title = dialog.getByRole('textbox', { name: 'Title' });
    await user.clear(title);
    await user.type(title, 'Figure 2a');
    await user.click(dialog.getByRole('button', { name: 'Download' }));
    await waitFor(() =>
      expect(fake.requests.at(-1)).toMatchObject({
        path: '/api/render-figure',
        body: { source, format: 'pdf', file: { title: 'Figure 2a', width_mm: 89 } },
      }),
    );
  });

  test('offers no choice of datasets where all images are of one', async () => {
    rows.push(storedRow('a', 1));
    open();
    await loaded();
    expect(screen.queryByRole('radio')).toBeNull();
  });

  test('an image that is there is found, and brought to the front', async () => {
    open();
    await loaded();
    add('a', 'b', 'c', 'd', 'e');
    const match = library.find(generatedImage('e'));
    expect(match?.title).toBe('e');
    expect(library.find(generatedImage('e', { plotKind: 'violin' }))).toBeUndefined();
    act(() => library.show([match?.id ?? '', 'gone']));
    expect(viewed()).toEqual(['e', 'a', 'b', 'c']);
    act(() => library.reorder(0, 3));
    expect(viewed()).toEqual(['a', 'b', 'c', 'e']);
  });

  test('images that were there and are drawn with new ones are shown beside them, before others', async () => {
    open();
    await loaded();
    add('a', 'b', 'c', 'd', 'e');
    const old = library.find(generatedImage('e'))!.id;
    act(() => void library.add([generatedImage('new')], [old]));
    expect(viewed()).toEqual(['new', 'e', 'a', 'b']);
  });

  test('of two images of one gene the card of the subset says so', async () => {
    open();
    await loaded();
    act(() => library.add([generatedImage('a', { subsetGroupName: 'T cells' }), generatedImage('a')]));
    expect(screen.getByRole('button', { name: 'Open a, Expression UMAP, T cells large' })).toBeVisible();
    expect(screen.getByRole('heading', { name: 'aExpression UMAP · T cells' })).toBeVisible();
    await saved(2);
  });

  test('one notice reports what is not saved, which stays, and is saved on a retry', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    open();
    await loaded();
    fake.answer(table, () => json({ message: 'down' }, 500));
    add('a', 'b');
    expect(await screen.findByText('Failed to save image to library.')).toBeInTheDocument();
    expect(await screen.findByText('2 images not saved.')).toBeVisible();
    expect(screen.getAllByText('Failed to save image to library.')).toHaveLength(1);
    rows = fakeTable(fake, 'generated_images');
    fireEvent.click(screen.getByRole('button', { name: 'Save again' }));
    await saved(2);
    await waitFor(() => expect(screen.queryByText(/not saved/)).toBeNull());
  });

  test('an image that is larger than a row may be says so, and offers no second try', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    open();
    await loaded();
    const hint = 'Shorten it: image_data takes 4 MiB at most.';
    fake.answer(table, ({ method }) =>
      method === 'POST' ? json({ code: '23514', message: 'violates', hint }, 400) : json([]),
    );
    add('a');
    expect(await screen.findByText(`Failed to save image to library. ${hint}`)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });

  test('an image that the server keeps comes back to its place, with a notice', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    rows.push(storedRow('a', 1));
    open();
    await loaded();
    expect(viewed()).toEqual(['a', 'Cell types']);
    fake.answer(table, ({ method }) => (method === 'DELETE' ? json({ message: 'down' }, 500) : json([])));
    fireEvent.click(screen.getByRole('button', { name: 'Delete a, Expression UMAP' }));
    expect(titles()).toEqual(['Cell types']);
    expect(viewed()).toEqual(['Cell types']);
    expect(await screen.findByText('Failed to delete image. Please try again.')).toBeInTheDocument();
    expect(titles()).toEqual(['Cell types', 'a']);
    expect(viewed()).toEqual(['a', 'Cell types']);
  });

  test('the large view leafs through the viewer and keeps its zoom', async () => {
    open();
    await loaded();
    add('a', 'b');
    fireEvent.click(screen.getByRole('button', { name: 'Open a, Expression UMAP large' }));
    expect(screen.getByText('1 of 3')).toBeVisible();
    fireEvent.click(screen.getByRole('button', { name: 'Zoom in' }));
    fireEvent.keyDown(screen.getByRole('application'), { key: 'PageDown' });
    expect(screen.getByRole('heading', { name: 'b' })).toBeVisible();
    expect(screen.getByText('140 %')).toBeVisible();
    fireEvent.keyDown(screen.getByRole('application'), { key: 'PageUp' });
    fireEvent.click(screen.getByRole('button', { name: 'Previous image' }));
    expect(screen.getByRole('heading', { name: 'Cell types' })).toBeVisible();
    await saved(2);
  });

  test('a list that cannot be loaded is reported, and can be requested again; images of the visit are there', async () => {
    fake.answer(table, () => json({ message: 'down' }, 500));
    open();
    expect(await screen.findByText('Your saved images could not be loaded.')).toBeVisible();
    rows = fakeTable(fake, 'generated_images', [storedRow('a', 1)]);
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(titles()).toEqual(['Cell types', 'a']));
  });

  test('saving without a user fails with User not authenticated', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    fake = fakeServices();
    open();
    add('a');
    expect(await screen.findByText('User not authenticated')).toBeInTheDocument();
    expect(fake.requests.filter(({ path }) => path.startsWith(table))).toEqual([]);
    expect(titles()).toEqual(['Cell types', 'a']);
  });

  test('files are given addresses while they are shown, and none is left behind', async () => {
    const openUrls = new Set<string>();
    let urlCount = 0;
    vi.spyOn(URL, 'createObjectURL').mockImplementation(() => {
      const url = `blob:${++urlCount}`;
      openUrls.add(url);
      return url;
    });
    vi.spyOn(URL, 'revokeObjectURL').mockImplementation((url) => void openUrls.delete(url));
    open();
    await loaded();
    for (let turn = 0; turn < 2; turn++) {
      add(...Array.from({ length: 5 }, (_, n) => `g${turn}-${n}`));
      await saved(5);
      for (const { id } of library.generated) act(() => library.delete(id));
      await saved(0);
    }
    expect(urlCount).toBeGreaterThan(5);
    await waitFor(() => expect(openUrls.size).toBe(0));
  });
});
