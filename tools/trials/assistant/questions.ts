import {
  bySamples,
  cellsOf,
  comparison,
  composition,
  deciles,
  describe,
  findGenes,
  gradient,
  markers,
  pairs,
  treated,
} from './calls.ts';
import {
  type Answerable,
  cellCount,
  described,
  expressing,
  fixedCount,
  foldOfCells,
  greatest,
  meanShare,
  plantedFold,
  plantedGene,
  plantedType,
  type Question,
  type Reason,
  shareRatio,
  type ToolCall,
  type Trap,
  typeBySize,
  type Unanswerable,
} from './question.ts';
import { genes, type StudyName } from './studies.ts';

/** Questions on simulated data, with what answers them and the true answer. @module */

type Truth = Answerable['truth'];

const ask = (
  question: string,
  steps: ToolCall | readonly ToolCall[],
  truth: Truth,
  dataset: StudyName = 'cohort',
): Answerable => ({ question, dataset, steps: [steps].flat(), truth });

const top = markers({ groupby: 'cell_type', n_genes: 1 });
const topOfClusters = markers({ groupby: 'cluster', n_genes: 1 });
const topOf = (group: string, column = 'names') => `/rows/group=${group}/${column}`;
const treatment = comparison({ ...treated(), ...bySamples });
const shares = composition({ ...treated(), samples: 'donor', by: 'cell_type' });
const ofCategory = (category: string, column: string) => `/rows/category=${category}/${column}`;
const alongActivation = gradient({ axis: { of: 'column', column: 'activation' } });
const signals = pairs({
  groupby: 'cell_type',
  own_pairs: 'ligand,receptor\nCXCL12,CXCR4',
  permutations: 200,
});
const otherSignals = pairs({
  groupby: 'cell_type',
  own_pairs: 'ligand,receptor\nCXCL13,CXCR4',
  permutations: 200,
});

const answerable: readonly Answerable[] = [
  ask('How many cells does this dataset contain in all?', describe, cellCount('/cell_count')),
  ask('For how many genes was expression measured here?', describe, fixedCount('/gene_count', genes.length)),
  ask('Count the B cells.', describe, described('cell_type', 'B cell')),
  ask(
    'What is the number of cells annotated as plasma cells?',
    describe,
    described('cell_type', 'Plasma cell'),
  ),
  ask('I need the size of the monocyte population.', describe, described('cell_type', 'Monocyte')),
  ask('How large is the group of natural killer cells?', describe, described('cell_type', 'NK cell')),
  ask('How many CD4 T cells were captured?', describe, described('cell_type', 'CD4 T cell')),
  ask('Tell me how many cells carry the label CD8 T cell.', describe, described('cell_type', 'CD8 T cell')),
  ask('How many cells did donor D3 contribute?', describe, described('donor', 'D3')),
  ask('Number of cells of the sixth donor, D6?', describe, described('donor', 'D6')),
  ask('How many cells come from treated donors?', describe, described('condition', 'treated')),
  ask(
    'And what is the number of cells in the control condition?',
    describe,
    described('condition', 'control'),
  ),
  ask('How many of the cells are from men (sex: male)?', describe, described('sex', 'male')),
  ask('How many cells are from women (sex: female)?', describe, described('sex', 'female')),
  ask('How many cells were processed in run A?', describe, described('batch', 'run A')),
  ask('What is the size of cluster 0?', describe, described('cluster', '0')),
  ask('How many cells fell into cluster 3?', describe, described('cluster', '3')),
  ask('How many monocytes are there?', describe, described('cell_type', 'Monocyte'), 'shifted'),
  ask(
    'Cells of the treated condition, please: how many?',
    describe,
    described('condition', 'treated'),
    'shifted',
  ),
  ask('What is the total number of cells of this small dataset?', describe, cellCount('/cell_count'), 'pair'),
  ask('How many plasma cells have been found?', describe, described('cell_type', 'Plasma cell'), 'clumped'),
  ask(
    'Which cell type is the rarest?',
    describe,
    typeBySize('/groups/column=cell_type/groups/name=Plasma cell/name', 'smallest'),
  ),
  ask(
    'Name the most abundant cell type.',
    describe,
    typeBySize('/groups/column=cell_type/groups/name=CD4 T cell/name', 'largest'),
  ),
  ask(
    'Under which symbol does the dataset list cd8b?',
    findGenes('cd8b'),
    plantedGene('/genes/0/symbol', 'CD8B'),
  ),
  ask('What is the best marker gene of B cells?', top, plantedGene(topOf('B cell'), 'MS4A1')),
  ask(
    'Which gene distinguishes monocytes best from all other cells?',
    top,
    plantedGene(topOf('Monocyte'), 'LYZ'),
  ),
  ask('Give me the leading marker of the NK cells.', top, plantedGene(topOf('NK cell'), 'GNLY')),
  ask('By which gene would you recognize plasma cells?', top, plantedGene(topOf('Plasma cell'), 'MZB1')),
  ask('Top marker of CD8 T cells?', top, plantedGene(topOf('CD8 T cell'), 'CD8A')),
  ask('What gene characterizes the CD4 T cells most?', top, plantedGene(topOf('CD4 T cell'), 'IL7R')),
  ask('Which gene marks cluster 1?', topOfClusters, plantedGene(topOf('1'), 'MS4A1')),
  ask(
    'I would like to know the strongest marker of cluster 4.',
    topOfClusters,
    plantedGene(topOf('4'), 'MZB1'),
  ),
  ask(
    'What share of the B cells express MS4A1?',
    top,
    expressing(topOf('B cell', 'pct_nz_group'), 'MS4A1', { cell_type: 'B cell' }),
  ),
  ask(
    'In which percentage of NK cells is GNLY detected?',
    top,
    expressing(topOf('NK cell', 'pct_nz_group'), 'GNLY', { cell_type: 'NK cell' }),
  ),
  ask(
    'LYZ marks monocytes: how many percent of all the other cells express it, too?',
    top,
    expressing(topOf('Monocyte', 'pct_nz_reference'), 'LYZ', { cell_type: 'Monocyte' }, true),
  ),
  ask(
    'How much higher is MZB1 in plasma cells than elsewhere, as a log2 fold change?',
    top,
    foldOfCells(topOf('Plasma cell', 'logfoldchanges'), 'MZB1', { cell_type: 'Plasma cell' }),
  ),
  ask(
    'What is the log2 fold change of CD8A between CD8 T cells and the rest?',
    top,
    foldOfCells(topOf('CD8 T cell', 'logfoldchanges'), 'CD8A', { cell_type: 'CD8 T cell' }),
  ),
  ask('By what log2 fold change does treatment raise ISG15?', treatment, plantedFold('ISG15')),
  ask('How strongly is MX1 induced in treated donors, on the log2 scale?', treatment, plantedFold('MX1')),
  ask('IFI6, treated against control: which log2 fold change?', treatment, plantedFold('IFI6')),
  ask('How far does KLF2 fall under treatment (log2)?', treatment, plantedFold('KLF2')),
  ask('What happens to TXNIP in the treated samples, in log2 units?', treatment, plantedFold('TXNIP')),
  ask(
    'Which gene does the treatment induce most strongly?',
    treatment,
    plantedGene('/rows/names=ISG15/names', 'ISG15'),
  ),
  ask(
    'And which gene is repressed most by the treatment?',
    treatment,
    plantedGene('/rows/names=KLF2/names', 'KLF2'),
  ),
  ask(
    'How many genes go up in treated samples at least twofold, donors as replicates?',
    treatment,
    fixedCount('/groups/0/higher', 3),
  ),
  ask(
    'How many genes go down by half or more in the treated samples, tested between donors?',
    treatment,
    fixedCount('/groups/0/lower', 2),
  ),
  ask('How many treated donors can be used as replicates?', treatment, fixedCount('/samples/a', 4)),
  ask(
    'Look at B cells only: by which log2 fold change does ISG15 respond to treatment?',
    comparison({ ...treated('B cell'), ...bySamples }),
    plantedFold('ISG15', 0.7),
  ),
  ask(
    'Within the monocytes, what is the log2 fold change of MX1 after treatment?',
    comparison({ ...treated('Monocyte'), ...bySamples }),
    plantedFold('MX1', 0.8),
  ),
  ask(
    'How many treated B cells are there to compare with those of control?',
    comparison({ ...treated('B cell'), ...bySamples }),
    cellCount('/a/cells', { cell_type: 'B cell', condition: 'treated' }),
  ),
  ask(
    'Use the quasi-likelihood test of samples: what is the log2 fold change of MX1 with treatment?',
    comparison({ ...treated(), ...bySamples, method: 'quasi-likelihood' }),
    plantedFold('MX1'),
  ),
  ask(
    'What share of treated cells has any ISG15? A comparison of single cells is fine for this.',
    comparison({ ...treated(), method: 'wilcoxon' }),
    expressing('/rows/names=ISG15/pct_nz_a', 'ISG15', { condition: 'treated' }),
  ),
  ask(
    'What is the average share of monocytes in treated donors?',
    shares,
    meanShare(ofCategory('Monocyte', 'share_a'), 'Monocyte', 'treated'),
    'shifted',
  ),
  ask(
    'And in the donors of the control condition, what fraction are monocytes on average?',
    shares,
    meanShare(ofCategory('Monocyte', 'share_b'), 'Monocyte', 'control'),
    'shifted',
  ),
  ask(
    'Which cell type expands with treatment?',
    shares,
    plantedType(ofCategory('Monocyte', 'category'), 'Monocyte'),
    'shifted',
  ),
  ask(
    'By which factor does the proportion of monocytes differ between treated and control donors?',
    shares,
    shareRatio(ofCategory('Monocyte', 'ratio'), 'Monocyte'),
    'shifted',
  ),
  ask(
    'Which gene rises most along the activation score?',
    alongActivation,
    plantedGene('/rows/names=CD69/names', 'CD69'),
  ),
  ask('How high does activation get in any cell?', alongActivation, greatest('/axis/greatest', 'activation')),
  ask(
    'Which cell type may send CXCL12 to cells with the receptor CXCR4?',
    signals,
    plantedType('/rows/target=Monocyte&source=Plasma cell/source', 'Plasma cell'),
  ),
  ask(
    'CXCL13 is said to bind CXCR4 (try this pair): from which cells could it come?',
    otherSignals,
    plantedType('/rows/target=Monocyte&source=B cell/source', 'B cell'),
  ),
];

const refuse = (
  question: string,
  cannot: Reason,
  careless: ToolCall,
  dataset: StudyName = 'cohort',
): Unanswerable => ({ question, dataset, steps: [careless], cannot });

const expressed = (gene: string) => deciles({ by: { of: 'gene', gene } });

const unanswerable: readonly Unanswerable[] = [
  refuse('Which genes go along with INS?', 'gene', gradient({ axis: { of: 'gene', gene: 'INS' } })),
  refuse('Compare the cells high in FOXP3 with those low in it.', 'gene', expressed('FOXP3')),
  refuse(
    'How do EPCAM positive cells differ from the others?',
    'gene',
    comparison({ a: cellsOf({ name: 'EPCAM positive', gene: 'EPCAM' }) }),
  ),
  refuse('Rank the cells by TP53 and tell me what else changes.', 'gene', expressed('TP53')),
  refuse(
    'Along PAX6 expression, which genes fall?',
    'gene',
    gradient({ axis: { of: 'gene', gene: 'PAX6' } }),
  ),
  refuse(
    'Which genes are specific to neutrophils?',
    'group',
    comparison({ a: cellsOf({ name: 'Neutrophils', types: ['Neutrophil'] }) }),
  ),
  refuse(
    'What do mast cells express more than all other cells?',
    'group',
    comparison({ a: cellsOf({ name: 'Mast cells', types: ['Mast cell'] }) }),
  ),
  refuse(
    'Compare donor D12 with the other donors.',
    'group',
    comparison({ a: cellsOf({ name: 'D12', labels: { Donor: ['D12'] } }) }),
  ),
  refuse(
    'What changes at relapse, compared with control?',
    'group',
    comparison({
      a: cellsOf({ name: 'relapse', labels: { Condition: ['relapse'] } }),
      b: cellsOf({ name: 'control', labels: { Condition: ['control'] } }),
    }),
  ),
  refuse('Which genes mark each tissue?', 'column', markers({ groupby: 'tissue' })),
  refuse(
    'Which genes increase with the body mass index of the donors?',
    'column',
    gradient({ axis: { of: 'column', column: 'bmi' } }),
  ),
  refuse('What distinguishes responders from non-responders?', 'column', markers({ groupby: 'response' })),
  refuse('Do smokers have other markers than non-smokers?', 'column', markers({ groupby: 'smoking' })),
  refuse('Which genes change from one day of sampling to the next?', 'column', markers({ groupby: 'day' })),
  refuse('Where is chromatin open in the monocytes?', 'modality', markers({ groupby: 'atac_peaks' })),
  refuse(
    'How much CD14 protein is on the surface of the monocytes?',
    'modality',
    gradient({ axis: { of: 'column', column: 'CD14 protein' } }),
  ),
  refuse(
    'Which T cell receptor clonotypes expanded under treatment?',
    'modality',
    composition({ ...treated(), by: 'clonotype' }),
  ),
  refuse(
    'Do plasma cells lie next to monocytes in the tissue section?',
    'modality',
    pairs({ groupby: 'cell_type', permutations: 200 }),
  ),
  refuse('Is ISG15 also induced in the other public lupus cohorts?', 'other data', treatment),
  refuse('Are there more monocytes here than in the Human Cell Atlas?', 'other data', shares, 'shifted'),
  refuse('Does the rise of ISG15 cause the loss of KLF2?', 'cause', treatment),
  refuse('Would knocking out MX1 stop the activation of these cells?', 'cause', alongActivation),
  refuse('Which of these donors will live longest?', 'no analysis', describe),
  refuse('Which drug should the treated donors get next?', 'no analysis', treatment),
  refuse('Which mutations do the CD8 T cells carry?', 'no analysis', top),
];

const trap = (
  question: string,
  steps: ToolCall,
  caution: string,
  { dataset = 'cohort', ...rest }: Pick<Trap, 'without' | 'avoidedBy'> & { dataset?: StudyName },
): Trap => ({ question, dataset, steps: [steps], caution, ...rest });

const ofSums = { method: ['pseudobulk', 'quasi-likelihood', 'negative-binomial'] } as const;
const cellTest = comparison({ ...treated(), method: 'wilcoxon' });
const quarters = (by: object) => deciles({ by, share: 25 });
const plasma = cellsOf({ name: 'Plasma cells', types: ['Plasma cell'] });

const traps: readonly Trap[] = [
  trap(
    'Test every single cell: which genes differ between treated and control?',
    cellTest,
    'cells-as-replicates',
    {
      avoidedBy: ofSums,
      without: { steps: [treatment] },
    },
  ),
  trap(
    'Pool the cells of all donors and list the genes that follow activation.',
    gradient({ axis: { of: 'column', column: 'activation' }, within_samples: false }),
    'cells-as-replicates',
    { without: { steps: [alongActivation] } },
  ),
  trap('What does the treatment change here?', treatment, 'batch-confounded', {
    dataset: 'confounded',
    without: { dataset: 'cohort' },
  }),
  trap(
    'Find markers of the cell types with a t-test.',
    markers({ groupby: 'cell_type', method: 't-test' }),
    'uneven-t-test',
    { avoidedBy: { method: ['wilcoxon'] }, without: { steps: [markers({ groupby: 'cell_type' })] } },
  ),
  trap(
    'Use Welch’s t-test to compare the plasma cells with everything else.',
    comparison({ a: plasma, method: 't-test' }),
    'uneven-t-test',
    {
      avoidedBy: { method: ['wilcoxon', ...ofSums.method] },
      without: { steps: [comparison({ a: plasma, method: 'wilcoxon' })] },
    },
  ),
  trap('Which genes respond to treatment over all cells together?', treatment, 'sides-of-other-groups', {
    dataset: 'shifted',
    avoidedBy: { within: ['cell_type', 'cluster'] },
    without: { dataset: 'cohort' },
  }),
  trap('Cell by cell, which genes are lower after treatment?', cellTest, 'counts-per-cell-differ', {
    dataset: 'shallow',
    avoidedBy: { ...ofSums, depth: ['downsample'] },
    without: { dataset: 'cohort' },
  }),
  trap(
    'How sure are the markers of the clusters?',
    markers({ groupby: 'cluster' }),
    'clusters-tested-on-own-data',
    {
      without: { steps: [markers({ groupby: 'condition' })] },
    },
  ),
  trap(
    'Is cluster 0 significantly different from all other cells?',
    comparison({ a: cellsOf({ name: 'Cluster 0', labels: { Cluster: ['0'] } }) }),
    'clusters-tested-on-own-data',
    { without: { steps: [cellTest] } },
  ),
  trap('With one donor on each side: which genes does the treatment change?', cellTest, 'sample-confounded', {
    dataset: 'pair',
    without: { dataset: 'cohort' },
  }),
  trap(
    'List what is typical of each cell type.',
    markers({ groupby: 'cell_type' }),
    'groups-from-one-sample',
    {
      dataset: 'clumped',
      without: { dataset: 'cohort' },
    },
  ),
  trap(
    'Which genes increase with the age of the donors?',
    gradient({ axis: { of: 'column', column: 'age' } }),
    'axis-of-samples',
    { without: { steps: [alongActivation] } },
  ),
  trap(
    'What else is higher in cells that express CD8A?',
    comparison({ a: cellsOf({ name: 'CD8A positive', gene: 'CD8A' }) }),
    'filter-tested-on-own-data',
    { without: { steps: [cellTest] } },
  ),
  trap(
    'Split the cells by their CD8A: which genes tell high from low?',
    quarters({ of: 'gene', gene: 'CD8A' }),
    'ends-of-other-groups',
    {
      without: { steps: [quarters({ of: 'column', column: 'activation' })] },
    },
  ),
  trap(
    'Compare plasma cells with the rest as scanpy does by default, also for genes in few cells.',
    comparison({ a: plasma, method: 'wilcoxon', sparse_genes: 'approximate' }),
    'sparse-genes',
    {
      dataset: 'pair',
      avoidedBy: { sparse_genes: ['exact'] },
      without: { steps: [comparison({ a: plasma, method: 'wilcoxon' })] },
    },
  ),
];

export const questions: readonly Question[] = [...answerable, ...unanswerable, ...traps];
