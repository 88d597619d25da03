import { expect, test } from 'vitest';
import { designOf } from '../pseudobulk/design-of.ts';
import { levelContrast } from '../pseudobulk/design.ts';
import { simulatedFalseShare } from './simulated-discoveries.ts';

function meanShare(perSide: number, dispersion: number, sets: number): number {
  const codes = Array.from({ length: 2 * perSide }, (_, sample) => Number(sample >= perSide));
  const tested = { kind: 'categorical', name: 'side', categories: ['B', 'A'], codes } as const;
  const answer = designOf({ tested, level: 'A', reference: 'B' });
  if ('refusal' in answer) throw new Error(answer.refusal.code);
  const { design } = answer;
  const contrast = levelContrast(design, 'side', 'A', 'B');
  const from = {
    samples: { design, sizeFactors: new Float64Array(2 * perSide).fill(1) },
    contrast,
    baseMeans: Float64Array.from({ length: 400 }, (_, gene) => 20 * 1.01 ** gene),
    prior: {
      trend: { kind: 'parametric', coefficients: [dispersion, 0] },
      variance: 0.5,
      spread: 0.8,
    } as const,
  };
  const shares = Array.from({ length: sets }, (_, set) => simulatedFalseShare(from, `${set}`));
  expect(simulatedFalseShare(from, '0')).toBe(shares[0]);
  return shares.reduce((sum, share) => sum + share, 0) / sets;
}

test('few samples let more false discoveries pass than many, and more than is promised', () => {
  const [few, many] = [meanShare(3, 0.1, 5), meanShare(12, 0.1, 2)];
  expect(few).toBeGreaterThan(0.1);
  expect(few).toBeLessThan(0.3);
  expect(many).toBeLessThan(few);
});

test('fewer pass where counts vary by little more than chance', () => {
  expect(meanShare(4, 0.001, 3)).toBeLessThan(meanShare(4, 0.1, 3));
});
