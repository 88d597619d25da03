import { geneSetLibrary } from '@cellfolio/analyses';
import { z } from 'zod';

/** The 50 hallmark cell states as the explorer lists them, in alphabetical order. */
export const cellStateNames: readonly string[] = [
  'ADIPOGENESIS',
  'ALLOGRAFT REJECTION',
  'ANDROGEN RESPONSE',
  'ANGIOGENESIS',
  'APICAL JUNCTION',
  'APICAL SURFACE',
  'APOPTOSIS',
  'BILE ACID METABOLISM',
  'CHOLESTEROL HOMEOSTASIS',
  'COAGULATION',
  'COMPLEMENT',
  'DNA REPAIR',
  'E2F TARGETS',
  'EPITHELIAL MESENCHYMAL TRANSITION',
  'ESTROGEN RESPONSE EARLY',
  'ESTROGEN RESPONSE LATE',
  'FATTY ACID METABOLISM',
  'G2M CHECKPOINT',
  'GLYCOLYSIS',
  'HEDGEHOG SIGNALING',
  'HEME METABOLISM',
  'HYPOXIA',
  'IL2 STAT5 SIGNALING',
  'IL6 JAK STAT3 SIGNALING',
  'INFLAMMATORY RESPONSE',
  'INTERFERON ALPHA RESPONSE',
  'INTERFERON GAMMA RESPONSE',
  'KRAS SIGNALING DN',
  'KRAS SIGNALING UP',
  'MITOTIC SPINDLE',
  'MTORC1 SIGNALING',
  'MYC TARGETS V1',
  'MYC TARGETS V2',
  'MYOGENESIS',
  'NOTCH SIGNALING',
  'OXIDATIVE PHOSPHORYLATION',
  'P53 PATHWAY',
  'PANCREAS BETA CELLS',
  'PEROXISOME',
  'PI3K AKT MTOR SIGNALING',
  'PROTEIN SECRETION',
  'REACTIVE OXYGEN SPECIES PATHWAY',
  'SPERMATOGENESIS',
  'TGF BETA SIGNALING',
  'TNFA SIGNALING VIA NFKB',
  'UNFOLDED PROTEIN RESPONSE',
  'UV RESPONSE DN',
  'UV RESPONSE UP',
  'WNT BETA CATENIN SIGNALING',
  'XENOBIOTIC METABOLISM',
];

/** `GET /api/gene-set-libraries`: libraries for enrichment, and cell states that can be scored. */
export const geneSetLibraries = z
  .object({
    libraries: z.array(geneSetLibrary),
    cell_states: z.array(z.string()),
    cell_state_genes: z
      .array(z.object({ name: z.string(), gene_count: z.number().int(), found_count: z.number().int() }))
      .optional()
      .describe(
        'Genes of each state, and those that the named dataset has, by orthologs where it is of another species.',
      ),
    may_pull: z.boolean().describe('Whether the caller operates the server and may pull libraries.'),
  })
  .meta({ id: 'GeneSetLibraries' });
export type GeneSetLibraries = z.infer<typeof geneSetLibraries>;

/** `POST /api/gene-set-libraries/pull`: outcome for each offered library. */
export const pulledGeneSetLibraries = z
  .object({
    libraries: z.array(
      z.object({
        name: z.string(),
        outcome: z.enum(['fetched', 'kept', 'failed']),
        reason: z
          .string()
          .optional()
          .describe('Why it was kept or failed; what was there before is unchanged.'),
        warnings: z.array(z.string()).describe('What was left out of a fetched one or is doubtful.'),
      }),
    ),
  })
  .meta({ id: 'PulledGeneSetLibraries' });
export type PulledGeneSetLibraries = z.infer<typeof pulledGeneSetLibraries>;
