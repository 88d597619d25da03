import { expect, test } from 'vitest';
import { cautionOf } from './copy-link-button.tsx';

test('the caution of a copied link names the cards and cells that it has no room for', () => {
  expect(cautionOf({ cells: false, cards: 0 })).toBeUndefined();
  expect(cautionOf({ cells: false, cards: 4 })).toBe(
    'The last 4 cards did not fit into the link. Copy another link while only the last cards are shown.',
  );
  expect(cautionOf({ cells: true, cards: 1 })).toMatch(
    /^Too many cells are selected .* The last card did not fit into the link\./,
  );
});
