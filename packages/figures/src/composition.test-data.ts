import { compositionTest, designOf, levelContrast } from '@cellfolio/analysis';
import type { InputValues } from './plot.ts';
import { seeded, tenTypes } from './mixture.test-data.ts';

export function simulatedComposition(
  perSide: number,
  categoryCount: number,
  isPaired = false,
): InputValues['composition'] {
  const uniform = seeded(perSide * 31 + categoryCount);
  const count = 2 * perSide;
  const sides = Array.from({ length: count }, (_, at) => (at < perSide ? ('a' as const) : ('b' as const)));
  const values = new Float64Array(categoryCount * count);
  for (let at = 0; at < count; at++) {
    for (let category = 0; category < categoryCount; category++) {
      const grown = category === 0 && sides[at] === 'a' ? 3 : 1;
      const usual = 400 / (1 + 1.2 * category) ** 1.4;
      values[category * count + at] = Math.round(grown * usual * (0.5 + uniform()));
    }
  }
  const column = (name: string, labels: readonly string[]) => {
    const categories = [...new Set(labels)];
    return {
      kind: 'categorical',
      name,
      categories,
      codes: labels.map((label) => categories.indexOf(label)),
    } as const;
  };
  const tested = column('side', sides);
  const donors = column(
    'donor',
    sides.map((_, at) => `D${at % perSide}`),
  );
  const outcome = designOf({ tested, level: 'a', reference: 'b', covariates: isPaired ? [donors] : [] });
  if ('refusal' in outcome) throw new Error(outcome.refusal.code);
  const { design } = outcome;
  const cells = { geneCount: categoryCount, sampleCount: count, values };
  const { shares, tests } = compositionTest(cells, design, [levelContrast(design, 'side', 'a', 'b')]);
  const [test] = tests.contrasts;
  const rising = [...test!.pValues.keys()].sort((one, other) => test!.pValues[one]! - test!.pValues[other]!);
  return {
    a: 'Treated',
    b: 'Control',
    groupTitle: 'Cell type',
    test: 'moderated t-tests of log odds',
    transform: 'logit',
    samples: sides.map((side, at) => ({
      name: `S${at + 1}`,
      side,
      cells: values.reduce((sum, value, i) => sum + (i % count === at ? value : 0), 0),
    })),
    ...(isPaired && { pairs: Array.from({ length: perSide }, (_, at) => [at, at + perSide] as const) }),
    categories: rising.map((row) => ({
      name: tenTypes[row] ?? `Cluster ${row}`,
      shares: shares.values.slice(row * count, (row + 1) * count),
      effect: test!.effects[row]!,
      adjustedP: test!.adjusted[row]!,
    })),
    threshold: 0.05,
  };
}
