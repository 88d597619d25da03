import type { CatalogueEntry } from '@cellfolio/model';
import type { Programme } from './programmes.ts';

export interface Patient {
  id: string;
  ageGroup: string;
  sex: 'Female' | 'Male';
  stage: string;
  treatment: string;
  response: string;
  /** Sequencing run. */
  batch: string;
}

export interface Recipe {
  /** File name in the catalogue. */
  id: string;
  seed: string;
  cellCount: number;
  patients: readonly Patient[];
  /** Expected share of each lineage, adding up to 1; tumour and normal epithelium have their own two. */
  lineages: Readonly<Record<string, number>>;
  /** Programmes of the tumour cells of this disease, with their strength. */
  tumour: readonly { programme: Programme; strength: number }[];
  /** Programmes of the tissue's normal epithelium, from one end of its cells to the other. */
  epithelium: readonly {
    programme: Programme;
    from: number;
    to: number;
  }[];
  tumourCycling: number;
  catalogue: CatalogueEntry;
}

type PatientRow = readonly [Patient['ageGroup'], 'F' | 'M', string, string, string];

function patients(prefix: string, batches: number, rows: readonly PatientRow[]): Patient[] {
  return rows.map(([ageGroup, sex, stage, treatment, response], i) => ({
    id: `${prefix}${String(i + 1).padStart(2, '0')}`,
    ageGroup,
    sex: sex === 'F' ? 'Female' : 'Male',
    stage,
    treatment,
    response,
    batch: `Run ${(i % batches) + 1}`,
  }));
}

const lineageNames = [
  'CD4 T',
  'CD8 T',
  'NK',
  'B',
  'Plasma',
  'Monocyte',
  'Macrophage',
  'Mast',
  'Fibroblast',
  'Endothelial',
  'Tumour',
  'Normal epithelium',
] as const;

type Shares<Names extends readonly string[]> = { readonly [Place in keyof Names]: number };

function shares(...values: Shares<typeof lineageNames>): Recipe['lineages'] {
  return Object.fromEntries(lineageNames.map((name, i) => [name, values[i]!]));
}

function recipe({
  catalogue: { name, disease, subdisease, description, ...entry },
  ...made
}: Omit<Recipe, 'id' | 'catalogue'> & {
  catalogue: Omit<CatalogueEntry, 'simulated' | 'category1' | 'category2' | 'patientCount'>;
}): Recipe {
  return {
    id: `demo-${made.seed}.h5ad`,
    ...made,
    catalogue: {
      name,
      disease,
      subdisease,
      category1: disease,
      category2: subdisease,
      description,
      patientCount: made.patients.length,
      ...entry,
      // A field, which the page shows as a badge wherever the dataset is.
      simulated: true,
    },
  };
}

export const demoRecipes: readonly Recipe[] = [
  recipe({
    seed: 'breast-triple-negative',
    cellCount: 5200,
    patients: patients('TN', 3, [
      ['40-49', 'F', 'II', 'Untreated', 'Not applicable'],
      ['50-59', 'F', 'III', 'Neoadjuvant chemotherapy', 'Partial response'],
      ['60-69', 'F', 'II', 'Untreated', 'Not applicable'],
      ['30-39', 'F', 'III', 'Neoadjuvant chemotherapy', 'No response'],
      ['50-59', 'F', 'II', 'Neoadjuvant chemotherapy', 'Partial response'],
      ['70-79', 'F', 'I', 'Untreated', 'Not applicable'],
    ]),
    lineages: shares(0.15, 0.14, 0.03, 0.06, 0.035, 0.045, 0.1, 0.012, 0.09, 0.05, 0.24, 0.048),
    tumour: [
      { programme: 'basal', strength: 0.9 },
      { programme: 'luminal', strength: -0.8 },
      { programme: 'her2', strength: -0.5 },
    ],
    epithelium: [
      { programme: 'luminal', from: 1, to: -0.3 },
      { programme: 'basal', from: -0.5, to: 1.1 },
    ],
    tumourCycling: 0.28,
    catalogue: {
      name: 'Triple-negative breast tumors',
      disease: 'Breast Cancer',
      subdisease: 'Triple-negative',
      description:
        'Six primary tumors, before or after neoadjuvant chemotherapy, with basal-like, strongly cycling tumor cells and exhausted CD8 T cells.',
      stage: 'I-III',
      treatment: 'Untreated or neoadjuvant chemotherapy',
      lymphNodeStatus: 'Mixed',
      diseaseType: 'Primary tumor',
    },
  }),
  recipe({
    seed: 'breast-her2-positive',
    cellCount: 4300,
    patients: patients('HP', 2, [
      ['50-59', 'F', 'II', 'Untreated', 'Not applicable'],
      ['60-69', 'F', 'III', 'Trastuzumab and chemotherapy', 'Complete response'],
      ['40-49', 'F', 'II', 'Untreated', 'Not applicable'],
      ['60-69', 'F', 'II', 'Trastuzumab and chemotherapy', 'Partial response'],
      ['50-59', 'F', 'III', 'Trastuzumab and chemotherapy', 'Partial response'],
    ]),
    lineages: shares(0.12, 0.1, 0.025, 0.045, 0.05, 0.04, 0.09, 0.02, 0.12, 0.06, 0.27, 0.06),
    tumour: [
      { programme: 'her2', strength: 1.6 },
      { programme: 'luminal', strength: 0.35 },
      { programme: 'basal', strength: -0.7 },
    ],
    epithelium: [
      { programme: 'luminal', from: 1.1, to: -0.2 },
      { programme: 'basal', from: -0.6, to: 1 },
    ],
    tumourCycling: 0.16,
    catalogue: {
      name: 'HER2-positive breast tumors',
      disease: 'Breast Cancer',
      subdisease: 'HER2-positive',
      description: 'Five primary tumors with amplified ERBB2, before or after trastuzumab with chemotherapy.',
      stage: 'II-III',
      treatment: 'Untreated or trastuzumab and chemotherapy',
      lymphNodeStatus: 'Node-positive',
      diseaseType: 'Primary tumor',
    },
  }),
  recipe({
    seed: 'lung-adenocarcinoma',
    cellCount: 5800,
    patients: patients('LA', 3, [
      ['60-69', 'M', 'I', 'Untreated', 'Not applicable'],
      ['70-79', 'F', 'III', 'Anti-PD-1', 'Partial response'],
      ['50-59', 'M', 'II', 'Untreated', 'Not applicable'],
      ['60-69', 'F', 'IV', 'Anti-PD-1', 'Progressive disease'],
      ['60-69', 'M', 'III', 'Anti-PD-1', 'Stable disease'],
      ['70-79', 'M', 'I', 'Untreated', 'Not applicable'],
    ]),
    lineages: shares(0.14, 0.12, 0.06, 0.06, 0.03, 0.08, 0.17, 0.028, 0.05, 0.06, 0.14, 0.062),
    tumour: [
      { programme: 'lungTumour', strength: 1 },
      { programme: 'alveolar', strength: 0.15 },
      { programme: 'mucinous', strength: 0 },
    ],
    epithelium: [{ programme: 'alveolar', from: 1.3, to: 0.5 }],
    tumourCycling: 0.12,
    catalogue: {
      name: 'Lung adenocarcinoma',
      disease: 'Lung Cancer',
      subdisease: 'Adenocarcinoma',
      description:
        'Six tumors with their alveolar tissue, rich in macrophages, some under anti-PD-1 treatment.',
      stage: 'I-IV',
      treatment: 'Untreated or anti-PD-1',
      lymphNodeStatus: 'Mixed',
      diseaseType: 'Primary tumor',
    },
  }),
  recipe({
    seed: 'melanoma-cutaneous',
    cellCount: 3600,
    patients: patients('ME', 2, [
      ['50-59', 'M', 'III', 'Anti-PD-1', 'Partial response'],
      ['60-69', 'F', 'IV', 'Anti-PD-1', 'Progressive disease'],
      ['40-49', 'M', 'III', 'Anti-PD-1 and anti-CTLA-4', 'Complete response'],
      ['70-79', 'M', 'IV', 'Anti-PD-1 and anti-CTLA-4', 'Progressive disease'],
    ]),
    lineages: shares(0.24, 0.3, 0.06, 0.11, 0.04, 0.05, 0.11, 0.015, 0.025, 0.02, 0, 0.03),
    tumour: [],
    epithelium: [{ programme: 'keratinocyte', from: 0.4, to: 1.4 }],
    tumourCycling: 0,
    catalogue: {
      name: 'Immune cells of cutaneous melanoma',
      disease: 'Melanoma',
      subdisease: 'Cutaneous',
      description:
        'Immune-enriched biopsies of four patients under checkpoint blockade, with a few stromal cells and keratinocytes; tumor cells were sorted out.',
      stage: 'III-IV',
      treatment: 'Checkpoint blockade',
      lymphNodeStatus: 'Node-positive',
      diseaseType: 'Metastasis',
    },
  }),
  recipe({
    seed: 'colorectal-microsatellite-unstable',
    cellCount: 4800,
    patients: patients('CR', 3, [
      ['60-69', 'F', 'II', 'Untreated', 'Not applicable'],
      ['50-59', 'M', 'III', 'Untreated', 'Not applicable'],
      ['70-79', 'F', 'II', 'Neoadjuvant anti-PD-1', 'Complete response'],
      ['40-49', 'M', 'III', 'Neoadjuvant anti-PD-1', 'Partial response'],
      ['60-69', 'M', 'II', 'Untreated', 'Not applicable'],
    ]),
    lineages: shares(0.15, 0.15, 0.035, 0.09, 0.11, 0.045, 0.07, 0.022, 0.06, 0.038, 0.16, 0.07),
    tumour: [
      { programme: 'colonStem', strength: 0.8 },
      { programme: 'mucinous', strength: 0.5 },
      { programme: 'colonocyte', strength: -0.4 },
    ],
    epithelium: [
      { programme: 'colonStem', from: 0.8, to: -0.5 },
      { programme: 'colonocyte', from: -0.4, to: 1.2 },
      { programme: 'goblet', from: 0.4, to: -0.2 },
    ],
    tumourCycling: 0.2,
    catalogue: {
      name: 'Microsatellite-unstable colorectal tumors',
      disease: 'Colorectal Cancer',
      subdisease: 'Microsatellite-unstable',
      description: 'Five inflamed tumors rich in plasma cells and cytotoxic T cells, with normal mucosa.',
      stage: 'II-III',
      treatment: 'Untreated or neoadjuvant anti-PD-1',
      lymphNodeStatus: 'Mixed',
      diseaseType: 'Primary tumor',
    },
  }),
  recipe({
    seed: 'healthy-blood',
    cellCount: 3200,
    patients: patients('HD', 2, [
      ['20-29', 'F', 'Healthy', 'None', 'Not applicable'],
      ['30-39', 'M', 'Healthy', 'None', 'Not applicable'],
      ['50-59', 'F', 'Healthy', 'None', 'Not applicable'],
      ['60-69', 'M', 'Healthy', 'None', 'Not applicable'],
    ]),
    lineages: shares(0.36, 0.17, 0.11, 0.11, 0.01, 0.235, 0, 0.005, 0, 0, 0, 0),
    tumour: [],
    epithelium: [],
    tumourCycling: 0,
    catalogue: {
      name: 'Blood of healthy donors',
      disease: 'Healthy',
      subdisease: 'Peripheral blood',
      description: 'Mononuclear cells of four donors: T, NK and B cells and monocytes.',
      stage: 'Not applicable',
      treatment: 'None',
      lymphNodeStatus: 'Not applicable',
      diseaseType: 'Healthy tissue',
    },
  }),
];
