import { z } from 'zod';
import { figureParts } from './figure-image.ts';
import { pathwayParameters } from './figure-source.ts';
import { caution } from './caution.ts';
import { geneSetOrigin } from './gene-set-libraries.ts';

/** `POST /api/perform-pathway-analysis`: over-representation as gseapy's `enrich` computes it. */
export const pathwayAnalysisRequest = pathwayParameters;
export type PathwayAnalysisRequest = z.input<typeof pathwayAnalysisRequest>;

export const pathwayAnalysisAnswer = z
  .object({
    analysis_csv: z
      .string()
      .describe('Gene_set, Term, Overlap, P-value, Adjusted P-value, Odds Ratio, Combined Score, Genes.'),
    analysis_preview_table_html: z.string().describe('The first and last five rows; every cell is escaped.'),
    barplot_image: z.string().describe('PNG in base64.'),
    barplot_width: z.number().int(),
    barplot_height: z.number().int(),
    ...figureParts,
    library: geneSetOrigin.extend({ set_count: z.number().int() }),
    background: z
      .object({ gene_count: z.number().int(), description: z.string() })
      .describe('What the genes were drawn from: the genes of the dataset.'),
    found_genes: z.array(z.string()).describe('Genes tested, as the dataset spells them.'),
    not_found_genes: z.array(z.string()),
    warnings: z.array(caution),
  })
  .meta({ id: 'PathwayAnalysisAnswer' });
export type PathwayAnalysisAnswer = z.infer<typeof pathwayAnalysisAnswer>;
