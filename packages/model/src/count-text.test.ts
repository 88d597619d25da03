import { expect, test } from 'vitest';
import { countText } from './count-text.ts';

test('counts have a comma at each thousand, whatever the language of the machine', () => {
  expect([0, 999, 1000, 1_234_567].map(countText)).toEqual(['0', '999', '1,000', '1,234,567']);
});
