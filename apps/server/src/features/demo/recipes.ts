import type { CatalogueEntry } from '@cellfolio/model';
import type { Programme } from './programmes.ts';

export interface Patient {
  readonly id: string;
  readonly ageGroup: string;
  readonly sex: 'Female' | 'Male';
  readonly stage: string;
  readonly treatment: string;
  readonly response: string;
  /** Sequencing run. */
  readonly batch: string;
}

/** What a simulated dataset is made of. */
export interface Recipe {
  /** File name in the catalogue. */
  readonly id: string;
  readonly seed: string;
  readonly cellCount: number;
  readonly patients: readonly Patient[];
  /** Expected share of each lineage; tumour and normal epithelium have their own two. They add up to 1. */
  readonly lineages: Readonly<Record<string, number>>;
  /** Programmes of the tumour cells of this disease, with their strength. */
  readonly tumour: readonly { readonly programme: Programme; readonly strength: number }[];
  /** Programmes of the tissue's normal epithelium: from one end of its cells to the other. */
  readonly epithelium: readonly {
    readonly programme: Programme;
    readonly from: number;
    readonly to: number;
  }[];
  /** Share of cycling tumour cells. */
  readonly tumourCycling: number;
  readonly catalogue: CatalogueEntry;
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

/** That it is simulated is a field, which the page shows as a badge wherever the dataset is. */
function catalogue(entry: Omit<CatalogueEntry, 'simulated'>): CatalogueEntry {
  return { ...entry, simulated: true };
}

/** The datasets of the demo catalogue. */
export const demoRecipes: readonly Recipe[] = [
  {
    id: 'demo-breast-triple-negative.h5ad',
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
    lineages: {
      'CD4 T': 0.15,
      'CD8 T': 0.14,
      NK: 0.03,
      B: 0.06,
      Plasma: 0.035,
      Monocyte: 0.045,
      Macrophage: 0.1,
      Mast: 0.012,
      Fibroblast: 0.09,
      Endothelial: 0.05,
      Tumour: 0.24,
      'Normal epithelium': 0.048,
    },
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
    catalogue: catalogue({
      name: 'Triple-negative breast tumours',
      disease: 'Breast Cancer',
      subdisease: 'Triple-negative',
      category1: 'Breast Cancer',
      category2: 'Triple-negative',
      description:
        'Six primary tumours, before or after neoadjuvant chemotherapy, with basal-like, strongly cycling tumour cells and exhausted CD8 T cells.',
      patientCount: 6,
      stage: 'I-III',
      treatment: 'Untreated or neoadjuvant chemotherapy',
      lymphNodeStatus: 'Mixed',
      diseaseType: 'Primary tumour',
    }),
  },
  {
    id: 'demo-breast-her2-positive.h5ad',
    seed: 'breast-her2-positive',
    cellCount: 4300,
    patients: patients('HP', 2, [
      ['50-59', 'F', 'II', 'Untreated', 'Not applicable'],
      ['60-69', 'F', 'III', 'Trastuzumab and chemotherapy', 'Complete response'],
      ['40-49', 'F', 'II', 'Untreated', 'Not applicable'],
      ['60-69', 'F', 'II', 'Trastuzumab and chemotherapy', 'Partial response'],
      ['50-59', 'F', 'III', 'Trastuzumab and chemotherapy', 'Partial response'],
    ]),
    lineages: {
      'CD4 T': 0.12,
      'CD8 T': 0.1,
      NK: 0.025,
      B: 0.045,
      Plasma: 0.05,
      Monocyte: 0.04,
      Macrophage: 0.09,
      Mast: 0.02,
      Fibroblast: 0.12,
      Endothelial: 0.06,
      Tumour: 0.27,
      'Normal epithelium': 0.06,
    },
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
    catalogue: catalogue({
      name: 'HER2-positive breast tumours',
      disease: 'Breast Cancer',
      subdisease: 'HER2-positive',
      category1: 'Breast Cancer',
      category2: 'HER2-positive',
      description:
        'Five primary tumours with amplified ERBB2, before or after trastuzumab with chemotherapy.',
      patientCount: 5,
      stage: 'II-III',
      treatment: 'Untreated or trastuzumab and chemotherapy',
      lymphNodeStatus: 'Node-positive',
      diseaseType: 'Primary tumour',
    }),
  },
  {
    id: 'demo-lung-adenocarcinoma.h5ad',
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
    lineages: {
      'CD4 T': 0.14,
      'CD8 T': 0.12,
      NK: 0.06,
      B: 0.06,
      Plasma: 0.03,
      Monocyte: 0.08,
      Macrophage: 0.17,
      Mast: 0.028,
      Fibroblast: 0.05,
      Endothelial: 0.06,
      Tumour: 0.14,
      'Normal epithelium': 0.062,
    },
    tumour: [
      { programme: 'lungTumour', strength: 1 },
      { programme: 'alveolar', strength: 0.15 },
      { programme: 'mucinous', strength: 0 },
    ],
    epithelium: [{ programme: 'alveolar', from: 1.3, to: 0.5 }],
    tumourCycling: 0.12,
    catalogue: catalogue({
      name: 'Lung adenocarcinoma',
      disease: 'Lung Cancer',
      subdisease: 'Adenocarcinoma',
      category1: 'Lung Cancer',
      category2: 'Adenocarcinoma',
      description:
        'Six tumours with their alveolar tissue, rich in macrophages, some under anti-PD-1 treatment.',
      patientCount: 6,
      stage: 'I-IV',
      treatment: 'Untreated or anti-PD-1',
      lymphNodeStatus: 'Mixed',
      diseaseType: 'Primary tumour',
    }),
  },
  {
    id: 'demo-melanoma-cutaneous.h5ad',
    seed: 'melanoma-cutaneous',
    cellCount: 3600,
    patients: patients('ME', 2, [
      ['50-59', 'M', 'III', 'Anti-PD-1', 'Partial response'],
      ['60-69', 'F', 'IV', 'Anti-PD-1', 'Progressive disease'],
      ['40-49', 'M', 'III', 'Anti-PD-1 and anti-CTLA-4', 'Complete response'],
      ['70-79', 'M', 'IV', 'Anti-PD-1 and anti-CTLA-4', 'Progressive disease'],
    ]),
    lineages: {
      'CD4 T': 0.24,
      'CD8 T': 0.3,
      NK: 0.06,
      B: 0.11,
      Plasma: 0.04,
      Monocyte: 0.05,
      Macrophage: 0.11,
      Mast: 0.015,
      Fibroblast: 0.025,
      Endothelial: 0.02,
      Tumour: 0,
      'Normal epithelium': 0.03,
    },
    tumour: [],
    epithelium: [{ programme: 'keratinocyte', from: 0.4, to: 1.4 }],
    tumourCycling: 0,
    catalogue: catalogue({
      name: 'Immune cells of cutaneous melanoma',
      disease: 'Melanoma',
      subdisease: 'Cutaneous',
      category1: 'Melanoma',
      category2: 'Cutaneous',
      description:
        'Immune-enriched biopsies of four patients under checkpoint blockade, with a few stromal cells and keratinocytes; tumour cells were sorted out.',
      patientCount: 4,
      stage: 'III-IV',
      treatment: 'Checkpoint blockade',
      lymphNodeStatus: 'Node-positive',
      diseaseType: 'Metastasis',
    }),
  },
  {
    id: 'demo-colorectal-microsatellite-unstable.h5ad',
    seed: 'colorectal-microsatellite-unstable',
    cellCount: 4800,
    patients: patients('CR', 3, [
      ['60-69', 'F', 'II', 'Untreated', 'Not applicable'],
      ['50-59', 'M', 'III', 'Untreated', 'Not applicable'],
      ['70-79', 'F', 'II', 'Neoadjuvant anti-PD-1', 'Complete response'],
      ['40-49', 'M', 'III', 'Neoadjuvant anti-PD-1', 'Partial response'],
      ['60-69', 'M', 'II', 'Untreated', 'Not applicable'],
    ]),
    lineages: {
      'CD4 T': 0.15,
      'CD8 T': 0.15,
      NK: 0.035,
      B: 0.09,
      Plasma: 0.11,
      Monocyte: 0.045,
      Macrophage: 0.07,
      Mast: 0.022,
      Fibroblast: 0.06,
      Endothelial: 0.038,
      Tumour: 0.16,
      'Normal epithelium': 0.07,
    },
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
    catalogue: catalogue({
      name: 'Microsatellite-unstable colorectal tumours',
      disease: 'Colorectal Cancer',
      subdisease: 'Microsatellite-unstable',
      category1: 'Colorectal Cancer',
      category2: 'Microsatellite-unstable',
      description: 'Five inflamed tumours rich in plasma cells and cytotoxic T cells, with normal mucosa.',
      patientCount: 5,
      stage: 'II-III',
      treatment: 'Untreated or neoadjuvant anti-PD-1',
      lymphNodeStatus: 'Mixed',
      diseaseType: 'Primary tumour',
    }),
  },
  {
    id: 'demo-healthy-blood.h5ad',
    seed: 'healthy-blood',
    cellCount: 3200,
    patients: patients('HD', 2, [
      ['20-29', 'F', 'Healthy', 'None', 'Not applicable'],
      ['30-39', 'M', 'Healthy', 'None', 'Not applicable'],
      ['50-59', 'F', 'Healthy', 'None', 'Not applicable'],
      ['60-69', 'M', 'Healthy', 'None', 'Not applicable'],
    ]),
    lineages: {
      'CD4 T': 0.36,
      'CD8 T': 0.17,
      NK: 0.11,
      B: 0.11,
      Plasma: 0.01,
      Monocyte: 0.235,
      Macrophage: 0,
      Mast: 0.005,
      Fibroblast: 0,
      Endothelial: 0,
      Tumour: 0,
      'Normal epithelium': 0,
    },
    tumour: [],
    epithelium: [],
    tumourCycling: 0,
    catalogue: catalogue({
      name: 'Blood of healthy donors',
      disease: 'Healthy',
      subdisease: 'Peripheral blood',
      category1: 'Healthy',
      category2: 'Peripheral blood',
      description: 'Mononuclear cells of four donors: T, NK and B cells and monocytes.',
      patientCount: 4,
      stage: 'Not applicable',
      treatment: 'None',
      lymphNodeStatus: 'Not applicable',
      diseaseType: 'Healthy tissue',
    }),
  },
];
