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

/** Source of gene sets; `title` and the citation must be shown wherever their results are. */
export const geneSetOrigin = z
  .object({
    name: z.string().describe('As requests name it.'),
    title: z.string().describe('As it is shown: says the release that it holds, and whether it is abridged.'),
    source: z
      .enum(['publisher', 'file', 'built-in', 'starter'])
      .describe('`built-in` comes whole with the server, `starter` abridged.'),
    release: z.string().describe('Which sets these are, in words.'),
    licence: z.string(),
    citation: z.string().describe('What to cite; empty where that is not known.'),
  })
  .meta({ id: 'GeneSetOrigin' });
export type GeneSetOrigin = z.infer<typeof geneSetOrigin>;

export function geneSetAttribution({ release, licence, citation }: GeneSetOrigin): string {
  const sentence = `${release[0]?.toUpperCase() ?? ''}${release.slice(1)}. Licence: ${licence}.`;
  return citation === '' ? sentence : `${sentence} Cite: ${citation}.`;
}

/** Names that say no release, for libraries of which it is not known yet what the server has. */
const plainNames: ReadonlyMap<string, string> = new Map([
  ['KEGG_2021_Human', 'KEGG'],
  ['MSigDB_Hallmark_2020', 'MSigDB Hallmark'],
  ['GO_Biological_Process_2023', 'GO Biological Process'],
  ['Reactome_Pathways_2024', 'Reactome'],
]);

/** A library as it is called where its `title` is not known: `KEGG`, or the name of one that the operator added. */
export function plainLibraryName(name: string): string {
  return plainNames.get(name) ?? name;
}

/** `GET /api/gene-set-libraries`: libraries for enrichment, and cell states that can be scored. */
export const geneSetLibraries = z
  .object({
    libraries: z.array(geneSetOrigin.extend({ set_count: z.number().int() })),
    cell_states: z.array(z.string()),
    cell_state_genes: z
      .array(z.object({ name: z.string(), gene_count: z.number().int(), found_count: z.number().int() }))
      .optional()
      .describe(
        'Genes of each state, and those that the named dataset has, by orthologues where it is of another species.',
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
