import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test, vi } from 'vitest';
import { defaultCard, MapStore } from '@/features/map/index.ts';
import { createQueryClient } from '@/lib/query-client.ts';
import { ServicesContext } from '@/lib/services.ts';
import { datasetAnalysis, fakeServices, json } from '@/testing/fakes.ts';
import { useDefaultMap } from './default-map.ts';

const treatment = { kind: 'obs-umap', column: 'treatment' } as const;
const parent = {
  dataset_filename: 'whole',
  version: '1',
  name: 'Whole',
  subset: null,
  definition: '',
  cells: 5,
  of_cells: 10,
  state: 'same',
};

function open(maps: MapStore, { isPart = false, viewer = [] as string[] } = {}) {
  const fake = fakeServices();
  fake.auth.signIn();
  const links = { part_of: isPart ? parent : null, subclusterings: [], jobs: [] };
  fake.answer('/api/subclusterings/d', () => json(links));
  const show = vi.fn();
  const client = createQueryClient();
  renderHook(() => useDefaultMap('d', datasetAnalysis(), { maps, library: { viewer, show } }), {
    wrapper: ({ children }) => (
      <MemoryRouter>
        <ServicesContext value={fake.services}>
          <QueryClientProvider client={client}>{children}</QueryClientProvider>
        </ServicesContext>
      </MemoryRouter>
    ),
  });
  return { show };
}

test('colors of the default map bring its card back, a gene that leaves the map does not', () => {
  const maps = new MapStore();
  maps.setLook(defaultCard, { content: treatment });
  const { show } = open(maps);
  act(() => maps.showGene(defaultCard, 'CD3D'));
  act(() => maps.hideGene());
  expect(show).not.toHaveBeenCalled();
  act(() => maps.setLook(defaultCard, { content: { ...treatment, column: 'patient' } }));
  expect(show).toHaveBeenCalledExactlyOnceWith([defaultCard]);
});

test('a subclustering opens on its clusters below a gene that is looked at', async () => {
  const maps = new MapStore();
  maps.showGene(defaultCard, 'CD3D');
  open(maps, { isPart: true });
  await waitFor(() => expect(maps.state.looks.get(defaultCard)?.content).toMatchObject({ column: 'leiden' }));
  expect(maps.look(defaultCard).content).toEqual({ kind: 'gene-umap', gene: 'CD3D' });
  act(() => maps.hideGene());
  expect(maps.look(defaultCard).content).toEqual({ kind: 'obs-umap', column: 'leiden' });
});
