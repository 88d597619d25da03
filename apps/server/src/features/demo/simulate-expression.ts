import { genePanel } from './gene-families.ts';
import { geneProfiles } from './gene-profiles.ts';
import { programmes, type Programme } from './programmes.ts';
import { createRandom, negativeBinomial } from '@cellfolio/analysis';
import type { Recipe } from './recipes.ts';
import type { SimulatedCells } from './simulate-cells.ts';

/** Raw counts, cells x genes, row after row (CSR). */
export interface SimulatedCounts {
  genes: readonly string[];
  indptr: Int32Array;
  indices: Int32Array;
  counts: Float32Array;
}

/** Natural-log change of a typical programme gene at activity 1. */
const responsePerActivity = 1.9;
/** Share of a cell's counts from ambient RNA (the soup of all cells). */
const ambientShare = 0.015;

export function simulateExpression(recipe: Recipe, cells: SimulatedCells): SimulatedCounts {
  const genes = genePanel();
  const geneCount = genes.length;
  const { weights, sizes } = geneProfiles(genes);
  const response = programmeResponse(genes);
  const random = createRandom(`${recipe.seed} counts`);
  const patientFactors = factorsOfPatients(recipe, genes);
  const base = (population: number, patient: number): Float64Array => {
    const { lineage, patient: owner } = cells.populations[population]!;
    const factors = patientFactors[patient]!;
    const own = owner === undefined ? factors.normal : factors.tumour;
    const type = weights[lineage.cellType];
    return scaled(Float64Array.from(type, (weight, gene) => weight * own[gene]!));
  };
  const cached = new Map<string, Float64Array>();
  const profile = (population: number, patient: number): Float64Array => {
    const key = `${population} ${patient}`;
    const cellProfile = cached.get(key) ?? base(population, patient);
    cached.set(key, cellProfile);
    return cellProfile;
  };
  const ambient = ambientOf(cells, profile, geneCount);

  const rates = new Float64Array(geneCount);
  const indptr = new Int32Array(cells.count + 1);
  let indices = new Int32Array(cells.count * 700);
  let counts = new Float32Array(cells.count * 700);
  let end = 0;
  const activity = new Map<Programme, number>();
  for (let cell = 0; cell < cells.count; cell++) {
    const population = cells.population[cell]!;
    const patient = cells.patient[cell]!;
    rates.set(profile(population, patient));
    const to = cells.bridgeTo[cell]!;
    if (to >= 0) {
      const other = profile(to, patient);
      const progress = cells.bridge[cell]!;
      for (let gene = 0; gene < geneCount; gene++)
        rates[gene] = (1 - progress) * rates[gene]! + progress * other[gene]!;
    }
    activitiesOf(cells, cell, activity);
    for (const [programme, level] of activity) {
      // Every cell answers a little differently.
      const strength = responsePerActivity * (level + 0.18 * random.normal());
      const { genes: affected, loadings } = response[programme];
      for (let i = 0; i < affected.length; i++) {
        const gene = affected[i]!;
        rates[gene] = (rates[gene]! + induced) * Math.exp(strength * loadings[i]!);
      }
    }
    let sum = 0;
    for (let gene = 0; gene < geneCount; gene++) sum += rates[gene]!;
    const scale = ((1 - ambientShare) * cells.librarySize[cell]!) / sum;
    const soup = ambientShare * cells.librarySize[cell]!;
    if (end + geneCount > indices.length) {
      indices = grown(indices, Int32Array);
      counts = grown(counts, Float32Array);
    }
    for (let gene = 0; gene < geneCount; gene++) {
      const count = negativeBinomial(random, rates[gene]! * scale + ambient[gene]! * soup, sizes[gene]!);
      if (count > 0) {
        indices[end] = gene;
        counts[end++] = count;
      }
    }
    indptr[cell + 1] = end;
  }
  return { genes, indptr, indices: indices.slice(0, end), counts: counts.slice(0, end) };
}

/** Added to a gene that a programme turns on, as a share of the cell: silent genes have nothing to multiply. */
const induced = 0.00004;

function activitiesOf(cells: SimulatedCells, cell: number, activity: Map<Programme, number>): void {
  activity.clear();
  const { lineage, constant } = cells.populations[cells.population[cell]!]!;
  const u = cells.u[cell]!;
  const across = (cells.v[cell]! + 1) / 2;
  for (const { programme, strength } of constant) activity.set(programme, strength);
  for (const { programme, from, to } of lineage.along)
    activity.set(programme, (activity.get(programme) ?? 0) + from + (to - from) * u);
  for (const { programme, from, to } of lineage.across)
    activity.set(programme, (activity.get(programme) ?? 0) + from + (to - from) * across);
  const phase = cells.phase[cell]!;
  if (phase === 1) activity.set('g1s', 1.5);
  if (phase === 2) {
    activity.set('g2m', 1.8);
    activity.set('g1s', 0.5);
  }
}

interface Response {
  genes: Int32Array;
  /** Relative strength of each gene's response, about 1. */
  loadings: Float64Array;
}

function programmeResponse(genes: readonly string[]): Record<Programme, Response> {
  const random = createRandom('programme response');
  const position = new Map(genes.map((symbol, gene) => [symbol, gene]));
  return Object.fromEntries(
    Object.entries(programmes).map(([name, symbols]) => {
      const rows = Int32Array.from(symbols, (symbol) => position.get(symbol)!);
      // Genes are listed from the most telling on: the first answer most.
      const loadings = Float64Array.from(
        symbols,
        (_, rank) =>
          (name === 'ribosomal' ? 0.5 : 1.15 - 0.5 * (rank / symbols.length)) *
          Math.exp(0.15 * random.normal()),
      );
      return [name, { genes: rows, loadings }];
    }),
  ) as Record<Programme, Response>;
}

const maleGenes = new Set(['RPS4Y1', 'DDX3Y', 'UTY', 'ZFY']);

/**
 * Multipliers of every gene by patient and batch: small for normal cells; for tumour cells also runs of genes gained or
 * lost together and genes changed only in this tumour.
 */
function factorsOfPatients(
  recipe: Recipe,
  genes: readonly string[],
): { normal: Float64Array; tumour: Float64Array }[] {
  const batches = new Map(
    recipe.patients.map(({ batch }) => {
      const random = createRandom(`${recipe.seed} batch ${batch}`);
      return [batch, Float64Array.from(genes, () => Math.exp(0.1 * random.normal()))];
    }),
  );
  return recipe.patients.map(({ id, batch, sex }) => {
    const random = createRandom(`${recipe.seed} patient ${id}`);
    const normal = Float64Array.from(genes, (symbol, gene) => {
      const sexFactor =
        symbol === 'XIST'
          ? sex === 'Female'
            ? 12
            : 0.01
          : maleGenes.has(symbol) && sex === 'Female'
            ? 0
            : 1;
      return batches.get(batch)![gene]! * Math.exp(0.08 * random.normal()) * sexFactor;
    });
    const chromosomes = Array.from({ length: 46 }, () =>
      random.uniform() < 0.35 ? 0.6 * random.normal() : 0,
    );
    // A gene's arm is a fixed hash of its symbol, so that gains hit the same genes in every patient.
    const tumour = Float64Array.from(genes, (symbol, gene) => {
      const own = random.uniform() < 0.2 ? 0.8 * random.normal() : 0;
      return normal[gene]! * Math.exp(chromosomes[armOf(symbol)]! + own);
    });
    return { normal, tumour };
  });
}

function armOf(symbol: string): number {
  let hash = 7;
  for (let i = 0; i < symbol.length; i++) hash = (hash * 31 + symbol.charCodeAt(i)) >>> 0;
  return hash % 46;
}

function ambientOf(
  cells: SimulatedCells,
  profile: (population: number, patient: number) => Float64Array,
  geneCount: number,
): Float64Array {
  const sum = new Float64Array(geneCount);
  // Every hundredth cell is enough for an average.
  for (let cell = 0; cell < cells.count; cell += 100) {
    const rates = profile(cells.population[cell]!, cells.patient[cell]!);
    for (let gene = 0; gene < geneCount; gene++) sum[gene] = sum[gene]! + rates[gene]!;
  }
  return scaled(sum);
}

function scaled(values: Float64Array): Float64Array {
  const sum = values.reduce((total, value) => total + value, 0);
  return values.map((value) => value / sum);
}

function grown<T extends Int32Array | Float32Array>(old: T, Type: new (length: number) => T): T {
  const larger = new Type(Math.ceil(old.length * 1.5));
  larger.set(old);
  return larger;
}
