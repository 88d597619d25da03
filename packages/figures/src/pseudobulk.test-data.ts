import { designOf, levelContrast, pseudobulkTest, type SampleFactor } from '@cellfolio/analysis';
import { seeded } from './mixture.test-data.ts';
import type { PseudobulkInput, SampleColumnInput } from './pseudobulk-input.ts';

interface Simulated {
  perSide: number;
  genes?: number;
  differing?: number;
  batch?: number;
  isPaired?: boolean;
}

export function simulatedTest({
  perSide,
  genes = 800,
  differing = 0.1,
  batch = 1,
  isPaired = false,
}: Simulated): PseudobulkInput {
  const uniform = seeded(7 * perSide + genes);
  const normal = (): number =>
    Math.sqrt(-2 * Math.log(uniform() + 1e-12)) * Math.cos(2 * Math.PI * uniform());
  const count = 2 * perSide;
  const sides = Array.from({ length: count }, (_, at) => (at < perSide ? ('a' as const) : ('b' as const)));
  const donors = Array.from({ length: count }, (_, at) => `donor ${(at % perSide) + 1}`);
  const batches = Array.from({ length: count }, (_, at) => (at % 2 === 0 ? 'first' : 'second'));
  const ages = Array.from({ length: count }, (_, at) => 31 + ((at * 17) % 43));
  const depths = Array.from({ length: count }, () => 2 ** (0.6 * normal()));
  const own = Array.from({ length: perSide * genes }, () => (isPaired ? 0.5 * normal() : 0));
  const values = new Float64Array(genes * count);
  for (let gene = 0; gene < genes; gene++) {
    const base = 2 ** (3 + 6 * uniform());
    const effect = gene < differing * genes ? (gene % 2 === 0 ? 2 : -2) : 0;
    for (let at = 0; at < count; at++) {
      const shift =
        (sides[at] === 'a' ? effect : 0) +
        (batches[at] === 'second' && gene % 2 === 0 ? batch : 0) +
        own[gene * perSide + (at % perSide)]! +
        0.4 * normal();
      const mean = base * depths[at]! * 2 ** shift;
      values[gene * count + at] = Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()));
    }
  }
  const covariates: SampleFactor[] = isPaired ? [labels('donor', donors)] : [labels('batch', batches)];
  const answer = designOf({
    tested: labels('side', [...sides]),
    level: 'a',
    reference: 'b',
    covariates,
  });
  if ('refusal' in answer) throw new Error(answer.refusal.code);
  const { design } = answer;
  const matrix = { geneCount: genes, sampleCount: count, values };
  const tested = pseudobulkTest(matrix, design, [levelContrast(design, 'side', 'a', 'b')]);
  if ('refusal' in tested) throw new Error(tested.refusal.code);
  const { result } = tested;
  const [test] = result.tests.contrasts;
  const geneAt = (place: number) => {
    const row = result.genes[place]!;
    return {
      symbol: `GENE${row}`,
      logCpm: Float64Array.from({ length: count }, (_, at) =>
        Math.log2(
          ((values[row * count + at]! + 0.5) / (result.librarySizes[at]! * result.factors[at]! + 1)) * 1e6,
        ),
      ),
      logFoldChange: test!.effects[place]!,
      adjustedP: test!.adjusted[place]!,
    };
  };
  const columns: SampleColumnInput[] = [
    { name: 'treatment', role: 'side', kind: 'categorical', values: sides.map((side) => names[side]) },
    ...(isPaired
      ? []
      : [{ name: 'batch', role: 'covariate', kind: 'categorical', values: batches } as const]),
    { name: 'age', role: 'covariate', kind: 'numeric', values: ages },
    ...(isPaired ? [{ name: 'donor', role: 'pairing', kind: 'categorical', values: donors } as const] : []),
  ];
  return {
    a: names.a,
    b: names.b,
    part: 'Macrophage',
    test: 'limma-voom of sums by sample',
    formula: isPaired ? '~ treatment + donor' : '~ treatment + batch',
    samples: sides.map((side, at) => ({
      name: `S${at + 1}`,
      side,
      cells: Math.round(300 * depths[at]!),
      librarySize: result.librarySizes[at]!,
      factor: result.factors[at]!,
      x: result.map.x[at]!,
      y: result.map.y[at]!,
    })),
    axes: [result.map.explained[0]!, result.map.explained[1]!],
    columns,
    coefficients: design.coefficients.map(({ name }, at) => ({ name, values: design.columns[at]! })),
    spread: { measure: 'deviation', ...result.spread },
    histogram: result.histograms[0]!,
    tested: result.genes.length,
    gene: { ...geneAt(0), symbol: 'GENE0' },
    surest: [...result.genes.keys()]
      .sort((one, other) => test!.pValues[one]! - test!.pValues[other]!)
      .slice(0, 30)
      .map(geneAt),
  };
}

const names = { a: 'Treated', b: 'Control' } as const;

function labels(name: string, values: readonly string[]): SampleFactor {
  const categories = [...new Set(values)];
  return { kind: 'categorical', name, categories, codes: values.map((value) => categories.indexOf(value)) };
}
