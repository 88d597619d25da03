import { expect, test } from 'vitest';
import { haemoglobinGenes, mitochondrialGenes, ribosomalGenes, mitochondrialIds } from './gene-kinds.ts';

const markedNames = (marks: Uint8Array, names: readonly string[]) =>
  names.filter((_, gene) => marks[gene] === 1);
const bareNames = [
  'ND1',
  'ND2',
  'COX1',
  'COX2',
  'ATP8',
  'ATP6',
  'COX3',
  'ND3',
  'ND4L',
  'ND4',
  'ND5',
  'ND6',
  'CYTB',
];

test.each([
  'MT-ND1',
  'mt-Nd1',
  'GRCh38_MT-ND1',
  'GRCh38______MT-CO1',
  'hg19_MT-ND1',
  'mm10___mt-Nd1',
  'mm10_mt-Tp',
  'GRCh38-MT-ND1',
  'mm10---mt-Nd1',
  'MT.ND1',
  'GRCh38_MT.ND1',
  'hg38.MT.ND1',
  'mt:CoI',
  'mt:ND4L',
  'MT_ND1',
  'ENSG00000198888',
  'ENSG00000198888.2',
  'GRCh38_ENSG00000198888.2',
  'ENSMUSG00000064341',
  'ENSMUSG00000065947.3',
])('%s is a mitochondrial gene', (name) => {
  expect(Array.from(mitochondrialGenes({ geneNames: [name, 'ACTB'] }))).toEqual([1, 0]);
});

test('names that only look like those of mitochondrial genes are none', () => {
  const names = [
    'MTOR',
    'MT1X',
    'MT2A',
    'MTRNR2L1',
    'MTND1P23',
    'MTCO1P12',
    'MT_OR1',
    'SMT-1',
    'COX1',
    'ND1',
    'GRCh38_MTOR',
    'ENSG00000198793',
    'ENSMUSG00000064362',
    'TMT-ND1',
    'MTATP6P1',
  ];
  expect(markedNames(mitochondrialGenes({ geneNames: names }), names)).toEqual([]);
});

test('bare names count where most NADH dehydrogenases are there, as in annotations of RefSeq', () => {
  const names = [...bareNames, 'PTGS2', 'COX4I1', 'ATP6V1A', 'ND1L'];
  expect(markedNames(mitochondrialGenes({ geneNames: names }), names)).toEqual(bareNames);
});

test('the 37 genes of human and of mouse are known by their Ensembl ids', () => {
  const ids = [...mitochondrialIds];
  expect(ids.filter((id) => /^ENSG\d{11}$/.test(id))).toHaveLength(37);
  expect(ids.filter((id) => /^ENSMUSG\d{11}$/.test(id))).toHaveLength(37);
  const geneNames = ['A', 'B'];
  const geneIds = ['ENSG00000198727.3', 'ENSG00000075624'];
  expect(Array.from(mitochondrialGenes({ geneNames, geneIds }))).toEqual([1, 0]);
});

test('the chromosome decides where names do not', () => {
  const chromosomes = [
    'MT',
    'M',
    'chrM',
    'chrMT',
    'mitochondrion_genome',
    'NC_012920.1',
    'GRCh38_chrM',
    '1',
    'chrX',
    '',
    'MTX',
  ];
  const geneNames = chromosomes.map((_, gene) => `gene${gene}`);
  expect(markedNames(mitochondrialGenes({ geneNames, chromosomes }), chromosomes)).toEqual(
    chromosomes.slice(0, 7),
  );
});

test('proteins of the ribosome are distinguished from kinases, and haemoglobins from what binds heparin', () => {
  const ribosomal = [
    'RPS6',
    'RPL13A',
    'RPLP0',
    'RPSA',
    'RPS4Y1',
    'RPL36AL',
    'Rps27rt',
    'RpL10Ab',
    'GRCh38_RPS27A',
    'mm10___Rpl3',
    'RPL7L1',
    'RPS3A1',
  ];
  const others = ['RPS6KA1', 'RPS6KB2', 'RPS19BP1', 'RPL7P9', 'MRPS6', 'RPS10-NUDT3'];
  const names = [...ribosomal, ...others];
  expect(markedNames(ribosomalGenes({ geneNames: names }), names)).toEqual(ribosomal);
  const chains = [
    'HBA1',
    'HBA2',
    'HBB',
    'HBG2',
    'HBE1',
    'HBQ1',
    'HBZ',
    'Hba-a1',
    'Hbb-bt',
    'Hbb-bh1',
    'Hbb.bs',
    'hg19_HBB',
    'hbaa1',
  ];
  const all = [...chains, 'HBP1', 'HBS1L', 'HBEGF', 'HBXIP', 'HBB-AS1'];
  expect(markedNames(haemoglobinGenes({ geneNames: all }), all)).toEqual(chains);
});
