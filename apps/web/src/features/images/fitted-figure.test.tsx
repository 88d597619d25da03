import type { FigureContent, RenderFigureRequest } from '@cellfolio/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Toaster } from '@/components/ui/toaster.tsx';
import { TooltipProvider } from '@/components/ui/tooltip.tsx';
import { createQueryClient } from '@/lib/query-client.ts';
import { ServicesContext } from '@/lib/services.ts';
import { themeStore } from '@/lib/theme.ts';
import type { FakeServices } from '@/testing/fakes.ts';
import { fakeServices, json } from '@/testing/fakes.ts';
import { FittedOver } from './fitted-figure.tsx';
import { imageOrigin } from './image-origin.tsx';
import { libraryImage } from './library-image.fixture.ts';
import type { LibraryImage } from './library-image.ts';
import { LiveMaps } from '@/features/map/index.ts';
import { mapStores, noActions } from './live-figure.fixture.ts';
import { useCommonScaleOf } from './common-scale.tsx';
import { MainViewer } from './main-viewer.tsx';
import type { ImageLibrary } from './use-image-library.ts';

const path = '/api/render-figure';
let fake: FakeServices;
/** Size of every figure container in CSS pixels; tests change it. */
let place = { width: 500, height: 260 };
const observers = new Set<() => void>();

function resize(width: number, height: number): void {
  place = { width, height };
  act(() => observers.forEach((notify) => notify()));
}

const file = () => new Response(new Blob(['png'], { type: 'image/png' }));
const ranges: Record<string, [number, number]> = { CD3D: [0, 6.2], EPCAM: [0, 4.5], state: [-0.2, 0.4] };

function answerOf({ source: { content }, format }: RenderFigureRequest): Response {
  if (format !== 'json') return file();
  const [low, high] = ranges['gene' in content ? content.gene : 'state'] ?? [0, 1];
  const isViolin = content.kind.endsWith('-violin');
  return json({
    domain: isViolin ? [low, high] : { low, high },
    unit: 'gene' in content ? 'log-normalized expression' : 'signature score',
  });
}

beforeEach(() => {
  fake = fakeServices();
  fake.auth.signIn();
  fake.answer(path, ({ body }) => answerOf(body as RenderFigureRequest));
  place = { width: 500, height: 260 };
  vi.stubGlobal('devicePixelRatio', 2);
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly #tell: () => void;
      constructor(changed: (entries: unknown[]) => void) {
        this.#tell = () => changed([{ contentRect: place }]);
      }
      observe() {
        observers.add(this.#tell);
        this.#tell();
      }
      unobserve() {}
      disconnect() {
        observers.delete(this.#tell);
      }
    },
  );
});
afterEach(() => {
  act(() => themeStore.set('system'));
  observers.clear();
  vi.restoreAllMocks();
});

function shown(id: string, content: FigureContent | null, overrides: Partial<LibraryImage> = {}) {
  return libraryImage(id, {
    imageUrl: `/${id}.png`,
    source: content && { dataset_filename: 'd', version: '1', content },
    ...overrides,
  });
}
const gene = (name: string, kind: 'gene-umap' | 'gene-violin' = 'gene-umap') =>
  shown(kind === 'gene-umap' ? name : `${name} violin`, { kind, gene: name });

const originOf = (image: LibraryImage) =>
  imageOrigin(image, { datasetName: 'D', foreign: false, subsets: [], version: undefined, lost: null });

function ScaledViewer(props: Omit<ComponentProps<typeof MainViewer>, 'scale'>) {
  return <MainViewer {...props} scale={useCommonScaleOf(props.library.viewed)} />;
}

function viewer(images: readonly LibraryImage[]) {
  const library = {
    images,
    viewed: images,
    viewer: images.map(({ id }) => id),
    loading: false,
    expected: 0,
  } as unknown as ImageLibrary;
  return (
    <ServicesContext value={fake.services}>
      <QueryClientProvider client={client}>
        <TooltipProvider>
          <LiveMaps stores={mapStores}>
            <ScaledViewer
              library={library}
              originOf={originOf}
              opened={{ filename: 'opened', version: '1' }}
              selectionActions={noActions}
              onKeep={() => Promise.resolve()}
              onRedraw={() => Promise.resolve()}
            />
          </LiveMaps>
          <Toaster theme="light" />
        </TooltipProvider>
      </QueryClientProvider>
    </ServicesContext>
  );
}

let client = createQueryClient();
function open(...images: LibraryImage[]) {
  client = createQueryClient();
  return render(viewer(images));
}

const sent = () => fake.requests.filter((request) => request.path === path);
const bodies = () => sent().map(({ body }) => body as RenderFigureRequest);
const imageRequests = () => bodies().filter(({ format }) => format !== 'json');
/** Pictures laid over the stored ones; they have an empty alt text. */
const laidOver = () => Array.from(document.querySelectorAll<HTMLImageElement>('li img[alt=""]'));
const settle = () => act(() => new Promise((done) => setTimeout(done, 300)));

describe('the figure of a card', () => {
  test('is drawn at the size and ratio of its place in the theme of the page, and laid over the stored picture', async () => {
    open(gene('CD3D'));
    expect(await screen.findByAltText('CD3D, Expression UMAP')).toHaveAttribute('src', '/CD3D.png');
    await waitFor(() => expect(laidOver()).toHaveLength(1));
    expect(bodies()).toEqual([
      {
        source: { dataset_filename: 'd', version: '1', content: { kind: 'gene-umap', gene: 'CD3D' } },
        format: 'png',
        view: { width: 496, height: 256, ratio: 2, theme: 'light', whole: false },
      },
    ]);
    const [picture] = laidOver();
    expect(picture?.parentElement).toHaveClass('opacity-0');
    fireEvent.load(picture!);
    expect(picture?.parentElement).not.toHaveClass('opacity-0');
    expect(picture).toHaveStyle({ width: '496px', height: '256px' });
  });

  test('is requested again when its place has come to rest in another size, and not for a few pixels', async () => {
    open(gene('CD3D'));
    await waitFor(() => expect(imageRequests()).toHaveLength(1));
    for (let width = 520; width <= 700; width += 20) resize(width, 300);
    await settle();
    expect(imageRequests().map(({ view }) => view?.width)).toEqual([496, 688]);
    resize(703, 303);
    await settle();
    expect(imageRequests()).toHaveLength(2);
    expect(laidOver()).toHaveLength(1);
  });

  test('is not requested by a place too small to read, nor in more pixels than the server draws', async () => {
    open(gene('CD3D'));
    await waitFor(() => expect(imageRequests()).toHaveLength(1));
    resize(100, 300);
    await settle();
    expect(imageRequests()).toHaveLength(1);
    resize(2400, 1600);
    await waitFor(() => expect(imageRequests()).toHaveLength(2));
    expect(imageRequests()[1]?.view).toMatchObject({ width: 2400, height: 1600, ratio: 1.44 });
  });

  test('is not waited for by a card that goes away', async () => {
    fake.answer(path, () => new Promise<Response>(() => {}));
    const { rerender } = open(gene('CD3D'), gene('EPCAM'));
    await waitFor(() => expect(sent()).toHaveLength(2));
    rerender(viewer([gene('CD3D')]));
    const aborted = () =>
      Object.fromEntries(
        sent().map(({ body, signal }) => {
          const { content } = (body as RenderFigureRequest).source;
          return ['gene' in content ? content.gene : '', signal?.aborted];
        }),
      );
    await waitFor(() => expect(aborted()).toEqual({ CD3D: false, EPCAM: true }));
  });

  test('stays the stored picture without a source, without a map, and where it cannot be drawn any more', async () => {
    fake.answer(path, () => json({ code: 'dataset_not_found', message: 'Gone.' }, 404));
    open(
      shown('old', null),
      shown('none', { kind: 'category-umap' }, { missing: 'This dataset has no UMAP.' }),
      gene('CD3D'),
    );
    await waitFor(() => expect(sent()).toHaveLength(1));
    await settle();
    expect(laidOver()).toEqual([]);
    expect(screen.getByAltText('CD3D, Expression UMAP')).toBeInTheDocument();
    expect(screen.getByText('This dataset has no UMAP.')).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(sent()).toHaveLength(1);
  });

  test('is drawn again when the theme is switched, the one before staying until then', async () => {
    open(gene('CD3D'));
    await waitFor(() => expect(laidOver()).toHaveLength(1));
    let answer: ((response: Response) => void) | undefined;
    fake.answer(path, () => new Promise<Response>((done) => (answer = done)));
    act(() => themeStore.set('dark'));
    await waitFor(() => expect(imageRequests().map(({ view }) => view?.theme)).toEqual(['light', 'dark']));
    const [before] = laidOver();
    const address = before?.src;
    expect(address).toBeTruthy();
    await act(async () => answer?.(file()));
    await waitFor(() => expect(laidOver()[0]?.src).not.toBe(address));
    expect(laidOver()).toHaveLength(1);
  });

  test('leaves the picture again where nothing is to be drawn any more', async () => {
    client = createQueryClient();
    const over = (image: LibraryImage) => (
      <ServicesContext value={fake.services}>
        <QueryClientProvider client={client}>
          <li>
            <FittedOver source={image.source ?? null}>
              {() => <img alt="As it came" src="/came.png" />}
            </FittedOver>
          </li>
        </QueryClientProvider>
      </ServicesContext>
    );
    const { rerender } = render(over(gene('CD3D')));
    await waitFor(() => expect(laidOver()).toHaveLength(1));
    rerender(over(shown('old', null)));
    expect(laidOver()).toEqual([]);
    expect(screen.getByAltText('As it came')).toBeInTheDocument();
  });

  test('is an SVG where it is a chart, with the font of the page inside', async () => {
    const font = new Response(new Uint8Array([1, 2, 3]));
    const fetchSpy = vi.spyOn(globalThis, 'fetch').mockResolvedValue(font);
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><text>B cell</text></svg>';
    fake.answer(path, () => new Response(svg, { headers: { 'content-type': 'image/svg+xml' } }));
    const files = vi.spyOn(URL, 'createObjectURL');
    open(gene('CD3D', 'gene-violin'));
    await waitFor(() => expect(laidOver()).toHaveLength(1));
    expect(imageRequests()).toMatchObject([
      { format: 'svg', view: { width: 496, height: 256, ratio: 1, theme: 'light', whole: false } },
    ]);
    expect(fetchSpy).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('inter-common'));
    const shownFile = files.mock.lastCall![0] as Blob;
    expect(shownFile.type).toBe('image/svg+xml');
    expect(await shownFile.text()).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg">' +
        '<style>@font-face{font-family:Inter;font-weight:100 900;src:url(data:font/woff2;base64,AQID)}</style>' +
        '<text>B cell</text></svg>',
    );
  });

  test('is the chart without a font of its own where that cannot be had', async () => {
    vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('', { status: 404 }));
    fake.answer(path, () => new Response('<svg/>', { headers: { 'content-type': 'image/svg+xml' } }));
    const files = vi.spyOn(URL, 'createObjectURL');
    open(gene('CD3D', 'gene-violin'));
    await waitFor(() => expect(laidOver()).toHaveLength(1));
    expect(await (files.mock.lastCall![0] as Blob).text()).toBe('<svg/>');
  });

  test('is not requested again where a chart is zoomed, which is sharp as it is', async () => {
    vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('', { status: 404 }));
    open(gene('CD3D', 'gene-violin'));
    fireEvent.click(screen.getByRole('button', { name: 'Open CD3D violin, Expression UMAP large' }));
    await waitFor(() => expect(imageRequests()).toHaveLength(2));
    expect(imageRequests()[1]).toMatchObject({ format: 'svg', view: { ratio: 1, whole: true } });
    for (let i = 0; i < 3; i++) fireEvent.click(screen.getByRole('button', { name: 'Zoom in' }));
    await settle();
    expect(imageRequests()).toHaveLength(2);
  });

  test('is drawn whole in the large view, and with more pixels where it is zoomed', async () => {
    open(gene('CD3D'));
    fireEvent.click(screen.getByRole('button', { name: 'Open CD3D, Expression UMAP large' }));
    await waitFor(() => expect(imageRequests()).toHaveLength(2));
    expect(imageRequests()[1]?.view).toMatchObject({ width: 496, ratio: 2, theme: 'light', whole: true });
    fireEvent.click(screen.getByRole('button', { name: 'Zoom in' }));
    await waitFor(() => expect(imageRequests().at(-1)?.view).toMatchObject({ ratio: 4, whole: true }));
    fireEvent.click(screen.getByRole('button', { name: 'Zoom in' }));
    await settle();
    expect(imageRequests()).toHaveLength(3);
  });
});

describe('the switch for one scale', () => {
  const turn = () => fireEvent.click(screen.getByRole('switch', { name: 'Same scale' }));
  const rangeOf = (id: string) =>
    imageRequests().findLast(
      ({ source: { content }, view }) =>
        view && 'gene' in content && `${content.kind}:${content.gene}` === id,
    )?.range;

  test('draws all images of one measure with one range, says it, and is remembered', async () => {
    const images = [
      gene('CD3D'),
      gene('EPCAM'),
      gene('EPCAM', 'gene-violin'),
      shown('default', { kind: 'category-umap' }),
    ];
    const first = open(...images);
    await waitFor(() => expect(imageRequests()).toHaveLength(4));
    expect(bodies().some(({ format }) => format === 'json')).toBe(false);
    turn();
    expect(await screen.findByText('0 to 6.2, log-normalized')).toBeVisible();
    await waitFor(() => expect(imageRequests()).toHaveLength(7));
    for (const id of ['gene-umap:CD3D', 'gene-umap:EPCAM', 'gene-violin:EPCAM']) {
      expect(rangeOf(id)).toEqual([0, 6.2]);
    }
    first.unmount();
    open(...images);
    await waitFor(() => expect(screen.getByRole('switch', { name: 'Same scale' })).toBeChecked());
    expect(await screen.findByText('0 to 6.2, log-normalized')).toBeVisible();
    await waitFor(() => expect(imageRequests()).toHaveLength(11));
    // Nothing was drawn in a range of its own first.
    expect(
      imageRequests()
        .slice(7)
        .filter(({ range }) => range === undefined),
    ).toHaveLength(1);
    turn();
    expect(screen.queryByText('0 to 6.2, log-normalized')).toBeNull();
  });

  test('compares scores with scores, and expression with expression', async () => {
    const state = shown('state', {
      kind: 'score-umap',
      of: 'cell-state',
      cell_state: 'HYPOXIA',
      minimum_genes: 3,
    });
    const { rerender } = open(gene('CD3D'), state);
    expect(screen.queryByRole('switch')).toBeNull();
    const other = shown('other', { kind: 'score-violin', of: 'signature', score_name: 'mine', genes: ['A'] });
    rerender(viewer([gene('CD3D'), state, other]));
    turn();
    expect(await screen.findByText('−0.2 to 0.4, scores')).toBeVisible();
    await waitFor(() => expect(imageRequests().filter(({ range }) => range !== undefined)).toHaveLength(2));
    expect(rangeOf('gene-umap:CD3D')).toBeUndefined();
  });

  test('says so where the values have different units, and leaves each its own scale', async () => {
    fake.answer(path, ({ body }) => {
      const { format, source } = body as RenderFigureRequest;
      const unit = JSON.stringify(source).includes('EPCAM') ? 'counts' : 'log-normalized expression';
      return format === 'json' ? json({ domain: { low: 0, high: 1 }, unit }) : file();
    });
    open(gene('CD3D'), gene('EPCAM'));
    turn();
    expect(await screen.findByText(/each keeps its own scale/)).toBeVisible();
    await settle();
    expect(imageRequests().filter(({ range }) => range !== undefined)).toEqual([]);
  });

  test('leaves an image whose range cannot be known its own, and says so', async () => {
    fake.answer(path, ({ body }) => {
      const request = body as RenderFigureRequest;
      const isReplaced = JSON.stringify(request.source).includes('VWF');
      return isReplaced ? json({ code: 'dataset_changed', message: 'Replaced.' }, 409) : answerOf(request);
    });
    open(gene('CD3D'), gene('EPCAM'), gene('VWF'));
    turn();
    expect(
      await screen.findByText('0 to 6.2, log-normalized · 1 without a known range keeps its own'),
    ).toBeVisible();
  });

  test('is obeyed by the large view and by what is downloaded there, on white whatever the theme', async () => {
    act(() => themeStore.set('dark'));
    open(gene('CD3D'), gene('EPCAM'));
    turn();
    await waitFor(() => expect(rangeOf('gene-umap:EPCAM')).toEqual([0, 6.2]));
    fireEvent.click(screen.getByRole('button', { name: 'Open EPCAM, Expression UMAP large' }));
    await waitFor(() =>
      expect(imageRequests().at(-1)).toMatchObject({ view: { whole: true, theme: 'dark' }, range: [0, 6.2] }),
    );
    const dialog = within(screen.getByRole('dialog'));
    for (const [name, format] of [
      [/^PNGFor the screen/, 'png'],
      [/^PNG, 300 dpi/, 'png-300dpi'],
      [/^SVG/, 'svg'],
    ] as const) {
      fireEvent.keyDown(dialog.getByRole('button', { name: 'Download' }), { key: 'Enter' });
      fireEvent.click(await screen.findByRole('menuitem', { name }));
      await waitFor(() => expect(imageRequests().at(-1)).toMatchObject({ format }));
      expect(imageRequests().at(-1)?.range).toEqual([0, 6.2]);
      expect(imageRequests().at(-1)?.view).toBeUndefined();
      await waitFor(() => expect(dialog.getByRole('button', { name: 'Download' })).toBeEnabled());
    }
  });
});

test('one scale reaches violins of all kinds, and means of genes apart from values of cells', async () => {
  const specs = new Map<string, object>([
    ['violin', { domain: [0, 5], unit: 'log-normalized expression' }],
    [
      'stacked-violin',
      { violins: { domain: [0, 7], unit: 'log-normalized expression' }, meanDomain: [0, 2] },
    ],
    ['matrix-plot', { meanDomain: [0.5, 2], unit: 'log-normalized expression' }],
    ['gene-dot-plot', { meanDomain: [0, 1.5], unit: 'log-normalized expression' }],
  ]);
  fake.answer(path, ({ body }) => {
    const { format, source } = body as RenderFigureRequest;
    return format === 'json' ? json(specs.get(source.content.kind)!) : file();
  });
  open(
    shown('v', { kind: 'violin', of: { measure: 'gene', gene: 'A' } }),
    shown('s', { kind: 'stacked-violin', genes: ['A', 'B'] }),
    shown('m', { kind: 'matrix-plot', genes: ['A'], scale: 'none', order: 'column' }),
    shown('d', { kind: 'gene-dot-plot', genes: ['A'], scale: 'none', order: 'column' }),
  );
  fireEvent.click(screen.getByRole('switch', { name: 'Same scale' }));
  expect(await screen.findByText('0 to 7, log-normalized · 0 to 2, mean log-normalized')).toBeVisible();
  const rangeOf = (kind: string) =>
    imageRequests().findLast(({ source }) => source.content.kind === kind)?.range;
  await waitFor(() => expect(rangeOf('gene-dot-plot')).toEqual([0, 2]));
  await waitFor(() =>
    expect(['violin', 'stacked-violin'].map(rangeOf)).toEqual([
      [0, 7],
      [0, 7],
    ]),
  );
});

describe('the switch for one order', () => {
  const violin = (name: string, by?: string) =>
    shown(`violin ${name}`, {
      kind: 'violin',
      of: { measure: 'gene', gene: name },
      ...(by !== undefined && { by: { column: by } }),
    });
  const groupsOf = new Map([
    [
      'A',
      [
        ['x', 1],
        ['y', 3],
        ['z', 2],
      ],
    ],
    [
      'B',
      [
        ['z', 0],
        ['y', 1],
        ['x', 5],
      ],
    ],
  ] as const);
  const turn = () => fireEvent.click(screen.getByRole('switch', { name: 'Same order' }));
  const orderOf = (name: string) =>
    imageRequests().findLast(
      ({ source: { content } }) =>
        content.kind === 'violin' && content.of.measure === 'gene' && content.of.gene === name,
    )?.order;
  const choose = async (option: string) => {
    fireEvent.keyDown(screen.getByRole('combobox', { name: 'Order of the groups' }), { key: 'Enter' });
    fireEvent.keyDown(await screen.findByRole('option', { name: option }), { key: 'Enter' });
  };

  beforeEach(() => {
    fake.answer(path, ({ body }) => {
      const { format, source } = body as RenderFigureRequest;
      const { content } = source;
      if (format !== 'json' || content.kind !== 'violin' || content.of.measure !== 'gene') return file();
      const groups = groupsOf.get(content.of.gene as 'A' | 'B')!;
      return json({ groups: groups.map(([label, mean]) => ({ label, cells: 10, mean })) });
    });
  });
  afterEach(() => localStorage.clear());

  test('draws the others as the first of them is, or all by the values of a chosen one, and is remembered', async () => {
    const images = [violin('A'), violin('B'), violin('C', 'patient'), gene('CD3D')];
    const first = open(...images);
    await waitFor(() => expect(imageRequests()).toHaveLength(4));
    turn();
    await waitFor(() => expect(orderOf('B')).toEqual(['x', 'y', 'z']));
    await settle();
    // The first keeps its own, and what has other groups too.
    expect(imageRequests()).toHaveLength(5);
    await choose('by violin B, Expression UMAP, highest first');
    await waitFor(() => expect(orderOf('B')).toEqual(['x', 'y', 'z']));
    await choose('by violin A, Expression UMAP, highest first');
    await waitFor(() =>
      expect([orderOf('A'), orderOf('B')]).toEqual([
        ['y', 'z', 'x'],
        ['y', 'z', 'x'],
      ]),
    );
    first.unmount();
    const before = imageRequests().length;
    open(...images);
    await waitFor(() => expect(screen.getByRole('switch', { name: 'Same order' })).toBeChecked());
    await waitFor(() => expect(imageRequests().length).toBe(before + 4));
    expect(
      imageRequests()
        .slice(before)
        .filter(({ order }) => order !== undefined),
    ).toHaveLength(2);
    turn();
    await settle();
    expect(orderOf('B')).toBeUndefined();
  });

  test('is not offered where no two images have the same groups', async () => {
    open(violin('A'), violin('B', 'patient'), gene('CD3D'));
    await waitFor(() => expect(imageRequests()).toHaveLength(3));
    expect(screen.queryByRole('switch', { name: 'Same order' })).toBeNull();
  });

  test('says so where the groups cannot be read, and leaves each image its own order', async () => {
    fake.answer(path, ({ body }) =>
      (body as RenderFigureRequest).format === 'json'
        ? json({ code: 'dataset_changed', message: 'Replaced.' }, 409)
        : file(),
    );
    open(violin('A'), violin('B'));
    turn();
    expect(await screen.findByText(/could not be read: each image keeps its own order/)).toBeVisible();
    expect(imageRequests().every(({ order }) => order === undefined)).toBe(true);
  });

  test('is obeyed by what is downloaded', async () => {
    open(violin('A'), violin('B'));
    turn();
    await waitFor(() => expect(orderOf('B')).toEqual(['x', 'y', 'z']));
    fireEvent.keyDown(screen.getByRole('button', { name: /^Download violin B/ }), { key: 'Enter' });
    fireEvent.click(await screen.findByRole('menuitem', { name: /^SVG/ }));
    await waitFor(() =>
      expect(imageRequests().at(-1)).toMatchObject({ format: 'svg', order: ['x', 'y', 'z'] }),
    );
    expect(imageRequests().at(-1)!.view).toBeUndefined();
  });
});
