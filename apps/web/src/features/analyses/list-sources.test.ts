import { expect, test } from 'vitest';
import { listSources, ownListProblem } from './list-sources.ts';

const [markers, pairs] = [listSources.markers.own!, listSources.pairs.own!];

test('gene lists become types of their names, behind what is there, and hostile names stay cells', () => {
  const lists = [
    { name: 'My, cells', genes: ['CD19', 'MS4A1'] },
    { name: '=cmd', genes: ['A"B'] },
  ];
  const text = markers.withGeneLists!('', lists);
  expect(text).toBe('cell_type,gene\n"My, cells",CD19\n"My, cells",MS4A1\n\'=cmd,"A""B"\n');
  expect(ownListProblem(text, markers)).toBeUndefined();
  expect(ownListProblem('B,CD19', markers)).toMatch(/^The first line must name the columns/);
  expect(markers.withGeneLists!('cell_type,gene\nNK,GNLY\n', lists.slice(0, 1))).toBe(
    'cell_type,gene\nNK,GNLY\n"My, cells",CD19\n"My, cells",MS4A1\n',
  );
});

test('headings of LIANA and OmniPath are headings, below comments too', () => {
  expect(ownListProblem('# of 2024\n"","source_genesymbol","target_genesymbol"\n', pairs)).toBeUndefined();
  expect(ownListProblem('CXCL12,CXCR4', pairs)).toMatch(/^The first line must name the columns/);
  expect(ownListProblem('x'.repeat(400_001), pairs)).toContain('400,001 characters');
});
