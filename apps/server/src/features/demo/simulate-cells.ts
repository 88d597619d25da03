import { createRandom, type Random } from '@cellfolio/analysis';
import type { Programme } from './programmes.ts';
import type { Recipe } from './recipes.ts';
import type { CellType } from './gene-profiles.ts';

/** A lineage in one dataset: its position, and for tumour cells their patient. */
export interface Population {
  lineage: Lineage;
  /** Index in the recipe's patients for tumour cells, which are specific to each patient. */
  patient?: number;
  constant: readonly { programme: Programme; strength: number }[];
}

/** Variables that determine the expression and position of every cell. One array per property, cells shuffled. */
export interface SimulatedCells {
  count: number;
  populations: readonly Population[];
  /** Index into populations. */
  population: Int32Array;
  /** Index into the recipe's patients. */
  patient: Int32Array;
  /** Index into the states of the cell's lineage. */
  state: Int32Array;
  /** Position along the lineage's curve, 0 to 1. */
  u: Float64Array;
  /** Position across it, mostly -1 to 1. */
  v: Float64Array;
  /** Population a cell is in transition to, or -1; and its progress, 0 to 1. */
  bridgeTo: Int32Array;
  bridge: Float64Array;
  /** 0 at rest, 1 in S, 2 in G2 or M. */
  phase: Uint8Array;
  librarySize: Float64Array;
}

export function simulateCells(recipe: Recipe): SimulatedCells {
  const random = createRandom(`${recipe.seed} cells`);
  const populations = populationsOf(recipe);
  const members = composition(recipe, populations, random);
  const count = members.length;
  const cells = {
    count,
    populations,
    population: new Int32Array(count),
    patient: new Int32Array(count),
    state: new Int32Array(count),
    u: new Float64Array(count),
    v: new Float64Array(count),
    bridgeTo: new Int32Array(count).fill(-1),
    bridge: new Float64Array(count),
    phase: new Uint8Array(count),
    librarySize: new Float64Array(count),
  };
  const positions = populations.map(() => positionSampler(random));
  const depth = recipe.patients.map(() => Math.exp(0.12 * random.normal()));
  members.forEach(([population, patient], cell) => {
    const { lineage } = populations[population]!;
    const u = positions[population]!();
    cells.population[cell] = population;
    cells.patient[cell] = patient;
    cells.u[cell] = u;
    cells.v[cell] = Math.max(-1.6, Math.min(1.6, 0.55 * random.normal()));
    cells.state[cell] = lineage.states.findIndex(({ end }) => u <= end + 0.03 * random.normal() || end === 1);
    const [resting, busy] = lineage.cycling;
    if (random.uniform() < resting + (busy - resting) * u)
      cells.phase[cell] = random.uniform() < 0.45 ? 1 : 2;
    // Log-normal library sizes, with the low-quality tail that survives quality control.
    const quality = random.uniform() < 0.06 ? 0.45 : 1;
    const cycling = cells.phase[cell] === 0 ? 1 : 1.35;
    cells.librarySize[cell] =
      2900 * lineage.librarySize * depth[patient]! * quality * cycling * Math.exp(0.38 * random.normal());
    const { bridge } = lineage;
    if (bridge !== undefined && u > 0.4 && random.uniform() < bridge.share) {
      const to = populations.findIndex((other) => other.lineage.name === bridge.to);
      if (to >= 0) {
        cells.bridgeTo[cell] = to;
        cells.bridge[cell] = random.beta(1.2, 1.2);
      }
    }
  });
  return cells;
}

function populationsOf(recipe: Recipe): Population[] {
  const shares = new Map(Object.entries(recipe.lineages));
  const populations: Population[] = lineages
    .filter(({ name }) => (shares.get(name) ?? 0) > 0)
    .map((lineage) => ({ lineage, constant: [] }));
  if ((shares.get(normalEpithelium.name) ?? 0) > 0)
    populations.push({ lineage: { ...normalEpithelium, along: recipe.epithelium }, constant: [] });
  if ((shares.get('Tumour') ?? 0) > 0)
    recipe.patients.forEach((patient, index) => populations.push(tumourOf(recipe, patient.id, index)));
  return populations;
}

/** The tumour cells of a patient: a separate island on an arc beside the normal epithelium. */
function tumourOf(recipe: Recipe, id: string, patient: number): Population {
  const random = createRandom(`${recipe.seed} tumour ${id}`);
  const angle = -0.5 + (patient / recipe.patients.length) * 2 * Math.PI;
  const radius = 2 + 0.5 * random.uniform();
  const centre = [2.2 + 1.15 * radius * Math.cos(angle), 0.6 + radius * Math.sin(angle)] as const;
  const heading = angle + Math.PI / 2 + 0.7 * random.normal();
  const half = 0.75 + 0.35 * random.uniform();
  const vary = (gradient: Gradient): Gradient => ({
    ...gradient,
    from: gradient.from + 0.2 * random.normal(),
    to: gradient.to * (0.6 + 0.7 * random.uniform()),
  });
  const lineage: Lineage = {
    name: `Tumour ${id}`,
    cellType: 'Epithelial',
    states: [{ name: tumourCells.state, end: 1 }],
    along: tumourCells.along.map(vary),
    across: tumourCells.across,
    cycling: [recipe.tumourCycling * 1.3, recipe.tumourCycling * 0.4],
    curve: {
      from: [centre[0] - half * Math.cos(heading), centre[1] - half * Math.sin(heading)],
      to: [centre[0] + half * Math.cos(heading), centre[1] + half * Math.sin(heading)],
      bend: 0.5 * random.normal(),
      width: 0.5 + 0.2 * random.uniform(),
    },
    librarySize: tumourCells.librarySize * Math.exp(0.15 * random.normal()),
  };
  const constant = recipe.tumour.map(({ programme, strength }) => ({
    programme,
    strength: strength + 0.15 * random.normal(),
  }));
  return { lineage, patient, constant };
}

/** Population and patient of every cell, in random order: shares vary between patients as they do in tissue. */
function composition(
  recipe: Recipe,
  populations: readonly Population[],
  random: Random,
): (readonly [number, number])[] {
  const weights: { population: number; patient: number; weight: number }[] = [];
  const shares = new Map(Object.entries(recipe.lineages));
  const sizes = recipe.patients.map(() => Math.exp(0.25 * random.normal()));
  recipe.patients.forEach((_, patient) => {
    populations.forEach((candidate, population) => {
      const share = shares.get(candidate.patient === undefined ? candidate.lineage.name : 'Tumour') ?? 0;
      const varied = share * Math.exp(0.35 * random.normal()) * sizes[patient]!;
      if (candidate.patient === undefined || candidate.patient === patient)
        weights.push({ population, patient, weight: varied });
    });
  });
  // Shares are of the whole dataset: patients and chance vary who contributes, not how much there is of a type.
  const group = (population: number): string =>
    populations[population]!.patient === undefined ? populations[population]!.lineage.name : 'Tumour';
  const sums = new Map<string, number>();
  for (const { population, weight } of weights)
    sums.set(group(population), (sums.get(group(population)) ?? 0) + weight);
  const members: (readonly [number, number])[] = [];
  for (const { population, patient, weight } of weights) {
    const expected =
      ((shares.get(group(population)) ?? 0) * recipe.cellCount * weight) / sums.get(group(population))!;
    const memberCount = Math.floor(expected + random.uniform());
    for (let i = 0; i < memberCount; i++) members.push([population, patient]);
  }
  for (let i = members.length - 1; i > 0; i--) {
    const j = random.integer(i + 1);
    [members[i], members[j]] = [members[j]!, members[i]!];
  }
  return members;
}

/** Positions along a curve, denser around one to three places: real clusters are not evenly filled. */
function positionSampler(random: Random): () => number {
  const knots = Array.from({ length: 1 + random.integer(3) }, () => ({
    at: 0.1 + 0.8 * random.uniform(),
    spread: 0.06 + 0.12 * random.uniform(),
  }));
  return () => {
    if (random.uniform() < 0.55) return random.uniform();
    const { at, spread } = knots[random.integer(knots.length)]!;
    const position = at + spread * random.normal();
    return position < 0 || position > 1 ? random.uniform() : position;
  };
}

/** Activity of a programme from the beginning to the end of a gradient; 1 is a strong response. */
interface Gradient {
  programme: Programme;
  from: number;
  to: number;
}

/**
 * Cells of one type that differ from each other along a curve (position u from 0 to 1) and across it (position
 * v, about -1 to 1). The same positions place them on the embedding and drive their programmes.
 */
interface Lineage {
  name: string;
  cellType: CellType;
  /** Cell states along the curve: each holds the cells up to its `end`; the last end is 1. */
  states: readonly { name: string; end: number }[];
  along: readonly Gradient[];
  across: readonly Gradient[];
  cycling: readonly [number, number];
  /** The curve: start and end on the embedding, sideways bend, and width. */
  curve: {
    from: readonly [number, number];
    to: readonly [number, number];
    bend: number;
    width: number;
  };
  /** Lineage into which a few cells are in transition, if any. */
  bridge?: { to: string; share: number };
  /** Total counts relative to the average cell. */
  librarySize: number;
}

const g = (programme: Programme, from: number, to: number): Gradient => ({ programme, from, to });

const lineages: readonly Lineage[] = [
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
const normalEpithelium: Lineage = {
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
const tumourCells = {
  state: 'Epithelial tumour',
  along: [g('hypoxia', -0.4, 1.1), g('emt', -0.3, 0.8), g('oxphos', 0.4, -0.2)],
  across: [g('interferonGamma', -0.2, 0.5), g('unfolded', -0.1, 0.3), g('nfkb', 0.3, -0.1)],
  librarySize: 1.8,
} as const;
