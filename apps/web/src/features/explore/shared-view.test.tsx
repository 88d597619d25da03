import type { Annotation, AnnotationList } from '@cellfolio/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { json } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';
import type { ExplorerFake } from './explorer.fixture.ts';
import { explorerFake, here, search, viewerTitles } from './explorer.fixture.ts';

const name = 'my <b>types</b>';
const mine: Annotation = {
  id: '8b1f6c1e-5b7e-4a0e-9d52-1f3c1b7a9a10',
  name,
  revision: 2,
  version: '1',
  groups: [{ name: 'One', colour: '#112233', cells: 700 }],
  unlabelled: 0,
  history: [{ revision: 2, at: '2026-01-02T03:04:05.678Z', words: 'Changed.', cells: 1 }],
};
const view = (content: string) => `&view=${encodeURIComponent(content)}`;
const byLabels = view(`obs-umap:${encodeURIComponent(name)}`);
const genes = view('gene-umap:CD3D') + view('gene-umap:EPCAM');
const linked = `${here}${byLabels}${genes}${view('category-umap')}`;
const both = ['CD3DExpression UMAP', 'EPCAMExpression UMAP'];
const short = '4Hq2mZt8WcXa';
const notShared = 'It is an annotation of the link’s author that is not shared.';

let fake: ExplorerFake;
let annotations: Annotation[];
beforeEach(() => {
  fake = explorerFake();
  annotations = [];
  const listed = (): AnnotationList => ({ version: '1', annotations, numbers: [] });
  fake.answer('/api/datasets/tumour_one/annotations', () => json(listed()));
  fake.answer('/api/render-figure', ({ body }) =>
    (body as { format: string }).format === 'json'
      ? json({ domain: { low: 0, high: 4 }, unit: 'log-normalized' })
      : new Response(new Blob(['png'], { type: 'image/png' })),
  );
});

function linkTo(address: string, ...labels: object[]) {
  fake.answer(`/api/links/${short}`, () => json({ id: short, address, subsets: [], labels: [name] }));
  fake.answer('/api/datasets/tumour_one/annotations/from-link', () => json({ labels }));
}
const alert = { name: 'Cards missing from this view' };
const lacking = async () =>
  within(await screen.findByRole('alert', alert))
    .getAllByRole('listitem')
    .map((item) => item.textContent);

test('a card that needs labels which are not shared is named with the reason, and every other card is drawn', async () => {
  linkTo(linked, { name, added: false, problem: notShared });
  const { user, address } = renderApp(`/l/${short}`, fake);
  await search();
  expect(await lacking()).toEqual([`${name}, UMAP by column is not drawn. ${notShared}`]);
  await waitFor(() => expect(viewerTitles()).toEqual([...both, expect.any(String)]));
  await waitFor(() => expect(address()).toBe(`${here}${genes}${view('category-umap')}`));
  await user.click(within(screen.getByRole('alert', alert)).getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('alert', alert)).toBeNull();
});

test('labels that came with the link are there before its cards are drawn', async () => {
  linkTo(linked, { name, added: true });
  fake.answer('/api/datasets/tumour_one/annotations/from-link', () => {
    annotations = [mine];
    return json({ labels: [{ name, added: true }] });
  });
  renderApp(`/l/${short}`, fake);
  await search();
  await waitFor(() => expect(viewerTitles()).toHaveLength(4));
  expect(screen.getByText(`“${name}” came with the link. A copy is in your annotations.`)).toBeVisible();
  expect(screen.queryByRole('alert', alert)).toBeNull();
  expect(fake.images.map(({ figure_source: source }) => source)).toContainEqual(
    expect.objectContaining({ annotations: [{ id: mine.id, revision: 2, name }] }),
  );
});

test('a map that is coloured by labels which are not shared is shown in the colours of its figure', async () => {
  const map = `&map=${encodeURIComponent(JSON.stringify({ cards: [{}, { column: name }] }))}`;
  linkTo(`${here}${genes}${map}`, { name, added: false, problem: notShared });
  renderApp(`/l/${short}`, fake);
  await search();
  expect(await lacking()).toEqual([
    `EPCAM, Expression UMAP is shown without its colors or split. ${notShared}`,
  ]);
  expect(viewerTitles()).toEqual(both);
});

test('a card that the server does not draw keeps the others, with the reason', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  fake.answer('/api/render-figure', ({ body }) =>
    JSON.stringify(body).includes(name)
      ? json({ code: 'unknown_column', message: 'The dataset has no such column.' }, 400)
      : new Response(new Blob(['png'], { type: 'image/png' })),
  );
  renderApp(`${here}${byLabels}${genes}`, fake);
  await search();
  expect(await lacking()).toEqual([expect.stringMatching(/is not drawn. The dataset has no such column.$/)]);
  await waitFor(() => expect(viewerTitles()).toEqual(both));
});

test('one scale and its range travel, also where a card of it is not drawn', async () => {
  const scale = `&scale=${encodeURIComponent('[["log-normalised",0,6.25]]')}`;
  linkTo(`${linked}${scale}`, { name, added: false, problem: notShared });
  const { user, address } = renderApp(`/l/${short}`, fake);
  await search();
  expect(await screen.findByText('0 to 6.25, log-normalized')).toBeVisible();
  expect(screen.getByRole('switch', { name: 'Same scale' })).toBeChecked();
  await waitFor(() =>
    expect(new URL(address(), 'http://x').searchParams.get('scale')).toBe('[["log-normalized",0,6.25]]'),
  );
  // It is the sender's: what the reader prefers elsewhere stays.
  expect(localStorage.getItem('cellfolio:same-scale')).toBeNull();
  // Other images have a range of their own.
  await user.click(screen.getByRole('switch', { name: 'Same scale' }));
  await user.click(screen.getByRole('switch', { name: 'Same scale' }));
  expect(await screen.findByText('0 to 4, log-normalized')).toBeVisible();
});

test.each(['[["x",3,1]]', '[["x",0,"1"]]', '{"a":1}', '<script>', '[["x",0,1e999]]'])(
  'what is no range in an address turns no scale on: %s',
  async (text) => {
    renderApp(`${here}${genes}&scale=${encodeURIComponent(text)}`, fake);
    await search();
    await waitFor(() => expect(viewerTitles()).toEqual(both));
    expect(screen.getByRole('switch', { name: 'Same scale' })).not.toBeChecked();
  },
);

test('a dialog names own labels before the link is copied, and shares them on consent alone', async () => {
  vi.stubGlobal('isSecureContext', true);
  annotations = [mine];
  const { user, address } = renderApp(`${here}${byLabels}${genes}`, fake);
  await search();
  await waitFor(() => expect(viewerTitles()).toHaveLength(3));
  fake.answer('/api/links', ({ body }) => json({ ...(body as object), id: short }));
  await user.click(screen.getByRole('button', { name: 'Copy link' }));
  expect(fake.sent('/api/links')).toEqual([]);
  const question = within(await screen.findByRole('dialog', { name: 'Copy link' }));
  expect(question.getByRole('listitem')).toHaveTextContent(name);
  const consent = question.getByRole('checkbox', { name: 'Share these labels with the link' });
  expect(consent).not.toBeChecked();
  await user.click(question.getByRole('button', { name: 'Copy link' }));
  expect(await screen.findByText('Copied to clipboard')).toBeVisible();
  await user.click(consent);
  await user.click(question.getByRole('button', { name: 'Copy link' }));
  await waitFor(() =>
    expect(fake.sent('/api/links')).toEqual(
      [false, true].map((share_labels) => ({ address: address(), annotations: [mine.id], share_labels })),
    ),
  );
  // An address alone would not hold them.
  fake.answer('/api/links', () => json({ code: 'unavailable', message: 'Down.' }, 503));
  await user.click(question.getByRole('button', { name: 'Copy link' }));
  expect(await screen.findByText('The link with your labels could not be made. Try again.')).toBeVisible();
});

test('a link with many cards makes room for them, and after the visit the viewer has the size that the user chose', async () => {
  const many = ['A', 'B', 'C', 'D', 'E'].map((gene) => view(`gene-umap:${gene}`)).join('');
  const size = () => screen.findByRole('combobox', { name: 'Maximum number of images' });
  const { unmount } = renderApp(here + many, fake);
  await waitFor(async () => expect(await size()).toHaveTextContent('Up to 6'));
  await waitFor(() => expect(viewerTitles()).toHaveLength(5));
  unmount();
  renderApp(here, fake);
  expect(await size()).toHaveTextContent('Up to 4');
});
