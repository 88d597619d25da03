import { renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import { libraryImage } from '@/features/images/library-image.fixture.ts';
import { MapStore } from '@/features/map/index.ts';
import { ServicesContext } from '@/lib/services.ts';
import { fakeServices } from '@/testing/fakes.ts';
import type { ImageScope } from './explorer-images.ts';
import { useKeepFigure } from './keep-figure.ts';

const treatment = { content: { kind: 'obs-umap', column: 'treatment' } } as const;
const whole: ImageScope = {
  datasetName: 'd',
  diseaseName: '',
  subsetGroupName: 'Global',
  filter: null,
  cellCount: 10,
  version: '1',
  groupedBy: 'none',
  annotations: [],
  displayed: (source) => source,
};

function open() {
  const fake = fakeServices();
  fake.answer('/api/render-figure', () => new Response('png', { headers: { 'content-type': 'image/png' } }));
  const maps = new MapStore();
  const take = vi.fn();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <ServicesContext value={fake.services}>{children}</ServicesContext>
  );
  const { keep } = renderHook(() => useKeepFigure({ whole, maps, take }), { wrapper }).result.current;
  // As the card shows it.
  const shown = () => {
    const { content } = maps.look('default');
    return libraryImage('default', { source: { dataset_filename: 'd', version: '1', content: content! } });
  };
  return { maps, take, keep: () => keep(shown()) };
}

test('colors that are added to the library leave the card', async () => {
  const { maps, take, keep } = open();
  maps.setLook('default', treatment);
  await keep();
  expect(take).toHaveBeenCalledOnce();
  expect(maps.look('default')).toEqual({});
});

test('a gene of a result that is added to the library leaves the card with the colors that the user chose', async () => {
  const { maps, take, keep } = open();
  maps.setLook('default', treatment);
  maps.showGene('default', 'CD3D');
  await keep();
  expect(take).toHaveBeenCalledOnce();
  expect(maps.state.shownGene).toBeNull();
  expect(maps.look('default')).toEqual(treatment);
});

test('a gene that is looked at while colors are added stays, and so do other colors', async () => {
  const { maps, keep } = open();
  maps.setLook('default', treatment);
  const added = keep();
  maps.showGene('default', 'CD3D');
  await added;
  expect(maps.look('default').content).toEqual({ kind: 'gene-umap', gene: 'CD3D' });
  maps.hideGene();
  expect(maps.look('default')).toEqual({});
  maps.setLook('default', treatment);
  const again = keep();
  maps.setLook('default', { content: { kind: 'obs-umap', column: 'patient' } });
  await again;
  expect(maps.look('default').content).toMatchObject({ column: 'patient' });
});
