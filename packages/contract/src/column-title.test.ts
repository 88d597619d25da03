import { expect, test } from 'vitest';
import { columnTitle } from './index.ts';

test.each([
  ['cell_state', 'Cell State'],
  ['age_group_at_diagnosis', 'Age Group At Diagnosis'],
  ['HER2_status', 'HER2 Status'],
  ['Cell State', 'Cell State'],
  ['orig.ident', 'Orig.ident'],
  ['__', '__'],
  ['', ''],
])('the column %j is called %j', (name, title) => expect(columnTitle(name)).toBe(title));
