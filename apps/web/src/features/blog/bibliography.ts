/** A published work, as the reference lists show it. */
export interface Reference {
  /** Family names and initials; more than four are the first three and `et al.` */
  readonly authors: string;
  readonly title: string;
  readonly journal: string;
  readonly year: number;
  /** Volume and pages, or the number of a preprint. */
  readonly where: string;
  /** Without the resolver; absent for works that have an address only. */
  readonly doi?: string;
  readonly address?: string;
}

function work(
  authors: string,
  year: number,
  title: string,
  published: Pick<Reference, 'journal' | 'where'> & ({ doi: string } | { address: string }),
): Reference {
  return { authors, year, title, ...published };
}

/** Everything that the articles cite. Each article lists its own by these keys, in the order of its text. */
export const bibliography = {
  aibar2017: work(
    'Aibar S, González-Blas CB, Moerman T, et al.',
    2017,
    'SCENIC: single-cell regulatory network inference and clustering',
    {
      journal: 'Nature Methods',
      where: '14:1083–1086',
      doi: '10.1038/nmeth.4463',
    },
  ),
  andreatta2021: work(
    'Andreatta M, Carmona SJ',
    2021,
    'UCell: robust and scalable single-cell gene signature scoring',
    {
      journal: 'Computational and Structural Biotechnology Journal',
      where: '19:3796–3798',
      doi: '10.1016/j.csbj.2021.06.043',
    },
  ),
  becht2019: work(
    'Becht E, McInnes L, Healy J, et al.',
    2019,
    'Dimensionality reduction for visualizing single-cell data using UMAP',
    {
      journal: 'Nature Biotechnology',
      where: '37:38–44',
      doi: '10.1038/nbt.4314',
    },
  ),
  benjamini1995: work(
    'Benjamini Y, Hochberg Y',
    1995,
    'Controlling the false discovery rate: a practical and powerful approach to multiple testing',
    {
      journal: 'Journal of the Royal Statistical Society B',
      where: '57:289–300',
      doi: '10.1111/j.2517-6161.1995.tb02031.x',
    },
  ),
  buttner2019: work(
    'Büttner M, Miao Z, Wolf FA, et al.',
    2019,
    'A test metric for assessing single-cell RNA-seq batch correction',
    {
      journal: 'Nature Methods',
      where: '16:43–49',
      doi: '10.1038/s41592-018-0254-1',
    },
  ),
  cakir2020: work(
    'Cakir B, Prete M, Huang N, et al.',
    2020,
    'Comparison of visualization tools for single-cell RNAseq data',
    {
      journal: 'NAR Genomics and Bioinformatics',
      where: '2:lqaa052',
      doi: '10.1093/nargab/lqaa052',
    },
  ),
  cellxgene2025: work(
    'CZI Cell Science Program, et al.',
    2025,
    'CZ CELLxGENE Discover: a single-cell data platform for scalable exploration, analysis and modeling of aggregated data',
    {
      journal: 'Nucleic Acids Research',
      where: '53:D886–D900',
      doi: '10.1093/nar/gkae1142',
    },
  ),
  chari2023: work('Chari T, Pachter L', 2023, 'The specious art of single-cell genomics', {
    journal: 'PLOS Computational Biology',
    where: '19:e1011288',
    doi: '10.1371/journal.pcbi.1011288',
  }),
  crowell2020: work(
    'Crowell HL, Soneson C, Germain PL, et al.',
    2020,
    'muscat detects subpopulation-specific state transitions from multi-sample multi-condition single-cell transcriptomics data',
    {
      journal: 'Nature Communications',
      where: '11:6077',
      doi: '10.1038/s41467-020-19894-4',
    },
  ),
  gao2024: work('Gao LL, Bien J, Witten D', 2024, 'Selective inference for hierarchical clustering', {
    journal: 'Journal of the American Statistical Association',
    where: '119:332–342',
    doi: '10.1080/01621459.2022.2116331',
  }),
  grabski2023: work(
    'Grabski IN, Street K, Irizarry RA',
    2023,
    'Significance analysis for clustering with single-cell RNA-sequencing data',
    {
      journal: 'Nature Methods',
      where: '20:1196–1202',
      doi: '10.1038/s41592-023-01933-9',
    },
  ),
  grun2015: work(
    'Grün D, Lyubimova A, Kester L, et al.',
    2015,
    'Single-cell messenger RNA sequencing reveals rare intestinal cell types',
    {
      journal: 'Nature',
      where: '525:251–255',
      doi: '10.1038/nature14966',
    },
  ),
  haghverdi2018: work(
    'Haghverdi L, Lun ATL, Morgan MD, Marioni JC',
    2018,
    'Batch effects in single-cell RNA-sequencing data are corrected by matching mutual nearest neighbors',
    {
      journal: 'Nature Biotechnology',
      where: '36:421–427',
      doi: '10.1038/nbt.4091',
    },
  ),
  hicks2018: work(
    'Hicks SC, Townes FW, Teng M, Irizarry RA',
    2018,
    'Missing data and technical variability in single-cell RNA-sequencing experiments',
    {
      journal: 'Biostatistics',
      where: '19:562–578',
      doi: '10.1093/biostatistics/kxx053',
    },
  ),
  hie2019: work(
    'Hie B, Bryson B, Berger B',
    2019,
    'Efficient integration of heterogeneous single-cell transcriptomes using Scanorama',
    {
      journal: 'Nature Biotechnology',
      where: '37:685–691',
      doi: '10.1038/s41587-019-0113-3',
    },
  ),
  holland2020: work(
    'Holland CH, Tanevski J, Perales-Patón J, et al.',
    2020,
    'Robustness and applicability of transcription factor and pathway analysis tools on single-cell RNA-seq data',
    {
      journal: 'Genome Biology',
      where: '21:36',
      doi: '10.1186/s13059-020-1949-z',
    },
  ),
  jiang2016: work(
    'Jiang L, Chen H, Pinello L, Yuan GC',
    2016,
    'GiniClust: detecting rare cell types from single-cell gene expression data with Gini index',
    {
      journal: 'Genome Biology',
      where: '17:144',
      doi: '10.1186/s13059-016-1010-4',
    },
  ),
  jindal2018: work(
    'Jindal A, Gupta P, Jayadeva, Sengupta D',
    2018,
    'Discovery of rare cells from voluminous single cell expression data',
    {
      journal: 'Nature Communications',
      where: '9:4719',
      doi: '10.1038/s41467-018-07234-6',
    },
  ),
  johnson2007: work(
    'Johnson WE, Li C, Rabinovic A',
    2007,
    'Adjusting batch effects in microarray expression data using empirical Bayes methods',
    {
      journal: 'Biostatistics',
      where: '8:118–127',
      doi: '10.1093/biostatistics/kxj037',
    },
  ),
  keller2025: work(
    'Keller MS, Gold I, McCallum C, et al.',
    2025,
    'Vitessce: integrative visualization of multimodal and spatially resolved single-cell data',
    {
      journal: 'Nature Methods',
      where: '22:63–67',
      doi: '10.1038/s41592-024-02436-x',
    },
  ),
  kobak2019: work('Kobak D, Berens P', 2019, 'The art of using t-SNE for single-cell transcriptomics', {
    journal: 'Nature Communications',
    where: '10:5416',
    doi: '10.1038/s41467-019-13056-x',
  }),
  kobak2021: work(
    'Kobak D, Linderman GC',
    2021,
    'Initialization is critical for preserving global data structure in both t-SNE and UMAP',
    {
      journal: 'Nature Biotechnology',
      where: '39:156–157',
      doi: '10.1038/s41587-020-00809-z',
    },
  ),
  korsunsky2019: work(
    'Korsunsky I, Millard N, Fan J, et al.',
    2019,
    'Fast, sensitive and accurate integration of single-cell data with Harmony',
    {
      journal: 'Nature Methods',
      where: '16:1289–1296',
      doi: '10.1038/s41592-019-0619-0',
    },
  ),
  lause2024: work(
    'Lause J, Berens P, Kobak D',
    2024,
    'The art of seeing the elephant in the room: 2D embeddings of single-cell data do make sense',
    {
      journal: 'PLOS Computational Biology',
      where: '20:e1012403',
      doi: '10.1371/journal.pcbi.1012403',
    },
  ),
  lazic2010: work(
    'Lazic SE',
    2010,
    'The problem of pseudoreplication in neuroscientific studies: is it affecting your analysis?',
    {
      journal: 'BMC Neuroscience',
      where: '11:5',
      doi: '10.1186/1471-2202-11-5',
    },
  ),
  liberzon2015: work(
    'Liberzon A, Birger C, Thorvaldsdóttir H, et al.',
    2015,
    'The Molecular Signatures Database hallmark gene set collection',
    {
      journal: 'Cell Systems',
      where: '1:417–425',
      doi: '10.1016/j.cels.2015.12.004',
    },
  ),
  lopez2018: work(
    'Lopez R, Regier J, Cole MB, et al.',
    2018,
    'Deep generative modeling for single-cell transcriptomics',
    {
      journal: 'Nature Methods',
      where: '15:1053–1058',
      doi: '10.1038/s41592-018-0229-2',
    },
  ),
  love2014: work(
    'Love MI, Huber W, Anders S',
    2014,
    'Moderated estimation of fold change and dispersion for RNA-seq data with DESeq2',
    {
      journal: 'Genome Biology',
      where: '15:550',
      doi: '10.1186/s13059-014-0550-8',
    },
  ),
  luecken2022: work(
    'Luecken MD, Büttner M, Chaichoompu K, et al.',
    2022,
    'Benchmarking atlas-level data integration in single-cell genomics',
    {
      journal: 'Nature Methods',
      where: '19:41–50',
      doi: '10.1038/s41592-021-01336-8',
    },
  ),
  lun2023: work(
    'Lun ATL, Kancherla J',
    2023,
    'Powering single-cell analyses in the browser with WebAssembly',
    {
      journal: 'Journal of Open Source Software',
      where: '8:5603',
      doi: '10.21105/joss.05603',
    },
  ),
  mcginnis2019: work(
    'McGinnis CS, Murrow LM, Gartner ZJ',
    2019,
    'DoubletFinder: doublet detection in single-cell RNA sequencing data using artificial nearest neighbors',
    {
      journal: 'Cell Systems',
      where: '8:329–337',
      doi: '10.1016/j.cels.2019.03.003',
    },
  ),
  mcinnes2018: work(
    'McInnes L, Healy J, Melville J',
    2018,
    'UMAP: Uniform Manifold Approximation and Projection for dimension reduction',
    {
      journal: 'arXiv',
      where: '1802.03426',
      address: 'https://arxiv.org/abs/1802.03426',
    },
  ),
  megill2021: work(
    'Megill C, Martin B, Weaver C, et al.',
    2021,
    'cellxgene: a performant, scalable exploration platform for high dimensional sparse matrices',
    {
      journal: 'bioRxiv',
      where: '2021.04.05.438318',
      doi: '10.1101/2021.04.05.438318',
    },
  ),
  montoro2018: work(
    'Montoro DT, Haber AL, Biton M, et al.',
    2018,
    'A revised airway epithelial hierarchy includes CFTR-expressing ionocytes',
    {
      journal: 'Nature',
      where: '560:319–324',
      doi: '10.1038/s41586-018-0393-7',
    },
  ),
  murphy2022: work(
    'Murphy AE, Skene NG',
    2022,
    'A balanced measure shows superior performance of pseudobulk methods in single-cell RNA-sequencing analysis',
    {
      journal: 'Nature Communications',
      where: '13:7851',
      doi: '10.1038/s41467-022-35519-4',
    },
  ),
  narayan2021: work(
    'Narayan A, Berger B, Cho H',
    2021,
    'Assessing single-cell transcriptomic variability through density-preserving data visualization',
    {
      journal: 'Nature Biotechnology',
      where: '39:765–774',
      doi: '10.1038/s41587-020-00801-7',
    },
  ),
  neufeld2024: work(
    'Neufeld A, Gao LL, Popp J, et al.',
    2024,
    'Inference after latent variable estimation for single-cell RNA sequencing data',
    {
      journal: 'Biostatistics',
      where: '25:270–287',
      doi: '10.1093/biostatistics/kxac047',
    },
  ),
  noureen2022: work(
    'Noureen N, Ye Z, Chen Y, et al.',
    2022,
    'Signature-scoring methods developed for bulk samples are not adequate for cancer single-cell RNA sequencing data',
    {
      journal: 'eLife',
      where: '11:e71994',
      doi: '10.7554/eLife.71994',
    },
  ),
  palla2022: work(
    'Palla G, Spitzer H, Klein M, et al.',
    2022,
    'Squidpy: a scalable framework for spatial omics analysis',
    {
      journal: 'Nature Methods',
      where: '19:171–178',
      doi: '10.1038/s41592-021-01358-2',
    },
  ),
  plasschaert2018: work(
    'Plasschaert LW, Žilionis R, Choo-Wing R, et al.',
    2018,
    'A single-cell atlas of the airway epithelium reveals the CFTR-rich pulmonary ionocyte',
    {
      journal: 'Nature',
      where: '560:377–381',
      doi: '10.1038/s41586-018-0394-6',
    },
  ),
  pullin2024: work(
    'Pullin JM, McCarthy DJ',
    2024,
    'A comparison of marker gene selection methods for single-cell RNA sequencing data',
    {
      journal: 'Genome Biology',
      where: '25:56',
      doi: '10.1186/s13059-024-03183-0',
    },
  ),
  robinson2010: work(
    'Robinson MD, McCarthy DJ, Smyth GK',
    2010,
    'edgeR: a Bioconductor package for differential expression analysis of digital gene expression data',
    {
      journal: 'Bioinformatics',
      where: '26:139–140',
      doi: '10.1093/bioinformatics/btp616',
    },
  ),
  soneson2018: work(
    'Soneson C, Robinson MD',
    2018,
    'Bias, robustness and scalability in single-cell differential expression analysis',
    {
      journal: 'Nature Methods',
      where: '15:255–261',
      doi: '10.1038/nmeth.4612',
    },
  ),
  speir2021: work(
    'Speir ML, Bhaduri A, Markov NS, et al.',
    2021,
    'UCSC Cell Browser: visualize your single-cell data',
    {
      journal: 'Bioinformatics',
      where: '37:4578–4580',
      doi: '10.1093/bioinformatics/btab503',
    },
  ),
  squair2021: work(
    'Squair JW, Gautier M, Kathe C, et al.',
    2021,
    'Confronting false discoveries in single-cell differential expression',
    {
      journal: 'Nature Communications',
      where: '12:5692',
      doi: '10.1038/s41467-021-25960-2',
    },
  ),
  stuart2019: work(
    'Stuart T, Butler A, Hoffman P, et al.',
    2019,
    'Comprehensive integration of single-cell data',
    {
      journal: 'Cell',
      where: '177:1888–1902',
      doi: '10.1016/j.cell.2019.05.031',
    },
  ),
  svensson2020: work('Svensson V', 2020, 'Droplet scRNA-seq is not zero-inflated', {
    journal: 'Nature Biotechnology',
    where: '38:147–150',
    doi: '10.1038/s41587-019-0379-5',
  }),
  tarhan2023: work(
    'Tarhan L, Bistline J, Chang J, et al.',
    2023,
    'Single Cell Portal: an interactive home for single-cell genomics data',
    {
      journal: 'bioRxiv',
      where: '2023.07.13.548886',
      doi: '10.1101/2023.07.13.548886',
    },
  ),
  tirosh2016: work(
    'Tirosh I, Izar B, Prakadan SM, et al.',
    2016,
    'Dissecting the multicellular ecosystem of metastatic melanoma by single-cell RNA-seq',
    {
      journal: 'Science',
      where: '352:189–196',
      doi: '10.1126/science.aad0501',
    },
  ),
  tran2020: work(
    'Tran HTN, Ang KS, Chevrier M, et al.',
    2020,
    'A benchmark of batch-effect correction methods for single-cell RNA sequencing data',
    {
      journal: 'Genome Biology',
      where: '21:12',
      doi: '10.1186/s13059-019-1850-9',
    },
  ),
  vandermaaten2008: work('van der Maaten L, Hinton G', 2008, 'Visualizing data using t-SNE', {
    journal: 'Journal of Machine Learning Research',
    where: '9:2579–2605',
    address: 'https://www.jmlr.org/papers/v9/vandermaaten08a.html',
  }),
  vanderleun2020: work(
    'van der Leun AM, Thommen DS, Schumacher TN',
    2020,
    'CD8+ T cell states in human cancer: insights from single-cell analysis',
    {
      journal: 'Nature Reviews Cancer',
      where: '20:218–232',
      doi: '10.1038/s41568-019-0235-4',
    },
  ),
  venet2011: work(
    'Venet D, Dumont JE, Detours V',
    2011,
    'Most random gene expression signatures are significantly associated with breast cancer outcome',
    {
      journal: 'PLOS Computational Biology',
      where: '7:e1002240',
      doi: '10.1371/journal.pcbi.1002240',
    },
  ),
  wegmann2019: work(
    'Wegmann R, Neri M, Schuierer S, et al.',
    2019,
    'CellSIUS provides sensitive and specific detection of rare cell populations from complex single-cell RNA-seq data',
    {
      journal: 'Genome Biology',
      where: '20:142',
      doi: '10.1186/s13059-019-1739-7',
    },
  ),
  wolf2018: work(
    'Wolf FA, Angerer P, Theis FJ',
    2018,
    'SCANPY: large-scale single-cell gene expression data analysis',
    {
      journal: 'Genome Biology',
      where: '19:15',
      doi: '10.1186/s13059-017-1382-0',
    },
  ),
  wolock2019: work(
    'Wolock SL, Lopez R, Klein AM',
    2019,
    'Scrublet: computational identification of cell doublets in single-cell transcriptomic data',
    {
      journal: 'Cell Systems',
      where: '8:281–291',
      doi: '10.1016/j.cels.2018.11.005',
    },
  ),
  young2020: work(
    'Young MD, Behjati S',
    2020,
    'SoupX removes ambient RNA contamination from droplet-based single-cell RNA sequencing data',
    {
      journal: 'GigaScience',
      where: '9:giaa151',
      doi: '10.1093/gigascience/giaa151',
    },
  ),
  zimmerman2021: work(
    'Zimmerman KD, Espeland MA, Langefeld CD',
    2021,
    'A practical solution to pseudoreplication bias in single-cell studies',
    {
      journal: 'Nature Communications',
      where: '12:738',
      doi: '10.1038/s41467-021-21038-1',
    },
  ),
} as const satisfies Record<string, Reference>;

export type ReferenceKey = keyof typeof bibliography;
