import { expect, test } from 'vitest';
import { leadingGeneCautions } from './leading-genes.ts';

const others = Array.from({ length: 18 }, (_, at) => `GENE${at}`);
const codesOf = (genes: readonly string[]) =>
  leadingGeneCautions([{ group: '', genes }]).map(({ code }) => code);

test('a caution names one sex-linked gene among the leading ones, with its usual cause', () => {
  const [caution, ...more] = leadingGeneCautions([{ group: '', genes: ['XIST', ...others, 'RPS4Y1'] }]);
  expect(more).toEqual([]);
  expect(caution!.message).toMatch(/^Sex-linked genes lead: 2 of the first 20 \(XIST, RPS4Y1\)\. .* sex/);
  expect(caution!.numbers).toEqual({
    groups: [''],
    counts: [2],
    of: [20],
    genes: ['XIST', 'RPS4Y1'],
    groupCount: 1,
  });
  expect(codesOf(['Eif2s3y', 'Xist'])).toEqual(['sex-linked-genes-lead']);
});

test('of other kinds three are needed, in human or mouse, with a genome before the name or without', () => {
  expect(codesOf([...others, 'RPL3', 'RPS6'])).toEqual([]);
  expect(codesOf([...others.slice(1), 'RPL3', 'RPS6', 'RPLP0'])).toEqual(['ribosomal-genes-lead']);
  expect(codesOf(['mt-Nd1', 'mt-Co1', 'mt-Atp6'])).toEqual(['mitochondrial-genes-lead']);
  expect(codesOf(['Fos', 'Junb', 'Hspa1a'])).toEqual(['stress-genes-lead']);
  expect(codesOf(['mm10___Fos', 'GRCh38_HSPA1B', 'hg19-EGR1'])).toEqual(['stress-genes-lead']);
  // Kinases, metallothioneins and receptors that only look alike.
  expect(codesOf(['RPS6KA1', 'MT1X', 'MT2A', 'JUNCTION', 'FOSX', 'XISTAR'])).toEqual([]);
});

test('each group is checked by itself, and the caution names the first ones', () => {
  const lists = Array.from({ length: 7 }, (_, at) => ({ group: `type ${at}`, genes: ['DDX3Y', 'CD3D'] }));
  const [caution] = leadingGeneCautions([{ group: 'none', genes: ['CD3D'] }, ...lists]);
  expect(caution!.message).toContain('type 0: 1 of the first 2 (DDX3Y), type 1: ');
  expect(caution!.message).toContain(' and 4 more.');
  expect(caution!.numbers).toMatchObject({ groupCount: 7, counts: [1, 1, 1, 1, 1] });
});

test('genes of the cell cycle are reported from three on, of human and mouse', () => {
  expect(codesOf([...others, 'MKI67', 'TOP2A'])).toEqual([]);
  const [caution] = leadingGeneCautions([
    { group: '', genes: [...others.slice(1), 'MKI67', 'Top2a', 'Pcna'] },
  ]);
  expect(caution!.code).toBe('cell-cycle-genes-lead');
  expect(caution!.message).toMatch(/: 3 of the first 20 \(MKI67, Top2a, Pcna\)\. .* divide/);
});

test('one haemoglobin is reported, unless genes of red blood cells lead with it', () => {
  expect(codesOf([...others, 'HBB'])).toEqual(['ambient-genes-lead']);
  expect(codesOf(['Hba-a1', ...others])).toEqual(['ambient-genes-lead']);
  expect(codesOf(['HBEGF', 'HBP1', ...others])).toEqual([]);
  expect(codesOf(['HBB', 'HBA1', 'ALAS2', ...others])).toEqual([]);
});

test('genes that were found to be ambient are reported with the group that they lead in', () => {
  const lists = [
    { group: 'T cell', genes: ['ALB', 'APOA1', ...others] },
    { group: 'B cell', genes: [...others] },
  ];
  const [caution] = leadingGeneCautions(lists, new Set(['ALB', 'APOA1']));
  expect(caution!.message).toContain('T cell: 2 of the first 20 (ALB, APOA1)');
  expect(caution!.numbers).toMatchObject({ groups: ['T cell'], counts: [2] });
});
