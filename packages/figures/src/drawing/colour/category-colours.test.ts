import { expect, test } from 'vitest';
import { categoryColours, cellTypePalette, recognisedCellType } from './category-colours.ts';

test('known cell types have their own colour whatever their order', () => {
  expect(categoryColours({ categories: ['NK', 'CD19+ B'] }, 'cell-type')).toEqual([
    cellTypePalette.nk,
    cellTypePalette['b-cell'],
  ]);
});

test('the first of several categories of one type has its colour, the others differ', () => {
  const colours = categoryColours({ categories: ['CD4+ T cell', 'CD8+ T cell', 'Dendritic'] }, 'cell-type');
  expect(colours[0]).toBe(cellTypePalette['t-cell']);
  expect(new Set(colours).size).toBe(3);
});

test('an unknown cell type never has the colour of a known one', () => {
  const colours = categoryColours(
    { categories: Array.from({ length: 50 }, (_, i) => `type ${i + 1}x`) },
    'cell-type',
  );
  for (const fixed of Object.values(cellTypePalette)) expect(colours).not.toContain(fixed);
  expect(new Set(colours).size).toBe(50);
});

const spellings: Readonly<Record<string, readonly string[]>> = {
  't-cell': [
    'T-cell',
    'T cells',
    't_cell',
    'T',
    'CD4+/CD25 T Reg',
    'CD8+ Cytotoxic T',
    'CD4 T cell',
    'CD4+/CD45RA+/CD25- Naive T',
    'Treg cells, T regulatory',
    'NK T cell',
  ],
  nk: ['NK', 'CD56+ NK', 'NK cells', 'Natural killer', 'natural_killer_cell', 'nk-cell'],
  'b-cell': ['B', 'CD19+ B', 'B cells', 'B-cell', 'b_cell', 'Memory B', 'Bcells', 'B lymphocytes'],
  plasma: ['Plasma', 'Plasma cells', 'plasmablast', 'plasma-cell', 'Plasmacytes'],
  macrophage: ['Macrophages', 'Alveolar macrophage', 'Kupffer cells'],
  monocyte: ['CD14+ Monocyte', 'FCGR3A+ Monocytes', 'Classical monocytes'],
  mast: ['Mast', 'Mast cells', 'mast_cell', 'Mastocytes'],
  fibroblast: ['Fibroblasts', 'Myofibroblast', 'CAF'],
  endothelial: ['Endothelial', 'Vascular endothelium'],
  epithelial: ['Epithelial cells', 'Epithelium', 'Keratinocytes'],
};

test.each(Object.entries(spellings).flatMap(([type, labels]) => labels.map((label) => [label, type])))(
  'the label %s names the type %s',
  (label, type) => expect(recognisedCellType(label)).toBe(type),
);

test.each([
  'Dendritic',
  'Plasmacytoid dendritic cells',
  'CD34+',
  'Megakaryocytes',
  'Astrocytes',
  'Tumour',
  'Beta',
  'Platelets',
  'Basal',
  'Breast',
  'Hepatocytes',
  '',
  '0',
  'pre-B progenitor',
])('the label %s names none of the ten', (label) => expect(recognisedCellType(label)).toBeUndefined());
