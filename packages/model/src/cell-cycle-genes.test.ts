import { expect, test } from 'vitest';
import { isCellCycleGene } from './cell-cycle-genes.ts';

test('genes of S and of G2 and M are known, of human and mouse and by former symbols', () => {
  for (const symbol of [
    'MCM5',
    'E2F8',
    'HMGB2',
    'CENPA',
    'Top2a',
    'Mki67',
    'MLF1IP',
    'CENPU',
    'HN1',
    'JPT1',
  ]) {
    expect(isCellCycleGene(symbol)).toBe(true);
  }
  for (const symbol of ['', 'ACTB', 'MCM5P1', 'CENPX']) expect(isCellCycleGene(symbol)).toBe(false);
});
