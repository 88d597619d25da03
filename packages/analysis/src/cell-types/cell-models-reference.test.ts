import { noteDifferences } from '@cellfolio/model/testing';
import { expect, test } from 'vitest';
import { float32, float64, type Packed, readReference } from '../markers/testing/reference.ts';
import { readLogisticModel } from './logistic-model.ts';
import { addGene, logisticStart, logisticVotes } from './logistic-scores.ts';

/** Written by fixtures/analysis/cell_models_reference.py. */
const reference = readReference<{
  cases: readonly {
    model: object;
    genes: readonly string[];
    x: Packed;
    clusters: readonly string[];
    probabilities: Packed;
    labels: readonly string[];
    majority: Readonly<Record<string, string>>;
  }[];
}>(new URL('cell-models-reference.json', import.meta.url));

function classified({ model: content, genes, x: packed, clusters }: (typeof reference.cases)[number]) {
  const model = readLogisticModel(JSON.stringify(content));
  const x = float32(packed);
  const names = [...new Set(clusters)];
  const cells = {
    places: Int32Array.from(clusters.keys()),
    groups: Int32Array.from(clusters, (name) => names.indexOf(name)),
    groupCount: names.length,
  };
  const modelGenes = Int32Array.from(genes, (gene) => model.genes.indexOf(gene));
  const sums = logisticStart(model, modelGenes, cells);
  genes.forEach((_, at) => {
    const stored = Int32Array.from(clusters.keys()).filter((cell) => x[cell * genes.length + at] !== 0);
    for (const piece of [stored.slice(0, 40), stored.slice(40)]) {
      const values = Float32Array.from(piece, (cell) => x[cell * genes.length + at]!);
      addGene(model, sums, cells, { gene: modelGenes[at]!, at, cells: piece, values });
    }
  });
  return { model, names, sums, votes: logisticVotes(sums, model.types.length, cells) };
}

test.each(reference.cases.map((one) => [(one.model as { types: string[] }).types.length, one] as const))(
  'a model of %i types, made or trained by CellTypist, has the probabilities, labels and majorities of CellTypist',
  (_, one) => {
    const { model, names, sums, votes } = classified(one);
    const ours = Array.from(sums.scores, (score) => 1 / (1 + Math.exp(-score)));
    const theirs = Array.from(float64(one.probabilities));
    noteDifferences('cell-models', ours, theirs, 1);
    expect(ours).toHaveLength(theirs.length);
    ours.forEach((p, at) => expect(Math.abs(p - theirs[at]!)).toBeLessThanOrEqual(1e-6));
    expect(Array.from(votes.best, (type) => model.types[type])).toEqual(one.labels);
    // With equal votes CellTypist takes the first name, ours the type with the higher mean probability: both are compared.
    const majority = names.map((name, group) => {
      const { order, votes: ofTypes } = votes.groups[group]!;
      const tied = Array.from(order.filter((type) => ofTypes[type] === ofTypes[order[0]!]));
      return [name, tied.map((type) => model.types[type]!).toSorted()[0]];
    });
    expect(Object.fromEntries(majority)).toEqual(one.majority);
    expect(votes.groups.reduce((sum, { cells }) => sum + cells, 0)).toBe(one.clusters.length);
  },
);
