import type { DropletChoice, DropletPlan } from '@cellfolio/contract';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { DropletSection } from './droplet-section.tsx';
import { effectiveChoice, isPlanOf } from './live-thresholds.ts';

const droplets: DropletPlan = {
  barcodes: 21_474,
  emptyUpTo: 100,
  empty: 19_747,
  detected: true,
  keep: 'called',
  cells: 1492,
  knee: 1739,
  inflection: 740,
  falseDiscoveryRate: 0.001,
  iterations: 10_000,
  concentration: 10_000,
  curve: [
    { rank: 1, counts: 9000, cells: 1 },
    { rank: 1400, counts: 800, cells: 1 },
    { rank: 1500, counts: 120, cells: 0.4 },
    { rank: 21_000, counts: 20, cells: 0 },
  ],
};

function Choosing({ onChoice }: { onChoice: (choice: DropletChoice | undefined) => void }) {
  const [choice, setChoice] = useState<DropletChoice>();
  return (
    <DropletSection
      droplets={droplets}
      choice={choice}
      fresh={choice === undefined}
      onChange={(chosen) => {
        setChoice(chosen);
        onChoice(chosen);
      }}
    />
  );
}

test('the curve, the figures and who is called are shown', () => {
  render(<Choosing onChoice={() => undefined} />);
  expect(screen.getByText(/^This is a raw matrix: 19,747 of 21,474 barcodes/)).toBeVisible();
  expect(
    screen.getByRole('img', { name: /1,492 of 21,474 barcodes are kept as cells; knee at 1,739/ }),
  ).toBeVisible();
  expect(screen.getByText('Knee 1,739')).toBeVisible();
  expect(screen.getByText('Inflection 740')).toBeVisible();
  expect(screen.getByRole('status')).toHaveTextContent('1,492 barcodes are called cells');
});

test('a minimum of counts can be chosen, and the old figures are marked as old', async () => {
  const choices: (DropletChoice | undefined)[] = [];
  render(<Choosing onChoice={(choice) => choices.push(choice)} />);
  const user = userEvent.setup();
  await user.click(screen.getByRole('combobox', { name: 'Keep' }));
  await user.click(screen.getByRole('option', { name: 'Barcodes with a minimum of counts' }));
  await user.type(screen.getByRole('spinbutton', { name: 'Minimum counts' }), '500');
  expect(choices.at(-1)).toEqual({ keep: 'minimum', minimumCounts: 500 });
  expect(screen.getByRole('status')).toHaveTextContent('This curve belongs to the previous settings');
});

test('another choice of barcodes makes a plan an old one; few counts take no called cell away', () => {
  expect(isPlanOf({ choice: {} }, {})).toBe(true);
  expect(isPlanOf({ choice: {} }, { droplets: { keep: 'all' } })).toBe(false);
  expect(effectiveChoice({ droplets }, { minimumGenes: 50 })).toEqual({ minimumCounts: 0, minimumGenes: 50 });
  expect(effectiveChoice({}, {})).toEqual({});
});

test('other gene symbols or another answer about the values make a plan an old one', () => {
  const plannedChoice = { symbol: 'feature_name', expression: 'counts' } as const;
  expect(isPlanOf({ choice: plannedChoice }, plannedChoice)).toBe(true);
  expect(isPlanOf({ choice: plannedChoice }, { ...plannedChoice, symbol: 'gene' })).toBe(false);
  expect(isPlanOf({ choice: plannedChoice }, { symbol: 'feature_name' })).toBe(false);
});

test('where the test was too much for automatic, the minimum that was taken instead is shown, without a knee', () => {
  const { knee: _, ...others } = droplets;
  render(
    <DropletSection
      droplets={{ ...others, keep: 'minimum', minimumCounts: 740 }}
      choice={undefined}
      fresh
      onChange={() => undefined}
    />,
  );
  expect(screen.getByRole('combobox', { name: 'Keep' })).toHaveTextContent('Automatic: a minimum of counts');
  expect(screen.getByRole('spinbutton', { name: 'Minimum counts' })).toHaveAttribute('placeholder', '740');
  expect(screen.queryByText(/^Knee/)).toBeNull();
  expect(screen.getByText('Inflection 740')).toBeVisible();
});
