import { z } from 'zod';
import { figureParts } from './figure-image.ts';
import { pathwayParameters } from './figure-source.ts';
import { analysisWarning } from './analysis-warning.ts';
import { geneSetOrigin } from './gene-set-libraries.ts';

/** `POST /api/perform-pathway-analysis`: over-representation as gseapy's `enrich` computes it. */
export const pathwayAnalysisRequest = pathwayParameters;
export type PathwayAnalysisRequest = z.input<typeof pathwayAnalysisRequest>;

export const pathwayAnalysisAnswer = z.object({
  /** Gene_set, Term, Overlap, P-value, Adjusted P-value, Odds Ratio, Combined Score, Genes. */
  analysis_csv: z.string(),
  /** The first and last five rows; every cell is escaped. */
  analysis_preview_table_html: z.string(),
  /** PNG in base64. */
  barplot_image: z.string(),
  barplot_width: z.number().int(),
  barplot_height: z.number().int(),
  ...figureParts,
  library: geneSetOrigin.extend({ set_count: z.number().int() }),
  /** What the genes were drawn from: the genes of the dataset. */
  background: z.object({ gene_count: z.number().int(), description: z.string() }),
  /** Genes tested, as the dataset spells them. */
  found_genes: z.array(z.string()),
  not_found_genes: z.array(z.string()),
  warnings: z.array(analysisWarning),
});
export type PathwayAnalysisAnswer = z.infer<typeof pathwayAnalysisAnswer>;
