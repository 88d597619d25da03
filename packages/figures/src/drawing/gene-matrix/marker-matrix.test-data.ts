import type { GeneMatrixInput } from './spec.ts';

/** Each group has `perGroup` markers; numbers follow from a seed alone. */
export function markerMatrix(
  labels: readonly string[],
  perGroup: number,
  symbolOf: (gene: number) => string = (gene) => symbols[(gene * 7) % symbols.length]!,
): GeneMatrixInput {
  let seed = 17;
  const random = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  const groups = labels.map((label) => ({ label, cells: Math.floor(20 + random() ** 2 * 9000) }));
  const genes = labels.flatMap((group, g) =>
    Array.from({ length: perGroup }, (_, i) => ({ symbol: symbolOf(g * perGroup + i), group })),
  );
  const size = groups.length * genes.length;
  const fraction = Float64Array.from({ length: size }, (_, i) => {
    const isOwn = Math.floor((i % genes.length) / perGroup) === Math.floor(i / genes.length);
    return isOwn ? 0.45 + 0.5 * random() : (random() < 0.25 ? 0.45 : 0.08) * random();
  });
  const mean = fraction.map((part) => part * (1.4 + 2 * part) * (0.8 + 0.4 * random()));
  return {
    groups,
    genes,
    mean,
    fraction,
    title: 'Marker genes',
    datasetName: 'Lung',
    groupTitle: 'Cell type',
  };
}

const symbols = (
  'CD79A MS4A1 CD3D CD3E TRAC NKG7 GNLY KLRD1 LYZ S100A8 S100A9 FCGR3A COL1A1 COL1A2 DCN PECAM1 VWF ' +
  'EPCAM KRT18 TPSAB1 CPA3 JCHAIN MZB1 HLA-DRA AC093668.1 MT-CO1 IL7R CCR7 MARCO'
).split(' ');
