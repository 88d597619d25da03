import type { RenderFigureRequest } from '@cellfolio/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Toaster } from '@/components/ui/toaster.tsx';
import { createQueryClient } from '@/lib/query-client.ts';
import { ServicesContext } from '@/lib/services.ts';
import { themeStore } from '@/lib/theme.ts';
import type { FakeServices } from '@/testing/fakes.ts';
import { fakeServices, json } from '@/testing/fakes.ts';
import { chooseFile } from '@/testing/results.ts';
import { watchSavedFiles } from '@/testing/stand-ins.ts';
import type { AnalysisResult } from './analysis-module.ts';
import { markerAnswer, markerResult, pathwayAnswer, pathwayResult } from './result.fixture.ts';
import { ResultView } from './result-view.tsx';

/** Requests, except for those of category labels and gene lists. */
const sentRequests = () => fake.requests.filter(({ path }) => !/category-displays|gene-lists/.test(path));
let saved: ReturnType<typeof watchSavedFiles>;
let fake: FakeServices;
beforeEach(() => {
  fake = fakeServices();
  saved = watchSavedFiles();
  Object.assign(Element.prototype, { hasPointerCapture: () => false, scrollTo: () => {} });
  // jsdom has no layout; the table draws the rows that its height shows.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
});

function png(): Response {
  const bytes = new Uint8Array(33);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  new DataView(bytes.buffer).setUint32(16, 2000);
  new DataView(bytes.buffer).setUint32(20, 900);
  return new Response(bytes, { headers: { 'content-type': 'image/png' } });
}

function placeOf(width: number, height: number): void {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly #tell: (entries: unknown[]) => void;
      constructor(tell: (entries: unknown[]) => void) {
        this.#tell = tell;
      }
      observe() {
        this.#tell([{ contentRect: { width, height } }]);
      }
      unobserve() {}
      disconnect() {}
    },
  );
}

const marker_csv = '# One caution.\ngroup,names,scores\n0,CD79A,9\n3,CD3D,8\n3,CD3E,7\n';
function markers(): AnalysisResult {
  const answer = markerAnswer({ marker_csv });
  const { parameters } = answer;
  return markerResult(marker_csv, {
    dotplot_print: { width: 2160, height: 1080 },
    source: {
      dataset_filename: 'd',
      content: { kind: 'dot-plot', ...parameters, groupby: 'leiden' },
    },
    parameters: { ...parameters, groupby: 'leiden' },
    groups: answer.groups.map((group, place) =>
      Object.assign(group, { name: ['0', '3'][place], markers: place + 1 }),
    ),
  });
}

function open(result: AnalysisResult, { ranAt = 0, changes = [] as string[] } = {}) {
  const nothing = () => {};
  render(
    <ServicesContext value={fake.services}>
      <QueryClientProvider client={createQueryClient()}>
        <ResultView
          {...{ result, ranAt, changes }}
          name={result.module.title}
          genesPerCall={50}
          isBusy={false}
          selection={null}
          onSendGenes={nothing}
          onEnrich={nothing}
          onShow={nothing}
          onRun={nothing}
          onFollow={nothing}
        />
        <Toaster theme="light" />
      </QueryClientProvider>
    </ServicesContext>,
  );
  return userEvent.setup();
}
const button = (name: string | RegExp) => screen.getByRole('button', { name });

async function chooseGroup(user: ReturnType<typeof userEvent.setup>, name: RegExp) {
  await user.click(screen.getByRole('tab', { name: /^Full Table/ }));
  await user.click(screen.getByRole('combobox', { name: 'Group' }));
  await user.click(await screen.findByRole('option', { name }));
}

test('one of hundreds of groups is searched for, and no list of genes is offered for each', async () => {
  const names = Array.from({ length: 300 }, (_, at) => `guide ${at}`);
  const csv = `group,names,scores\n${names.map((name, at) => `${name},GENE${at},1\n`).join('')}`;
  const [group] = markerAnswer().groups;
  const result = markerResult(csv, {
    groups: names.map((name) => Object.assign({}, group, { name, markers: 1 })),
  });
  const user = open(result);
  await user.click(screen.getByRole('tab', { name: /^Full Table/ }));
  await user.click(button('Group: All groups'));
  await user.keyboard('guide 271{Enter}');
  expect(await screen.findByText('1 of 300 rows')).toBeVisible();
  expect(button('Group: guide 271 (1)')).toBeVisible();
  await user.click(button('Group: guide 271 (1)'));
  await user.keyboard('All groups{Enter}');
  await user.click(button(/^Save as List/));
  expect(await screen.findByRole('button', { name: 'Save list' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /^One list for each/ })).toBeNull();
});

test('of thousands of rows only those near what is seen are drawn, also after scrolling', async () => {
  const lines = Array.from({ length: 5000 }, (_, n) => `0,GENE${n},1\n`);
  const user = open(markerResult(`group,names,scores\n${lines.join('')}`));
  await user.click(screen.getByRole('tab', { name: /^Full Table/ }));
  const box = screen.getByRole('region', { name: 'Rows of the Marker Analysis' });
  const table = within(box).getByRole('table');
  expect(table).toHaveAttribute('aria-rowcount', '5001');
  expect(within(table).getByText('GENE0')).toBeVisible();
  expect(within(table).getAllByRole('row').length).toBeLessThan(100);
  box.scrollTop = 32 * 3000;
  fireEvent.scroll(box);
  expect(await within(table).findByText('GENE3000')).toBeVisible();
  expect(within(table).queryByText('GENE0')).toBeNull();
  expect(within(table).getAllByRole('row').length).toBeLessThan(100);
  expect(within(table).getByText('GENE3000').closest('tr')).toHaveAttribute('aria-rowindex', '3002');
});

describe('the files of a result', () => {
  test('in the dark theme the dot plot is drawn dark with the layout of its file', async () => {
    placeOf(800, 400);
    fake.answer('/api/render-figure', () => png());
    act(() => themeStore.set('light'));
    const user = open(markers());
    await user.click(screen.getByRole('tab', { name: 'Dot Plot' }));
    fireEvent.load(await screen.findByRole('img', { name: /^Dot plot/ }));
    const views = () =>
      fake.requests
        .filter(({ path }) => path === '/api/render-figure')
        .map(({ body }) => (body as RenderFigureRequest).view);
    expect(views()).toEqual([]);
    act(() => themeStore.set('dark'));
    await waitFor(() =>
      expect(views()).toEqual([
        expect.objectContaining({ width: 800, height: 400, theme: 'dark', as_file: true }),
      ]),
    );
    const [over] = await waitFor(() => {
      const images = document.querySelectorAll<HTMLImageElement>('img[alt=""]');
      expect(images).toHaveLength(1);
      return images;
    });
    // The light file would be a white sheet in a dark page.
    expect(screen.getByRole('status')).toHaveTextContent('Drawing the figure...');
    expect(screen.getByRole('img', { name: /^Dot plot/ }).closest('.opacity-0')).not.toBeNull();
    fireEvent.load(over!);
    await waitFor(() => expect(screen.queryByText('Drawing the figure...')).toBeNull());
    act(() => themeStore.set('system'));
  });

  test('a figure that cannot be drawn dark says so, is shown as it came, and is tried again', async () => {
    placeOf(800, 400);
    let refused = true;
    fake.answer('/api/render-figure', () =>
      refused ? json({ code: 'no_memory', message: 'No room for it.' }, 422) : png(),
    );
    act(() => themeStore.set('dark'));
    const user = open(markers());
    await user.click(screen.getByRole('tab', { name: 'Dot Plot' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'The dark version could not be drawn: the light one is shown. No room for it.',
    );
    const came = screen.getByRole('img', { name: /^Dot plot/ });
    fireEvent.load(came);
    expect(came.closest('.opacity-0')).toBeNull();
    refused = false;
    await user.click(button('Try again'));
    await waitFor(() => expect(document.querySelectorAll('img[alt=""]')).toHaveLength(1));
    fireEvent.load(document.querySelector('img[alt=""]')!);
    expect(screen.queryByRole('alert')).toBeNull();
    act(() => themeStore.set('system'));
  });

  test('with all rows shown they are the files that came, under their names', async () => {
    const user = open(markers());
    await chooseFile(user, /^Table/, /^CSV/);
    await chooseFile(user, 'Dot Plot', /^PNG\s*800/);
    await waitFor(() => expect(saved).toHaveLength(2));
    expect(saved.map(({ name }) => name)).toEqual(['marker_genes.csv', 'marker_dotplot.png']);
    expect(await saved[0]!.file.text()).toBe(marker_csv);
    expect(sentRequests()).toEqual([]);
  });

  test('the group of the table is that of a saved list, the CSV and the dot plot, and all groups are one click away', async () => {
    fake.answer('/api/render-figure', png);
    const user = open(markers());
    await chooseGroup(user, /^3 /);
    await user.click(button('Save as List'));
    expect(await screen.findByRole('textbox', { name: 'Save 2 genes as a list' })).toHaveValue(
      'leiden 3 markers',
    );
    await user.keyboard('{Escape}');
    await chooseFile(user, 'Table of leiden 3 (2 genes)', 'CSV of leiden 3 (2 genes)');
    await chooseFile(user, 'Table of all groups (3 rows)', 'CSV of all groups (3 rows)');
    await waitFor(() => expect(saved).toHaveLength(2));
    expect(saved.map(({ name }) => name)).toEqual(['marker_genes_leiden_3.csv', 'marker_genes.csv']);
    expect(await saved[0]!.file.text()).toBe(
      '# One caution.\n# Only leiden 3 (2 genes) of all groups (3 rows).\ngroup,names,scores\n3,CD3D,8\n3,CD3E,7\n',
    );
    expect(await saved[1]!.file.text()).toBe(marker_csv);

    await chooseFile(user, 'Dot Plot of leiden 3 (2 genes)', /^PNG\s*For the screen/);
    await waitFor(() => expect(saved).toHaveLength(3));
    expect(saved[2]!.name).toBe('marker_dotplot_leiden_3.png');
    expect(sentRequests()[0]?.body).toMatchObject({
      format: 'png',
      source: { content: { markers: [{ group: '3', genes: ['CD3D', 'CD3E'] }] } },
    });
    expect(await screen.findByText('marker_dotplot_leiden_3.png, 2,000 × 900 pixels')).toBeInTheDocument();

    await user.click(screen.getByRole('tab', { name: 'Dot Plot' }));
    expect(await screen.findByText('As in the table: leiden 3 (2 genes).')).toBeVisible();
    expect(
      await screen.findByRole('img', { name: /Dot plot .*, leiden 3 \(2 genes\)$/ }),
    ).toBeInTheDocument();
    await user.click(button('Show all groups (3 rows)'));
    expect(screen.getByRole('img', { name: /^Dot plot of the Marker Analysis$/ })).toBeInTheDocument();
    await user.click(button('Download'));
    expect(await screen.findByRole('group', { name: 'Dot Plot' })).toBeVisible();
  });

  test('a table that is sorted is saved in its order, and what is searched for alone', async () => {
    const user = open(markers());
    await user.click(screen.getByRole('tab', { name: /^Full Table/ }));
    await user.click(button('Score'));
    await chooseFile(user, /sorted as shown$/, /^CSV/);
    await user.type(screen.getByLabelText('Search the table'), 'cd3');
    expect(await screen.findByText('2 of 3 rows')).toBeVisible();
    await chooseFile(user, 'Table of “cd3” (2 rows)', /^CSV/);
    await waitFor(() => expect(saved).toHaveLength(2));
    expect((await saved[0]!.file.text()).split('\n').slice(2, 5)).toEqual([
      '3,CD3E,7',
      '3,CD3D,8',
      '0,CD79A,9',
    ]);
    expect(saved[1]!.name).toBe('marker_genes_cd3.csv');
    expect((await saved[1]!.file.text()).split('\n').slice(3)).toEqual(['3,CD3E,7', '3,CD3D,8', '']);
  });

  test('the menu says the pixels of the plain figure and of the one for print, and lays out another file', async () => {
    const user = open(markers());
    await user.click(button('Download'));
    expect(await screen.findByRole('menuitem', { name: /^PNG\s*800 × 400 pixels/ })).toBeVisible();
    expect(screen.getByRole('menuitem', { name: /^PNG, 300 dpi\s*2,160 × 1,080 pixels/ })).toBeVisible();
    fake.answer('/api/render-figure', () => png());
    await user.click(screen.getByRole('menuitem', { name: 'Title and width…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Download figure' }));
    await user.type(dialog.getByLabelText('Width in mm'), '89');
    await user.click(dialog.getByRole('button', { name: 'Download' }));
    await waitFor(() => expect(saved.map(({ name }) => name)).toEqual(['marker_dotplot.pdf']));
    expect(fake.requests.at(-1)!.body).toMatchObject({ format: 'pdf', file: { width_mm: 89 } });
  });
});

test('a list is saved for each group, and lists are read again when all of them are', async () => {
  fake.answer('/api/gene-lists', ({ method, body }) =>
    json(
      method === 'GET'
        ? { lists: [] }
        : { id: '00000000-0000-4000-8000-000000000001', revision: 1, ...(body as object) },
    ),
  );
  const user = open(markers());
  await user.click(screen.getByRole('tab', { name: /^Full Table/ }));
  await user.click(button('Save as List'));
  await user.click(await screen.findByRole('button', { name: 'One list for each of 2 groups' }));
  expect(await screen.findByText('2 lists, one for each group.')).toBeVisible();
  const listRequests = fake.requests.filter(({ path }) => path.includes('gene-lists'));
  expect(listRequests.map(({ method }) => method)).toEqual(['GET', 'POST', 'POST', 'GET']);
  expect(listRequests.map(({ body }) => body).slice(1, 3)).toEqual([
    { name: 'leiden 0 markers', genes: ['CD79A'] },
    { name: 'leiden 3 markers', genes: ['CD3D', 'CD3E'] },
  ]);
});

describe('the head of a result', () => {
  test('one that was computed again says when it was run, and what has changed since', () => {
    open(
      { ...markers(), again: true },
      { ranAt: Date.UTC(2026, 10, 12, 12), changes: ['The dataset was replaced.'] },
    );
    expect(screen.getByText(/Run on Nov 12, 2026, .*, recomputed now$/)).toBeVisible();
    expect(screen.getByRole('note', { name: 'Changed since' })).toHaveTextContent(
      'The dataset was replaced.',
    );
  });

  test('one without a significant gene set says so above its table', () => {
    const { analysis_csv } = pathwayAnswer();
    open(pathwayResult(analysis_csv!, { figure: { significant: 0, threshold: 0.05 } }));
    expect(screen.getByText(/^None of 1 reported gene set has|None of 1 reported gene set/)).toBeVisible();
    expect(screen.getByText('No Significant Gene Sets.')).toBeVisible();
  });
});
