import { lineages, normalEpithelium, tumourCells } from './lineages.ts';
import type { Gradient, Lineage } from './lineages.ts';
import type { Programme } from './programmes.ts';
import { createRandom, type Random } from '@cellfolio/analysis';
import type { Recipe } from './recipes.ts';

/** A lineage in one dataset: its position, and for tumour cells their patient. */
export interface Population {
  readonly lineage: Lineage;
  /** Index in the recipe's patients for tumour cells, which are specific to each patient. */
  readonly patient?: number;
  readonly constant: readonly { readonly programme: Programme; readonly strength: number }[];
}

/** Variables that determine the expression and position of every cell. One array per property, cells shuffled. */
export interface SimulatedCells {
  readonly count: number;
  readonly populations: readonly Population[];
  /** Index into populations. */
  readonly population: Int32Array;
  /** Index into the recipe's patients. */
  readonly patient: Int32Array;
  /** Index into the states of the cell's lineage. */
  readonly state: Int32Array;
  /** Position along the lineage's curve, 0 to 1. */
  readonly u: Float64Array;
  /** Position across it, mostly -1 to 1. */
  readonly v: Float64Array;
  /** Population a cell is in transition to, or -1; and its progress, 0 to 1. */
  readonly bridgeTo: Int32Array;
  readonly bridge: Float64Array;
  /** 0 at rest, 1 in S, 2 in G2 or M. */
  readonly phase: Uint8Array;
  readonly librarySize: Float64Array;
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
