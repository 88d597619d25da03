import { programmes } from './programmes.ts';
import { createRandom } from '@cellfolio/analysis';

/** Weights are relative: 1 is the typical gene of the panel; a cell's weights are scaled to its library size. */
const housekeeping: ReadonlyMap<string, number> = new Map([
  ['MALAT1', 420],
  ['B2M', 190],
  ['TMSB4X', 170],
  ['TMSB10', 90],
  ['ACTB', 120],
  ['ACTG1', 35],
  ['EEF1A1', 150],
  ['TPT1', 90],
  ['FTL', 110],
  ['FTH1', 130],
  ['GAPDH', 45],
  ['PTMA', 45],
  ['UBA52', 35],
  ['FAU', 45],
  ['H3-3B', 40],
  ['UBC', 28],
  ['NEAT1', 25],
  ['PFN1', 32],
  ['CFL1', 28],
  ['MYL6', 30],
  ['SERF2', 24],
  ['OAZ1', 22],
  ['NACA', 28],
  ['BTF3', 16],
  ['HLA-A', 35],
  ['HLA-B', 60],
  ['HLA-C', 45],
  ['PPIA', 22],
  ['HSP90AA1', 14],
  ['VIM', 18],
  ['S100A4', 14],
]);

const immune: readonly CellType[] = ['B cell', 'Macrophage', 'Mast', 'Monocyte', 'NK', 'Plasma', 'T cell'];
const stroma: readonly CellType[] = ['Endothelial', 'Fibroblast'];
const lymphoid: readonly CellType[] = ['B cell', 'NK', 'Plasma', 'T cell'];
const myeloid: readonly CellType[] = ['Macrophage', 'Mast', 'Monocyte'];

/** Families that only some types express: the first rule that matches a symbol applies. Off is 2 % of on. */
const familyRules: readonly {
  pattern: RegExp;
  types: readonly CellType[];
  weight: number;
}[] = [
  { pattern: /^IG[HKL]V?[ACDEGMV1-9-]|^IGLL5/, types: ['Plasma', 'B cell'], weight: 3 },
  { pattern: /^TR[ABGD][CV]/, types: ['T cell'], weight: 2 },
  { pattern: /^(KLR|KIR|GZM|XCL|NCR)/, types: ['NK', 'T cell'], weight: 0.6 },
  {
    pattern: /^(LILR|SIGLEC|CLEC|FCGR|TLR|MS4A[467]|FCAR|CD163|CD300|C1Q|S100A(8|9|12)|FPR)/,
    types: myeloid,
    weight: 0.4,
  },
  { pattern: /^HLA-D/, types: ['B cell', 'Macrophage', 'Monocyte'], weight: 22 },
  { pattern: /^(FCRL|CD19$|CD2[0-3]$|CD79|PAX5|BANK1)/, types: ['B cell'], weight: 0.6 },
  {
    pattern: /^(KRT|CLDN|MUC|CEACAM[567]|TFF|SCGB|SFTP|REG[134]|SPINK|DS[CGP]|PKP)/,
    types: ['Epithelial'],
    weight: 0.5,
  },
  { pattern: /^(COL\d|LAM[ABC]\d|MMP|FBLN|THBS|LOX|SFRP|ADAMTS|WNT|IGFBP|PDGF)/, types: stroma, weight: 0.5 },
  { pattern: /^(IL\d|CCL|CXCL|CCR|CXCR|TNFRSF|TNFSF|IKZF|GIMAP|LY\d|CD\d)/, types: immune, weight: 0.35 },
  {
    pattern: /^(ALB|CYP|AKR|AQP|CA\d|SLC6|SLC34|HOX|GATA[456]|FOX[AC])/,
    types: ['Epithelial', 'Fibroblast'],
    weight: 0.2,
  },
  { pattern: /^(TCF7|LEF1|CCR7|SELL|BACH2|LTB)$/, types: lymphoid, weight: 0.8 },
];
const off = 0.02;

/** Programmes that any cell may have on, so any cell expresses a little of their genes. */
const general: ReadonlySet<string> = new Set([
  'emt',
  'hypoxia',
  'interferonAlpha',
  'interferonGamma',
  'nfkb',
  'stress',
  'oxphos',
  'unfolded',
  'p53',
  'ribosomal',
]);

interface GeneProfiles {
  /** Weight of every panel gene in a resting cell of a type. */
  weights: Readonly<Record<CellType, Float64Array>>;
  /** Negative binomial size of every gene: small is bursty. */
  sizes: Float64Array;
}

/** Expression of each type, the same in all datasets, so that a gene means the same everywhere. */
export function geneProfiles(panel: readonly string[]): GeneProfiles {
  const random = createRandom('gene profiles');
  const programmeGenes = new Set<string>(Object.values(programmes).flat());
  const confinedProgrammes = new Set<string>(
    Object.entries(programmes)
      .filter(([name]) => !general.has(name))
      .flatMap(([, genes]) => genes),
  );
  const markerGenes = new Set<string>(Object.values(cellTypeMarkers).flat());
  const weights = Object.fromEntries(
    cellTypes.map((type) => [type, new Float64Array(panel.length)]),
  ) as Record<CellType, Float64Array>;
  const sizes = new Float64Array(panel.length);
  panel.forEach((symbol, gene) => {
    sizes[gene] = 1.5 + 5 * random.uniform();
    const level = baseLevel(symbol, random.normal());
    const rule = familyRules.find(({ pattern }) => pattern.test(symbol));
    // About one ordinary gene in eight is confined to some of the types.
    const confined = random.uniform() < 0.12;
    for (const type of cellTypes) {
      const variation = Math.exp(0.3 * random.normal());
      const silent = confined && random.uniform() < 0.6 ? 0.15 : 1;
      let weight = level * variation * silent;
      // What a programme turns on is all but silent until then; so are markers outside their types.
      if (!housekeeping.has(symbol) && !/^RP[LS]/.test(symbol)) {
        if (markerGenes.has(symbol)) weight = Math.min(weight, 0.04);
        else if (confinedProgrammes.has(symbol)) weight = Math.min(weight, 0.04);
        else if (rule !== undefined) weight = rule.weight * (rule.types.includes(type) ? 1 : off) * variation;
        else if (programmeGenes.has(symbol)) weight = Math.min(weight, 0.35);
      } else if (markerGenes.has(symbol)) weight = Math.min(weight, housekeeping.get(symbol) ?? weight);
      const rank = cellTypeMarkers[type].indexOf(symbol);
      if (rank >= 0)
        weight = Math.max(weight, (42 * Math.exp(-rank / 9) + 3) * Math.exp(0.25 * random.normal()));
      weights[type][gene] = weight;
    }
  });
  boost(weights, panel);
  return { weights, sizes };
}

function baseLevel(symbol: string, normal: number): number {
  const fixed = housekeeping.get(symbol);
  if (fixed !== undefined) return fixed;
  if (/^RP[LS]/.test(symbol)) return 34 * Math.exp(0.55 * normal);
  if (symbol.startsWith('MT-')) return 55 * Math.exp(0.5 * normal);
  if (/^(ATP5|COX|NDUF|UQCR|PSM|EIF|HNRNP|PSMB|MRP)/.test(symbol)) return 1.6 * Math.exp(0.7 * normal);
  return 0.42 * Math.exp(1.25 * normal);
}

/** A few genes are far more abundant in their type than any ordinary marker. */
function boost(weights: Record<CellType, Float64Array>, panel: readonly string[]): void {
  const abundant: readonly (readonly [CellType, readonly string[], number])[] = [
    ['Plasma', ['IGKC', 'IGHG1', 'JCHAIN', 'IGLC2', 'IGHA1'], 8],
    ['Monocyte', ['S100A8', 'S100A9', 'LYZ'], 3],
    ['Macrophage', ['APOE', 'C1QA', 'C1QB', 'CTSD', 'CD74'], 2],
    ['Fibroblast', ['COL1A1', 'COL1A2', 'COL3A1', 'DCN'], 3],
    ['Mast', ['TPSAB1', 'TPSB2'], 5],
    ['B cell', ['CD74', 'HLA-DRA'], 4],
    ['NK', ['GNLY', 'NKG7'], 2],
    ['Epithelial', ['KRT8', 'KRT18', 'KRT19'], 2],
  ];
  for (const [type, symbols, factor] of abundant)
    for (const symbol of symbols) {
      const gene = panel.indexOf(symbol);
      if (gene >= 0) weights[type][gene] = (weights[type][gene] ?? 0) * factor;
    }
}

/** The ten cell types of the product, in the order of its palette. */
export const cellTypes = [
  'B cell',
  'Endothelial',
  'Epithelial',
  'Fibroblast',
  'Macrophage',
  'Mast',
  'Monocyte',
  'NK',
  'Plasma',
  'T cell',
] as const;
export type CellType = (typeof cellTypes)[number];

const list = (text: string): readonly string[] => text.split(' ');

/**
 * Genes that distinguish a cell type from the nine others, strongest first, as in the literature. A gene may mark two
 * related types.
 */
export const cellTypeMarkers: Readonly<Record<CellType, readonly string[]>> = {
  'B cell': list(
    'CD79A MS4A1 CD79B CD19 BANK1 CD22 TNFRSF13C VPREB3 FCRLA BLK PAX5 CD37 HLA-DRA CD74 HLA-DQA1 LY9 SPIB FCRL1 IGHM IGHD IGKC POU2F2',
  ),
  Endothelial: list(
    'PECAM1 VWF CLDN5 CDH5 RAMP2 PLVAP EMCN ENG ESAM EGFL7 CLEC14A FLT1 KDR TIE1 ERG ROBO4 AQP1 SPARCL1 RAMP3 CAVIN2 TM4SF1 IGFBP7',
  ),
  Epithelial: list(
    'EPCAM KRT8 KRT18 KRT19 CLDN4 CLDN7 CDH1 ELF3 CLDN3 SPINT2 KRT7 TACSTD2 MUC1 CD24 AGR2 ESRP1 PERP DSP LCN2 WFDC2 FXYD3 JUP',
  ),
  Fibroblast: list(
    'COL1A1 COL1A2 DCN LUM COL3A1 COL6A1 COL6A2 COL6A3 FBLN1 C1S C1R THY1 PDGFRA PDGFRB BGN SPARC MGP SFRP2 CTSK POSTN AEBP1 TAGLN',
  ),
  Macrophage: list(
    'CD68 C1QA C1QB C1QC CD163 MRC1 APOE APOC1 MSR1 SPP1 GPNMB TREM2 CTSD CTSB LGMN MS4A7 CSF1R VSIG4 FOLR2 AIF1 TYROBP FCER1G HLA-DRA CD74 LYZ CST3 CTSS CD14',
  ),
  Mast: list('TPSAB1 TPSB2 CPA3 KIT MS4A2 HDC HPGDS GATA2 SLC18A2 RGS13 LTC4S CTSG TPSD1 SIGLEC6 VWA5A'),
  Monocyte: list(
    'LYZ S100A8 S100A9 FCN1 CD14 S100A12 VCAN CSF3R MNDA CST3 TYROBP FCER1G AIF1 SERPINA1 LST1 CTSS CYBB CD36 CLEC7A LILRB2',
  ),
  NK: list(
    'GNLY NKG7 KLRD1 NCAM1 PRF1 GZMB KLRF1 FGFBP2 SPON2 XCL1 XCL2 KLRC1 NCR1 FCER1G TYROBP CTSW KLRB1 CST7 SH2D1B HOPX',
  ),
  Plasma: list(
    'MZB1 JCHAIN SDC1 IGHG1 IGKC IGHA1 IGLC2 DERL3 XBP1 TNFRSF17 FKBP11 SSR4 PRDM1 IGHG3 POU2AF1 SEC11C CD38 FCRL5 IGLC3 CD79A SPAG4 IGHG4',
  ),
  'T cell': list(
    'CD3D CD3E CD2 TRAC CD3G TRBC1 TRBC2 IL7R CD5 CD6 LCK CD7 CD247 ITK TRAT1 THEMIS SIT1 CD27 CD28 BCL11B',
  ),
};
