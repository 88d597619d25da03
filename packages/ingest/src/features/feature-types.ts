/** What a type of feature says of a row of `var`. `unknown`: a word that no format of the field uses. */
export type FeatureKind = 'gene' | 'other' | 'untyped' | 'unknown';

/** Columns of `var` that tell genes from antibodies, peaks and guides, as 10x, scanpy, muon and CELLxGENE name them. */
export const TYPE_COLUMNS = ['feature_types', 'feature_type', 'feature_biotype', 'modality'];

/** 10x Genomics' `Gene Expression`, the modalities of muon, and the biotypes of Ensembl, which are all of genes. */
const GENE =
  /^(gene expression|genes?|gex|rna|mrna|scrna|snrna|transcripts?|protein coding|lncrna|lincrna|antisense( rna)?|processed transcript|tec|ribozyme|sense (intronic|overlapping)|.*pseudogene|(ig|tr) [a-z] gene|(mt )?[a-z]{1,3}rna|(misc|vault|macro|bidirectional promoter|3prime overlapping) (lnc|nc)?rna)$/;
/** The other feature types of Cell Ranger and Space Ranger, modalities of muon, and spike-ins. */
const OTHER =
  /^(antibody( capture)?|antibodies|adt|prot|proteins?|protein expression|surface proteins?|peaks?|atac|chromatin accessibility|crispr( guide( capture)?)?|(s?g|guide )rnas?|guides?|multiplexing capture|hto|hash ?tags?( oligos?)?|cmo|antigen( capture)?|custom|feature barcod(e|ing)|spike in|spikein|ercc|methylation|control( probe| codeword)?|(negative|blank|unassigned|deprecated|genomic) .*|vdj.*)$/;

export function featureKind(type: string): FeatureKind {
  const word = type
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ');
  if (word === '' || word === 'nan' || word === 'none' || word === 'na') return 'untyped';
  // `sgRNA` and `gRNA` are guides, though they end as biotypes do.
  if (OTHER.test(word)) return 'other';
  return GENE.test(word) ? 'gene' : 'unknown';
}
