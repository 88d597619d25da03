import type { CellType } from './gene-profiles.ts';
import type { Programme } from './programmes.ts';

/** Activity of a programme from the beginning to the end of a gradient; 1 is a strong response. */
export interface Gradient {
  readonly programme: Programme;
  readonly from: number;
  readonly to: number;
}

/**
 * Cells of one type that differ from each other along a curve (position u from 0 to 1) and across it (position
 * v, about -1 to 1). The same positions place them on the embedding and drive their programmes.
 */
export interface Lineage {
  readonly name: string;
  readonly cellType: CellType;
  /** Cell states along the curve: each holds the cells up to its `end`; the last end is 1. */
  readonly states: readonly { readonly name: string; readonly end: number }[];
  readonly along: readonly Gradient[];
  readonly across: readonly Gradient[];
  readonly cycling: readonly [number, number];
  /** The curve: start and end on the embedding, sideways bend, and width. */
  readonly curve: {
    readonly from: readonly [number, number];
    readonly to: readonly [number, number];
    readonly bend: number;
    readonly width: number;
  };
  /** Lineage into which a few cells are in transition, if any. */
  readonly bridge?: { readonly to: string; readonly share: number };
  /** Total counts relative to the average cell. */
  readonly librarySize: number;
}

const g = (programme: Programme, from: number, to: number): Gradient => ({ programme, from, to });

export const lineages: readonly Lineage[] = [
  {
    name: 'CD4 T',
    cellType: 'T cell',
    states: [
      { name: 'CD4 T naive and memory', end: 0.66 },
      { name: 'Regulatory T', end: 1 },
    ],
    along: [g('cd4', 1, 0.5), g('naive', 0.9, -0.4), g('treg', -0.6, 1.3), g('ribosomal', 0.25, -0.1)],
    across: [g('stress', -0.2, 0.5)],
    cycling: [0.005, 0.07],
    curve: { from: [-6.2, 2.2], to: [-1.5, 5], bend: 0.9, width: 0.95 },
    bridge: { to: 'CD8 T', share: 0.05 },
    librarySize: 0.72,
  },
  {
    name: 'CD8 T',
    cellType: 'T cell',
    states: [
      { name: 'CD8 T effector memory', end: 0.58 },
      { name: 'CD8 T exhausted', end: 1 },
    ],
    along: [g('cd8', 1, 0.9), g('effector', 0.75, 0.1), g('exhaustion', -0.5, 1.4)],
    across: [g('interferonGamma', 0, 0.6), g('stress', 0.4, -0.1)],
    cycling: [0.01, 0.16],
    curve: { from: [-5.6, 0.4], to: [-0.3, 2], bend: 1.1, width: 1 },
    bridge: { to: 'NK', share: 0.03 },
    librarySize: 0.76,
  },
  {
    name: 'NK',
    cellType: 'NK',
    states: [{ name: 'NK', end: 1 }],
    along: [g('effector', 1, 0.1), g('nkBright', -0.4, 1.1)],
    across: [g('interferonAlpha', -0.1, 0.4)],
    cycling: [0.01, 0.03],
    curve: { from: [-6.9, -1.4], to: [-4.1, -0.8], bend: 0.6, width: 0.7 },
    librarySize: 0.7,
  },
  {
    name: 'B',
    cellType: 'B cell',
    states: [
      { name: 'B naive', end: 0.42 },
      { name: 'B memory', end: 1 },
    ],
    along: [g('bNaive', 1.1, -0.3), g('bMemory', -0.4, 1)],
    across: [g('nfkb', -0.1, 0.4), g('interferonAlpha', 0, 0.3)],
    cycling: [0.004, 0.04],
    curve: { from: [0.5, 5.4], to: [3.7, 6.7], bend: -0.8, width: 0.85 },
    bridge: { to: 'Plasma', share: 0.012 },
    librarySize: 0.75,
  },
  {
    name: 'Plasma',
    cellType: 'Plasma',
    states: [{ name: 'Plasma', end: 1 }],
    along: [g('plasmaIgg', 1, -0.7), g('plasmaIga', -0.7, 1)],
    across: [g('unfolded', -0.1, 0.4)],
    cycling: [0.03, 0.01],
    curve: { from: [5.6, 6.8], to: [7.2, 4.7], bend: -0.5, width: 0.6 },
    librarySize: 1.15,
  },
  {
    name: 'Monocyte',
    cellType: 'Monocyte',
    states: [
      { name: 'Monocyte non-classical', end: 0.26 },
      { name: 'Monocyte classical', end: 1 },
    ],
    along: [g('nonClassicalMonocyte', 1.3, -0.5), g('classicalMonocyte', -0.5, 0.7)],
    across: [g('nfkb', -0.2, 0.6), g('interferonAlpha', 0.3, -0.1)],
    cycling: [0.003, 0.006],
    curve: { from: [2.9, -6.5], to: [6.6, -4.7], bend: -0.9, width: 0.85 },
    bridge: { to: 'Macrophage', share: 0.09 },
    librarySize: 0.95,
  },
  {
    name: 'Macrophage',
    cellType: 'Macrophage',
    states: [
      { name: 'Macrophage M1-like', end: 0.4 },
      { name: 'Macrophage M2-like', end: 1 },
    ],
    along: [g('m1', 1.2, -0.3), g('m2', -0.5, 1), g('interferonGamma', 0.6, -0.1)],
    across: [g('lipidMacrophage', -0.4, 1.1), g('hypoxia', -0.1, 0.3)],
    cycling: [0.01, 0.035],
    curve: { from: [6.8, -4.5], to: [8.6, -0.2], bend: -1.3, width: 1.05 },
    librarySize: 1.3,
  },
  {
    name: 'Mast',
    cellType: 'Mast',
    states: [{ name: 'Mast', end: 1 }],
    along: [g('mastActivation', -0.3, 0.9)],
    across: [g('stress', -0.1, 0.3)],
    cycling: [0.002, 0.002],
    curve: { from: [9.4, 2.1], to: [10.3, 2.9], bend: 0.2, width: 0.8 },
    librarySize: 0.85,
  },
  {
    name: 'Fibroblast',
    cellType: 'Fibroblast',
    states: [
      { name: 'Fibroblast inflammatory', end: 0.48 },
      { name: 'Fibroblast myofibroblastic', end: 1 },
    ],
    along: [g('inflammatoryFibroblast', 1.2, -0.4), g('myofibroblast', -0.6, 1.2)],
    across: [g('stress', -0.1, 0.5), g('emt', 0, 0.2)],
    cycling: [0.004, 0.025],
    curve: { from: [-5.6, -5], to: [-0.6, -7.1], bend: 1.4, width: 0.95 },
    librarySize: 1.25,
  },
  {
    name: 'Endothelial',
    cellType: 'Endothelial',
    states: [{ name: 'Endothelial', end: 1 }],
    along: [g('venous', 1, -0.4), g('tipCell', -0.4, 1)],
    across: [g('interferonGamma', -0.1, 0.4)],
    cycling: [0.005, 0.04],
    curve: { from: [-0.1, -9.1], to: [2.6, -8.3], bend: 0.7, width: 0.6 },
    librarySize: 1.05,
  },
];

/** The normal epithelium of a tissue; the tumour cells of each patient are placed around it. */
export const normalEpithelium: Lineage = {
  name: 'Normal epithelium',
  cellType: 'Epithelial',
  states: [{ name: 'Epithelial normal', end: 1 }],
  along: [],
  across: [g('stress', -0.1, 0.4)],
  cycling: [0.01, 0.02],
  curve: { from: [0, -2.9], to: [2, -4], bend: 0.4, width: 0.6 },
  librarySize: 1.35,
};

/** Variation among the tumour cells of one patient; recipes add the programmes of their disease. */
export const tumourCells = {
  state: 'Epithelial tumour',
  along: [g('hypoxia', -0.4, 1.1), g('emt', -0.3, 0.8), g('oxphos', 0.4, -0.2)],
  across: [g('interferonGamma', -0.2, 0.5), g('unfolded', -0.1, 0.3), g('nfkb', 0.3, -0.1)],
  librarySize: 1.8,
} as const;
