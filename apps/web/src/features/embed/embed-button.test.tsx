import type { AnnotationRevision } from '@cellfolio/contract';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { fakeServices } from '@/testing/fakes.ts';
import { ServicesContext } from '@/lib/services.ts';
import { EmbedButton } from './embed-button.tsx';

const mine: AnnotationRevision = { id: '8b1f6c1e-5b7e-4a0e-9d52-1f3c1b7a9a10', revision: 1, name: 'mine' };

async function openOn(address: string, { embedding = true } = {}) {
  const { services } = fakeServices();
  services.config.features.embedding = embedding;
  const user = userEvent.setup();
  const { unmount } = render(
    <ServicesContext value={services}>
      <EmbedButton name={'A "quoted" <name>'} address={() => address} labels={[mine]} />
    </ServicesContext>,
  );
  const button = screen.queryByRole('button', { name: 'Embed' });
  if (button !== null) await user.click(button);
  const html = screen.queryByRole<HTMLTextAreaElement>('textbox', { name: 'HTML of the frame' })?.value;
  const frame = new DOMParser().parseFromString(html ?? '', 'text/html').querySelector('iframe');
  unmount();
  return frame && { title: frame.title, path: frame.src.replace(location.origin, '') };
}

test('there is no frame to copy where embedding is off', async () => {
  expect(await openOn('/explorer?dataset=a.h5ad', { embedding: false })).toBeNull();
});

test('the frame has the first map of the view, with the name of the dataset as its title', async () => {
  expect(await openOn('/explorer?dataset=a.h5ad&view=gene-violin:CST3&view=gene-umap:CD3D')).toEqual({
    title: 'A "quoted" <name>',
    path: '/embed/a.h5ad?gene=CD3D',
  });
});

test('the frame uses no column that only the user has', async () => {
  const split = encodeURIComponent(JSON.stringify({ cards: [{ split: 'mine' }] }));
  expect(await openOn('/explorer?dataset=a.h5ad&view=obs-umap:mine')).toMatchObject({
    path: '/embed/a.h5ad',
  });
  expect(await openOn(`/explorer?dataset=a.h5ad&view=gene-umap:CD3D&map=${split}`)).toMatchObject({
    path: '/embed/a.h5ad?gene=CD3D',
  });
});
