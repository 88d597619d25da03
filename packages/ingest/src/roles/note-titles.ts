/**
 * Headings of gene and cell annotations that stand beside values in one table: those written by BioMart, featureCounts,
 * edgeR, limma, DESeq2, scanpy, Seurat, scater and DoubletFinder, and common names for ages and doses. Each is
 * normalised by `plainTitle`. No human symbol matches the cell headings (`note-titles.test.ts`), since genes stand
 * beside them.
 */
const either = [
  // Numbers of rows, as pandas and R write them.
  /^(unnamed\d*|index|idx|row(number|name|index|num)?s?|nr|number)$/,
  /^((seurat)?clusters?|cluster(id|ing)?|(sub|meta)clusters?|leiden|louvain)$/,
];

const geneNotes = [
  ...either,
  // Places and lengths.
  /^((chr|chrom|chromosome)(name|id)?|seqnames?|strand|tss|biotype)$/,
  /^(gene|exon|exonic|transcript|tx|cds|genomic|chromosome|chrom|chr)?(start|stop|end)(position|pos|bp|site)?s?$/,
  /^(gene|exon|exonic|transcript|tx|cds|effective|eff|merged|mean|median|max|longest|total|union)*(length|len|size|width)s?(bp|kb|nt)?$/,
  /^(percent(age)?|pct|gene)*gc(content|percent|pct|fraction)?$/,
  // Identifiers that are numbers.
  /^(entrez|ncbi)(gene)?(id|ids|number)?$/,
  /^(gene|hgnc|mgi|ensembl|feature|tax|taxon)(id|ids|number|index|version)$/,
  // Quality control and variable genes of scanpy and of Seurat.
  /^(log1p?)?n(cells?|counts?|umis?|batches|samples)(bycounts|expressed)?$/,
  /^pctdropoutbycounts$/,
  /^highlyvariable[a-z]*$/,
  /^(vst|mvp|vf|sct|disp)[a-z]*(mean|gmean|variances?|variable|dispersions?|detectionrate|rank)[a-z]*$/,
  /^(variances?|dispersions?)(norm|normali[sz]ed|expected|standardi[sz]ed|scaled)?$/,
  // Sums and means over the cells.
  /^(log1p?|log2|log10)?(ave|grand|row|cell|gene|sample|overall|all)?(total|sum|mean|average|avg|ave|median|min|max|sd|std|var|cv)s?(log)?(counts?|reads?|umis?|expression|expr|tpm|fpkm|rpkm|cpm|values?)?s?$/,
  // Tests.
  /^(base(mean|var)|lfcse|stat|statistic|logcpm|lr|auc|myauc|power|qvalues?|qvals?|fdr|fwer|bonferroni|zscores?|scores?|pct[12])$/,
  /^(avg|mean|shrunken)?(log2?|ln)?(fc|foldchanges?)$/,
  /^(adj|adjusted|nominal)?p(vals?|values?)?(adj|adjusted|s)*$/,
  /^(avg)?log2?(fc|foldchange)[a-z\d]+$|[a-z\d](log2?fc|log2foldchange|padj|pvalue|basemean)$|^(padj|pvalue|adjpval|basemean)[a-z\d]+$/,
];
/** Parts of headings that mark an average over some of the cells: `mean_ctrl`, `KO.avg`. */
const meanOf = /^(means?|average|avg|ave|median)[\s._-]|[\s._-](means?|average|avg|ave|median)$/i;

const cellNotes = [
  ...either,
  // Quality control.
  /^(log(10|1p|2)?)?n(counts?|features?|umis?|genes?|reads?|molecules?)[a-z\d]*$/,
  /^(log(10|1p|2)?)?(total|sum)(counts?|umis?|reads?|genes?|features?)[a-z\d]*$/,
  /^(log(10|1p|2)?)?(percent|percentage|fraction|frac|ratio)[a-z\d]+$/,
  /^(log(10|1p|2)?)?pct(counts|umis?|reads|in|top|mt|mito|ribo|rb|hb|ercc|intronic|exonic)[a-z\d]*$/,
  /^(mt|mito|mitochondrial|ribo|ribosomal|rb|rp|hb|ercc|intronic|exonic)(ratio|percent|pct|frac|fraction|percentage|content|counts|umis|reads)$/,
  /^(mito|mitochondrial|ribo|ribosomal|subsets[a-z\d]+|detected|complexity|novelty|log10genesperumi)$/,
  /doublet|singlet|^pann\d*$|^scrublet/,
  /^(sizefactors?|normfactors?|libsize|librarysize|scalingfactor|ncellsbarcode)$/,
  // Scores.
  /scores?\d*$/,
  /^(cc|cellcycle)(difference|diff|phase)$/,
  /pseudotime|^(latenttime|velocitylength|velocityconfidence[a-z]*|cytotrace\d*|palantirentropy|entropy)$/,
  // Where a cell is in an embedding or in a tissue.
  /^(x|rna|sct|wnn|scaled|integrated)*(pca?|umap|tsne|ica?|lsi|nmf|phate|diffmap|harmony|scvi|scanvi|drawgraph[a-z]*|mofa|force)((component|coord|dim|axis)?\d+|[xy])$/,
  /^(x|y|z|[xyz](coord|coordinate|centroid|position|pos|location)s?|(image|array)(row|col)|pxl(row|col)in[a-z]*|intissue|dim\d+|component\d+|(cell|nucleus)?area|fov)$/,
  // Donors, times and samples.
  /^(donor|patient|subject|sample|mouse)?age(years?|months?|weeks?|days?|group|at[a-z]+)?$/,
  /^(bmi|sex|gender|height|weight|ethnicity|days?|timepoints?|time|hours?|weeks?|months?|stage|dose|passage|pmi|[hd]p[if])$/,
  /^(batch|plate|lane|library|replicate|condition|treatment|group|tissue|phase|celltypes?|labels?)(id|number)?$/,
  /^(sample|donor|patient|subject)(id|number)?$|^origident$/,
  /^((leiden|louvain)[a-z\d]+|[a-z]*snnres\d+)$/,
];
/** Human symbols that match the patterns above; in this spelling they are genes. */
const symbols = /^(PCA3|ICA1)$/i;

/** Names that are neither gene nor cell: totals, and the summary rows that HTSeq and STAR write below the genes. */
const noFeature = /^(totals?|sums?|grand total|__\w+|n_(unmapped|multimapping|nofeature|ambiguous))$/i;

export function isNoFeature(name: string): boolean {
  return noFeature.test(name);
}

/** Whether a heading names an annotation of genes or cells and cannot be a symbol. */
export function isNoteTitle(title: string): boolean {
  return (isGeneNote(title) && !shortCapitals.test(title)) || isCellNote(title);
}

/**
 * Indices of annotation headings among the names of one side of a table: gene annotations among cell names (`genes`),
 * cell annotations among gene names (`cells`).
 */
export function notesAmong(names: readonly string[], about: 'genes' | 'cells'): ReadonlySet<number> {
  const isNote = about === 'genes' ? isGeneNote : isCellNote;
  const candidates = [...names.keys()].filter((at) => isNote(names[at]!));
  if (about === 'cells' || candidates.every((at) => !shortCapitals.test(names[at]!)))
    return new Set(candidates);
  const noted = new Set(candidates);
  const isLikeOthers = likeMany(names.filter((_, at) => !noted.has(at)));
  return new Set(candidates.filter((at) => !shortCapitals.test(names[at]!) || !isLikeOthers(names[at]!)));
}

/** Ambiguous: `GC` may be the GC content of a gene or one of the samples `GC`, `MZ` and `FO`. */
const shortCapitals = /^[A-Z]{1,4}$/;

function isGeneNote(title: string): boolean {
  const plain = plainTitle(title);
  return isNoFeature(title) || meanOf.test(title) || geneNotes.some((note) => note.test(plain));
}

function isCellNote(title: string): boolean {
  const plain = plainTitle(title);
  return isNoFeature(title) || (!symbols.test(title) && cellNotes.some((note) => note.test(plain)));
}

/** Minimum share of names of one form for another name of that form to count as one of them. */
const minSameForm = 0.2;

export function likeMany(names: readonly string[]): (name: string) => boolean {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(formOf(name), (counts.get(formOf(name)) ?? 0) + 1);
  return (name) => {
    // Where the name is one of them, another one has to be like it.
    const count = counts.get(formOf(name)) ?? 0;
    return count > 1 && count >= minSameForm * names.length;
  };
}

/**
 * Lower case, letters and digits only, with `percent` for `%`: `NCBI.GeneID` and `ncbi_gene_id` become equal, `Length
 * (bp)` becomes `lengthbp`.
 */
export function plainTitle(title: string): string {
  return title
    .toLowerCase()
    .replaceAll('%', 'percent')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/**
 * Form of a name, with one letter each for runs of capitals, small letters and digits: `A9A` for `CD3D` and `S100A`.
 */
export function formOf(name: string): string {
  return name
    .replaceAll(/\p{Lu}+/gu, 'A')
    .replaceAll(/[\p{Ll}\p{Lo}]+/gu, 'a')
    .replaceAll(/\p{N}+/gu, '9');
}
