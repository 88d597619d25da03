import { expect, test } from 'vitest';
import { mapAddress } from './map-address.ts';
import { MapStore } from './map-store.ts';

const treatment = { content: { kind: 'obs-umap', column: 'treatment' }, hidden: ['=none'] } as const;

test('a gene colours a card until it is hidden, and the next one takes its place; the look of before comes back', () => {
  const maps = new MapStore();
  maps.setLook('default', treatment);
  maps.showGene('default', 'CD3D');
  maps.showGene('default', 'CD79A');
  expect(maps.look('default')).toEqual({ content: { kind: 'gene-umap', gene: 'CD79A' } });
  maps.hideGene();
  expect(maps.look('default')).toEqual(treatment);
  maps.hideGene();
  expect(maps.look('default')).toEqual(treatment);
});

test('a gene that goes to another card restores the first', () => {
  const maps = new MapStore();
  maps.setLook('a', treatment);
  maps.showGene('a', 'CD3D');
  maps.showGene('b', 'CD3D');
  expect(maps.look('a')).toEqual(treatment);
  maps.hideGene();
  expect(maps.look('b')).toEqual({});
});

test('colours that the user chooses meanwhile stay', () => {
  const maps = new MapStore();
  maps.setLook('default', treatment);
  maps.showGene('default', 'CD3D');
  maps.setLook('default', { content: { kind: 'obs-umap', column: 'patient' } });
  maps.hideGene();
  expect(maps.look('default').content).toEqual({ kind: 'obs-umap', column: 'patient' });
});

test('a split made while a gene is shown stays for the next gene, the restored map and the link', () => {
  const maps = new MapStore();
  maps.setLook('default', treatment);
  maps.showGene('default', 'CD3D');
  maps.setLook('default', { split: 'treatment' });
  maps.set({ density: true, camera: { x: 0.2, y: 0.3, zoom: 2 } });
  maps.showGene('default', 'CD79A');
  expect(maps.look('default')).toEqual({ content: { kind: 'gene-umap', gene: 'CD79A' }, split: 'treatment' });
  const cells = { version: '1', cellCount: 10, saved: [] };
  expect(JSON.parse(mapAddress(maps.state, ['default'], cells)!)).toEqual({
    density: true,
    camera: [0.2, 0.3, 2],
    cards: [{ column: 'treatment', hidden: ['=none'], split: 'treatment' }],
  });
  maps.hideGene();
  expect(maps.look('default')).toEqual({ ...treatment, split: 'treatment' });
  maps.showGene('default', 'CD3D');
  maps.setLook('default', { split: undefined });
  maps.hideGene();
  expect(maps.look('default')).toEqual(treatment);
});

test('limits of a gene are gone with it, its logarithm goes on to the next gene, and neither is left on the map', () => {
  const maps = new MapStore();
  maps.showGene('default', 'CD3D');
  maps.setLook('default', { range: [0, 2] });
  maps.setLook('default', { log: true });
  maps.showGene('default', 'CD79A');
  expect(maps.look('default')).toEqual({ content: { kind: 'gene-umap', gene: 'CD79A' }, log: true });
  maps.hideGene();
  expect(maps.look('default')).toEqual({});
});

test('an address has the colours of before, not the gene', () => {
  const maps = new MapStore();
  maps.setLook('default', treatment);
  const cells = { version: '1', cellCount: 10, saved: [] };
  const before = mapAddress(maps.state, ['default'], cells);
  maps.showGene('default', 'CD3D');
  expect(mapAddress(maps.state, ['default'], cells)).toBe(before);
});
