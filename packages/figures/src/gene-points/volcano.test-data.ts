import { congruential } from '../mixture.test-data.ts';

export function comparedGenes(count: number) {
  const random = congruential(7);
  const normal = (): number => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
  const genes = Array.from({ length: count }, (_, at) => `GENE${at}`);
  const foldChanges = new Float64Array(count);
  const adjustedPs = new Float64Array(count);
  for (let gene = 0; gene < count; gene++) {
    const differs = gene % 25 === 0;
    const change = normal() * (differs ? 1.6 : 0.4);
    foldChanges[gene] = change;
    adjustedPs[gene] = 10 ** -(Math.abs(change) * (differs ? 9 : 0.8) * random());
  }
  return { genes, foldChanges, adjustedPs };
}
