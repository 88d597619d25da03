import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { processedRecord } from '@/testing/own-jobs.ts';
import { SampleSteps } from './sample-steps.tsx';

test('of samples whose doublets were looked for approximately the least recall is told, of others nothing', () => {
  const recordOf = (shares: readonly (number | undefined)[]) => ({
    ...processedRecord,
    samples: {
      files: shares.map((_, at) => ({ sample: `S${at}`, file: `s${at}.h5ad`, cells: 5000, genes: 100 })),
      doublets: {
        action: 'removed' as const,
        called: 0,
        groups: shares.map((share, at) => ({
          sample: `S${at}`,
          cells: 5000,
          called: 0,
          ...(share !== undefined && { neighbourRecall: { cells: 500, share } }),
        })),
      },
      clusterings: [],
    },
  });
  const { rerender } = render(<SampleSteps record={recordOf([undefined, undefined])} />);
  expect(screen.queryByText(/^For doublets/)).toBeNull();
  rerender(<SampleSteps record={recordOf([undefined, 0.9861])} />);
  expect(screen.getByText(/^For doublets/)).toHaveTextContent(
    'For doublets, neighbours of S1 were searched approximately: 98.6 % of those of 500 cells are the nearest.',
  );
  rerender(<SampleSteps record={recordOf([0.9912, undefined, 0.9861])} />);
  expect(screen.getByText(/^For doublets/)).toHaveTextContent(
    'For doublets, neighbours of 2 samples were searched approximately: at least 98.6 % of those of 500 cells of each are the nearest.',
  );
});
