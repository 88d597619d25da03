import { cellStateNames } from '@cellfolio/contract';
import { describe, expect, test } from 'vitest';
import { cellStateOf } from './cell-state-names.ts';
import { enrichrHallmarkNames } from './testing/enrichr-hallmark-names.ts';

describe('the cell states', () => {
  test('are 50 different names in alphabetical order', () => {
    expect(new Set(cellStateNames).size).toBe(50);
    expect([...cellStateNames].sort()).toEqual(cellStateNames);
    expect(cellStateNames).toContain('TNFA SIGNALING VIA NFKB');
    expect(cellStateNames[0]).toBe('ADIPOGENESIS');
    expect(cellStateNames[49]).toBe('XENOBIOTIC METABOLISM');
  });

  test('are found under all 50 spellings of Enrichr', () => {
    expect(enrichrHallmarkNames.map((name) => cellStateOf(name)).sort()).toEqual(cellStateNames);
  });

  test('are found under the names of MSigDB, an old misspelling included', () => {
    const names = cellStateNames.map((name) => `HALLMARK_${name.replaceAll(' ', '_')}`);
    expect(names.map((name) => cellStateOf(name))).toEqual(cellStateNames);
    expect(cellStateOf('HALLMARK_REACTIVE_OXIGEN_SPECIES_PATHWAY')).toBe('REACTIVE OXYGEN SPECIES PATHWAY');
  });

  test.each(['Cell cycle', 'HALLMARK', '', '__proto__', 'APOPTOSIS 2'])('are not found under %j', (name) => {
    expect(cellStateOf(name)).toBeUndefined();
  });
});
