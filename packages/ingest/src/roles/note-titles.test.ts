import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { notesAmong } from './note-titles.ts';

const notes = (names: readonly string[], about: 'genes' | 'cells') =>
  Array.from(notesAmong(names, about), (at) => names[at]!);

// As BioMart, featureCounts, scanpy, Seurat, edgeR, limma and DESeq2 call them.
const aboutGenes = `
  Chr Start End Strand Length gene_length Gene.Length GeneLength exon_length width Length.bp. eff_length size GC gc_content
  percentage_gene_gc_content gene_start end_position chromosome_name txStart transcript_end entrezgene_id NCBI.GeneID GeneID
  gene_version n_cells n_cells_by_counts n_cells_expressed pct_dropout_by_counts log1p_mean_counts means dispersions_norm
  highly_variable highly_variable_rank vst.mean vst.variance.standardized vf_vst_counts_variance sct.residual_variance
  mvp.dispersion total_counts Total TotalCounts Sum average cell_avg row_mean rowSums mean_ctrl KO.avg AveExpr baseMean lfcSE
  log2FoldChange pvalue padj logFC P.Value adj.P.Val PValue FDR qvalue avg_log2FC p_val p_val_adj pct.1 logFC_KO_vs_WT padj.day7
`.match(/\S+/g)!;
// As Seurat, scanpy, scater, scran, DoubletFinder and scrublet call them, and clinical columns.
const aboutCells = `
  nCount_RNA nFeature_SCT nCount_Xenium n_counts n_genes_by_counts log10_nUMI nUMI percent.mt percent_ribo pct_counts_mt
  pct_counts_in_top_50_genes total_counts_mt log1p_total_counts mitoRatio mt_frac subsets_Mito_percent detected sum
  S.Score G2M.Score T_cell_score1 CC.Difference doublet_score predicted_doublet scDblFinder.score pANN_0.25_0.09_913
  dpt_pseudotime latent_time size_factors sizeFactor PC_1 PC12 X_pca_1 tSNE_1 UMAP1 umap_2 UMAP_x ICA_3 harmony_10 x_centroid
  array_row age Age age_years donor_age bmi sex day timepoint batch sample_id orig.ident seurat_clusters leiden_0.5
  RNA_snn_res.0.8 louvain celltype
`.match(/\S+/g)!;

test('usual titles of notes about genes are found among cells, and those about cells among genes', () => {
  expect(notes([...aboutGenes, 'AAACCTGA-1', 'AAACGGGT-1'], 'genes')).toEqual(aboutGenes);
  expect(notes([...aboutCells, 'CD3D', 'ACTB'], 'cells')).toEqual(aboutCells);
});

test('names of cells and samples are no notes about genes', () => {
  const cells =
    `AAACCTGAGAAACC-1 S1_AAACCTGAGAAACC cell_1 Cell1 control_1 treated_mean2 mean1_rep Bcell day7_rep1 leiden_3 cluster1
    GSM12345 A1 P2_well_B7 total_RNA_rep1 max1 startle lengthy sumatra`.match(/\S+/g)!;
  expect(notes(cells, 'genes')).toEqual([]);
  // Samples of a germinal centre, beside others that are called alike; and the content of genes beside cells.
  expect(notes(['GC', 'MZ', 'FO', 'PC'], 'genes')).toEqual([]);
  expect(notes(['GC', 'cell_1', 'cell_2', 'cell_3'], 'genes')).toEqual(['GC']);
});

test('symbols of genes are no notes about cells', () => {
  const symbols =
    'GC AGER AGE2 PC PCA3 ICA1 PCNA CYCS LENG8 SUMO1 SCT TOTAL1 DAXX BMI1 PCTP PERCC1 XPC NR1H2 MT-CO1 HBB RPS6 X5S_rRNA SEXER Ager Gc';
  expect(notes(symbols.split(' '), 'cells')).toEqual([]);
  const folder = join(import.meta.dirname, '../../../../apps/server/src/features/gene-sets/built-in');
  const packed = ['go-biological-process-2021.sets', 'msigdb-hallmark-7.0.sets'].flatMap((file) =>
    brotliDecompressSync(readFileSync(join(folder, file)))
      .toString('latin1')
      .split('\n')[0]!
      .split('\t'),
  );
  expect(packed.length).toBeGreaterThan(15_000);
  expect(notes(packed, 'cells')).toEqual([]);
});
