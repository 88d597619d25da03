import { declarations } from '@cellfolio/analyses';
import { chosenCells } from '@cellfolio/contract';
import { figureContent, unknownIn } from '@cellfolio/figures/content';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { DatasetFacts } from './dataset-facts.ts';
import { plan, type PlanStep } from './plan.ts';
import { maxQuestionLength, planByRules, wordsToLookUp } from './plan-by-rules.ts';
import { analysisTool } from './rules/analysis-steps.ts';
import { editsBetween } from './rules/near-names.ts';

const longName = `Type ${'x'.repeat(480)}`;
const genes = [
  'FOXP3',
  'CD3D',
  'CD8A',
  'CD4',
  'GZMB',
  'PRF1',
  'MS4A1',
  'HLA-DRA',
  'CAT',
  'SET',
  'WAS',
  'IMPACT',
  'REST',
];
const dataset: Omit<DatasetFacts, 'genes'> = {
  groups: [
    {
      column: 'cell_type',
      names: [
        'T cell',
        'B cell',
        'CD8 T cell',
        'Stem cells',
        'Plasma',
        'NK cell',
        'Unknown',
        '<b>Bold</b>',
        longName,
      ],
    },
    { column: 'leiden', names: ['0', '1', '2', '3', '4', '5', '10'] },
    { column: 'treatment', names: ['treated', 'control'] },
    { column: 'response', names: ['responder', 'non-responder', 'unknown'] },
    { column: 'tissue', names: ['tumor', 'normal', 'lymph node', 'lymph'] },
    { column: 'sample_id', names: ['S1', 'S2', 'S3', 'S4'] },
    { column: 'perturbation', names: ['KRAS', 'TP53', 'non-targeting'] },
    { column: '__proto__', names: ['a.*(b', 'say "hi"', 'constructor'] },
    { column: 'sorted', names: ['CD45+ RA', 'CD45- RA', 'other'] },
  ],
  cellTypes: 'cell_type',
  clusters: 'leiden',
  numbers: ['n_genes_by_counts', 'total_counts', 'pct_counts_mt', 'age'],
};

function planOf(question: string, facts = dataset) {
  const symbols = new Map(genes.map((symbol) => [symbol.toLowerCase(), symbol]));
  const looked = wordsToLookUp(question).flatMap((word) => {
    const symbol = symbols.get(word.toLowerCase());
    return symbol === undefined ? [] : [[word, symbol] as const];
  });
  return planByRules(question, { ...facts, genes: new Map(looked) });
}

/** Tool and arguments on one line; a filter as `column: group|group & column: group`. */
function lineOf({ tool, arguments: args }: PlanStep): string {
  const short = JSON.stringify(args, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('subset_group_name' in value)) return value;
    const {
      cell_type: types,
      patient_metadata: fields,
      gene,
    } = value as {
      cell_type?: string[];
      patient_metadata?: object;
      gene?: { name: string; presence: string };
    };
    const parts = [...(types ? [['cell_type', types] as const] : []), ...Object.entries(fields ?? {})];
    const groups = parts.map(([column, names]) => `${column}: ${(names as string[]).join('|')}`);
    return [...groups, ...(gene ? [`${gene.name} ${gene.presence}`] : [])].join(' & ');
  });
  return `${tool} ${short}`;
}

const answered: readonly (readonly [question: string, ...steps: string[]])[] = [
  ['markers of cluster 3', 'analyze_comparison {"a":{"name":"Cluster 3","filter":"leiden: 3"}}'],
  [
    'FOXP3 in T cells by treatment',
    'draw_figure {"cells":{"subset":"cell_type: T cell"},"content":{"kind":"violin","of":{"measure":"gene","gene":"FOXP3"},"by":{"column":"treatment"}}}',
  ],
  [
    'compare T cells of tumor and normal',
    'analyze_comparison {"a":{"name":"T cell, tumor","filter":"cell_type: T cell & tissue: tumor"},"b":{"name":"T cell, normal","filter":"cell_type: T cell & tissue: normal"}}',
  ],
  [
    'which pathways are enriched in these genes: CD3D, CD8A',
    'analyze_pathway {"pathway_genes":["CD3D","CD8A"]}',
  ],
  [
    'composition by response',
    'draw_figure {"content":{"kind":"composition-bar","by":{"column":"response"}}}',
  ],
  ['color by CD8A', 'draw_figure {"content":{"kind":"gene-umap","gene":"CD8A"}}'],
  [
    'ligand receptor pairs between B cells and T cells',
    'analyze_ligand_receptor {"groupby":"cell_type","groups":["B cell","T cell"]}',
  ],
  [
    'pseudotime from stem cells',
    'analyze_trajectory {"groupby":"cell_type","root":{"by":"group","group":"Stem cells"}}',
  ],
  ['markers', 'analyze_markers {"groupby":"cell_type"}'],
  ['Which genes mark each cluster?', 'analyze_markers {"groupby":"leiden"}'],
  ['marker genes of each cell type', 'analyze_markers {"groupby":"cell_type"}'],
  [
    'markers by treatment in T cells',
    'analyze_markers {"cells":{"subset":"cell_type: T cell"},"groupby":"treatment"}',
  ],
  [
    'markers of T cells and B cells',
    'analyze_comparison {"a":{"name":"T cell","filter":"cell_type: T cell"}}',
    'analyze_comparison {"a":{"name":"B cell","filter":"cell_type: B cell"}}',
  ],
  [
    'markers of T cells vs B cells',
    'analyze_comparison {"a":{"name":"T cell","filter":"cell_type: T cell"},"b":{"name":"B cell","filter":"cell_type: B cell"}}',
  ],
  [
    'markers of clusters 1, 2 and 5',
    'analyze_comparison {"a":{"name":"Cluster 1","filter":"leiden: 1"}}',
    'analyze_comparison {"a":{"name":"Cluster 2","filter":"leiden: 2"}}',
    'analyze_comparison {"a":{"name":"Cluster 5","filter":"leiden: 5"}}',
  ],
  [
    'markers of T cells in tumor',
    'analyze_comparison {"cells":{"subset":"tissue: tumor"},"a":{"name":"T cell","filter":"cell_type: T cell"}}',
  ],
  [
    'which genes differ between treated and control T cells?',
    'analyze_comparison {"a":{"name":"T cell, treated","filter":"cell_type: T cell & treatment: treated"},"b":{"name":"T cell, control","filter":"cell_type: T cell & treatment: control"}}',
  ],
  [
    'treated vs control',
    'analyze_comparison {"a":{"name":"treated","filter":"treatment: treated"},"b":{"name":"control","filter":"treatment: control"}}',
  ],
  [
    'compare tumor with normal within each cell type',
    'analyze_comparison {"a":{"name":"tumor","filter":"tissue: tumor"},"b":{"name":"normal","filter":"tissue: normal"},"within":"cell_type"}',
  ],
  ['DEGs of cluster 3', 'analyze_comparison {"a":{"name":"Cluster 3","filter":"leiden: 3"}}'],
  [
    'compare responders by treatment',
    'analyze_comparison {"a":{"name":"responder, treated","filter":"response: responder & treatment: treated"},"b":{"name":"responder, control","filter":"response: responder & treatment: control"}}',
  ],
  [
    'compare T cells with all others',
    'analyze_comparison {"a":{"name":"T cell","filter":"cell_type: T cell"}}',
  ],
  [
    'Is FOXP3 expressed in tumor?',
    'draw_figure {"cells":{"subset":"tissue: tumor"},"content":{"kind":"gene-umap","gene":"FOXP3"}}',
  ],
  ['where is CD8A expressed?', 'draw_figure {"content":{"kind":"gene-umap","gene":"CD8A"}}'],
  [
    'CD8A and CD4 by cell type',
    'draw_figure {"content":{"kind":"gene-dot-plot","genes":["CD8A","CD4"],"by":{"column":"cell_type"}}}',
  ],
  [
    'cd8a in treated T cells by sample',
    'draw_figure {"cells":{"subset":"cell_type: T cell & treatment: treated"},"content":{"kind":"violin","of":{"measure":"gene","gene":"CD8A"},"by":{"column":"sample_id"}}}',
  ],
  [
    'violin of CD8A by treatment and tissue',
    'draw_figure {"content":{"kind":"violin","of":{"measure":"gene","gene":"CD8A"},"by":{"column":"treatment"},"split":{"column":"tissue"}}}',
  ],
  [
    'heatmap of CD3D CD8A GZMB by cluster',
    'draw_figure {"content":{"kind":"heatmap","genes":["CD3D","CD8A","GZMB"],"by":{"column":"leiden"}}}',
  ],
  [
    'dot plot of MS4A1, CD3D by cell type',
    'draw_figure {"content":{"kind":"gene-dot-plot","genes":["MS4A1","CD3D"],"by":{"column":"cell_type"}}}',
  ],
  [
    'ridge plot of age by tissue',
    'draw_figure {"content":{"kind":"ridge","of":{"measure":"obs","column":"age"},"by":{"column":"tissue"}}}',
  ],
  ['CD8A vs CD4', 'draw_figure {"content":{"kind":"gene-scatter","x":"CD8A","y":"CD4"}}'],
  [
    'scatter of CD8A against total counts in T cells',
    'draw_figure {"cells":{"subset":"cell_type: T cell"},"content":{"kind":"gene-scatter","x":"CD8A","y":{"measure":"obs","column":"total_counts"}}}',
  ],
  [
    'score of GZMB and PRF1 by treatment',
    'draw_figure {"content":{"kind":"violin","of":{"measure":"score","score":{"of":"signature","score_name":"GZMB, PRF1","genes":["GZMB","PRF1"]}},"by":{"column":"treatment"}}}',
  ],
  ['color by treatment', 'draw_figure {"content":{"kind":"obs-umap","column":"treatment"}}'],
  ['color by total_counts', 'draw_figure {"content":{"kind":"obs-umap","column":"total_counts"}}'],
  [
    'show T cells on the map',
    'draw_figure {"content":{"kind":"highlight-umap","of":"cell-type","cell_type":"T cell"}}',
  ],
  [
    'show clusters 3 and 5 on the map',
    'draw_figure {"content":{"kind":"highlight-umap","of":"cluster","leiden_clusters":["3","5"]}}',
  ],
  [
    'where are the treated cells',
    'draw_figure {"cells":{"subset":"treatment: treated"},"content":{"kind":"obs-umap","column":"treatment"}}',
  ],
  [
    'quality by sample',
    'draw_figure {"content":{"kind":"quality","columns":["n_genes_by_counts","total_counts","pct_counts_mt"],"by":{"column":"sample_id"}}}',
  ],
  [
    'total counts by treatment',
    'draw_figure {"content":{"kind":"violin","of":{"measure":"obs","column":"total_counts"},"by":{"column":"treatment"}}}',
  ],
  ['density by tissue', 'draw_figure {"content":{"kind":"embedding-density","by":{"column":"tissue"}}}'],
  [
    'KEGG pathways of GZMB, PRF1',
    'analyze_pathway {"pathway_genes":["GZMB","PRF1"],"library_name":"KEGG_2021_Human"}',
  ],
  [
    'hallmark pathways up in T cells of tumor vs normal',
    'analyze_ranked_enrichment {"ranking":{"source":"comparison","comparison":{"a":{"name":"T cell, tumor","filter":"cell_type: T cell & tissue: tumor"},"b":{"name":"T cell, normal","filter":"cell_type: T cell & tissue: normal"}}},"library_name":"MSigDB_Hallmark_2020"}',
  ],
  [
    'GSEA of cluster 3',
    'analyze_ranked_enrichment {"ranking":{"source":"comparison","comparison":{"a":{"name":"Cluster 3","filter":"leiden: 3"}}}}',
  ],
  [
    'does the composition differ between tumor and normal?',
    'analyze_composition {"a":{"name":"tumor","filter":"tissue: tumor"},"b":{"name":"normal","filter":"tissue: normal"}}',
  ],
  [
    'how many T cells per sample',
    'draw_figure {"cells":{"subset":"cell_type: T cell"},"content":{"kind":"composition-bar","by":{"column":"sample_id"},"show":"count"}}',
  ],
  [
    'fraction of T cells by sample',
    'draw_figure {"content":{"kind":"composition-bar","by":{"column":"sample_id"},"order":"part","part":"T cell"}}',
  ],
  [
    'composition of clusters by sample',
    'draw_figure {"content":{"kind":"composition-bar","by":{"column":"sample_id"},"of":{"column":"leiden"}}}',
  ],
  [
    'communication in tumor',
    'analyze_ligand_receptor {"cells":{"subset":"tissue: tumor"},"groupby":"cell_type"}',
  ],
  ['interactions of B cells', 'analyze_ligand_receptor {"groupby":"cell_type"}'],
  [
    'genes that change along pseudotime from stem cells',
    'analyze_gradient {"axis":{"of":"pseudotime","groupby":"cell_type","root":{"by":"group","group":"Stem cells"}}}',
  ],
  [
    'genes correlated with CD8A in T cells',
    'analyze_gradient {"cells":{"subset":"cell_type: T cell"},"axis":{"of":"gene","gene":"CD8A"}}',
  ],
  ['genes along age', 'analyze_gradient {"axis":{"of":"column","column":"age"}}'],
  [
    'gradient from B cells to T cells',
    'analyze_gradient {"axis":{"of":"groups","groupby":"cell_type","from":"B cell","to":"T cell"}}',
  ],
  [
    'top and bottom of FOXP3 in tumor',
    'analyze_deciles {"cells":{"subset":"tissue: tumor"},"by":{"of":"gene","gene":"FOXP3"}}',
  ],
  ['high and low total counts', 'analyze_deciles {"by":{"of":"column","column":"total_counts"}}'],
  ['gene modules in T cells', 'analyze_co_expression {"cells":{"subset":"cell_type: T cell"}}'],
  ['which cell type is each cluster?', 'analyze_cell_types {"groupby":"leiden"}'],
  ['annotate cluster 3', 'analyze_cell_types {"groupby":"leiden"}'],
  ['what does each perturbation change?', 'analyze_perturbations {"groupby":"perturbation"}'],
  [
    'perturbations against non-targeting in T cells',
    'analyze_perturbations {"cells":{"subset":"cell_type: T cell"},"groupby":"perturbation","controls":["non-targeting"]}',
  ],
  [
    'CD8A+ T cells: markers by treatment',
    'analyze_markers {"cells":{"subset":"cell_type: T cell & CD8A positive"},"groupby":"treatment"}',
  ],
  [
    'compare CD8A between tumor and normal',
    'draw_figure {"cells":{"subset":"tissue: tumor|normal"},"content":{"kind":"violin","of":{"measure":"gene","gene":"CD8A"},"by":{"column":"tissue"}}}',
  ],
  [
    'was CD8A higher in treated?',
    'draw_figure {"content":{"kind":"violin","of":{"measure":"gene","gene":"CD8A"},"by":{"column":"treatment"}}}',
  ],
  [
    'FOXP3 in CD8 T cells and NK cells',
    'draw_figure {"cells":{"subset":"cell_type: CD8 T cell|NK cell"},"content":{"kind":"violin","of":{"measure":"gene","gene":"FOXP3"},"by":{"column":"cell_type"}}}',
  ],
  [
    'markers of plasma cells in lymph node',
    'analyze_comparison {"cells":{"subset":"tissue: lymph node"},"a":{"name":"Plasma","filter":"cell_type: Plasma"}}',
  ],
  [
    'gene cat by treatment',
    'draw_figure {"content":{"kind":"violin","of":{"measure":"gene","gene":"CAT"},"by":{"column":"treatment"}}}',
  ],
  [
    'SET by treatment',
    'draw_figure {"content":{"kind":"violin","of":{"measure":"gene","gene":"SET"},"by":{"column":"treatment"}}}',
  ],
  ['color by WAS', 'draw_figure {"content":{"kind":"gene-umap","gene":"WAS"}}'],
  ['CAT', 'draw_figure {"content":{"kind":"gene-umap","gene":"CAT"}}'],
  [
    'compare IMPACT in lymph and tumor',
    'draw_figure {"cells":{"subset":"tissue: lymph|tumor"},"content":{"kind":"violin","of":{"measure":"gene","gene":"IMPACT"},"by":{"column":"tissue"}}}',
  ],
  [
    'HLA-DRA by cell type',
    'draw_figure {"content":{"kind":"violin","of":{"measure":"gene","gene":"HLA-DRA"},"by":{"column":"cell_type"}}}',
  ],
  [
    'markers of <b>bold</b>',
    'analyze_comparison {"a":{"name":"<b>Bold</b>","filter":"cell_type: <b>Bold</b>"}}',
  ],
  ['markers of "a.*(b"', 'analyze_comparison {"a":{"name":"a.*(b","filter":"__proto__: a.*(b"}}'],
  [
    'FOXP3 in say "hi"',
    'draw_figure {"cells":{"subset":"__proto__: say \\"hi\\""},"content":{"kind":"gene-umap","gene":"FOXP3"}}',
  ],
  ['markers of CD45+ RA', 'analyze_comparison {"a":{"name":"CD45+ RA","filter":"sorted: CD45+ RA"}}'],
  [
    'markers of constructor',
    'analyze_comparison {"a":{"name":"constructor","filter":"__proto__: constructor"}}',
  ],
  ['markers of group other', 'analyze_comparison {"a":{"name":"other","filter":"sorted: other"}}'],
];

const refused: readonly (readonly [question: string, reason: string])[] = [
  ['what is the weather', '“weather”'],
  ['survival by treatment', '“survival”'],
  ['RNA velocity of T cells', '“RNA velocity”'],
  ['FOXP99 in T cells', 'no gene “FOXP99”'],
  ['FOXP3 in macrophages', '“macrophages”'],
  ['FOXP3 by sex', '“sex”'],
  ['FOXP3 in T cells by drug', '“drug”'],
  ['FOXP3 in T cels', 'It has T cell'],
  ['markers of cluster 99', '“99”'],
  ['markers of cluster 3 without T cells', '“without”'],
  ['CD8A above 2 in T cells', '“above 2”'],
  ['compare T cells by sample', 'S1, S2, S3, S4'],
  ['compare tumor, normal and lymph node', 'two sides'],
  ['pseudotime from stem cells to T cells', 'a root and no end'],
  ['cat and was by treatment', '“cat”'],
  ['markers of CD45 RA', 'CD45+ RA, CD45- RA'],
  ['FOXP3 by 3', '“3”'],
  ['CD8A by treatment, tissue and response', 'two columns'],
  ['markers and FOXP3', 'No step uses “FOXP3”'],
  ['composition', 'by which column'],
  ['pathways', 'Name the genes'],
  ['genes along the axis', 'Name the gene'],
  ['markers of <img src=x onerror=alert(1)>', '“img src=x onerror=alert”'],
  ['cluster 3', 'Ask for'],
  ['FOXP3 in CD4 cells', 'no group “CD4”'],
  ['FOXP3 in CD4', 'Write “CD4+” for the cells that express CD4'],
  ['what does each perturbation change in the drug', '“drug”'],
  ['T cells not in tumor', '“not”'],
  ['top 5 markers of cluster 3', '“5”'],
  ['', 'Ask for'],
  ['x'.repeat(maxQuestionLength + 1), 'at most 2000 characters'],
];

describe('questions that rules answer', () => {
  test.each(answered.map(([question, ...steps]) => [question, steps] as const))('%s', (question, steps) => {
    const { steps: planned, cannot } = planOf(question);
    expect(cannot ?? '').not.toMatch(/^The dataset has no|^No step|^Ask for/);
    expect(planned.map(lineOf)).toEqual(steps);
  });

  test.each(answered.map(([question]) => question))(
    'the arguments of “%s” are what its tools take',
    (question) => {
      const made = plan.parse(planOf(question));
      for (const { tool, arguments: args } of made.steps) {
        const declaration = declarations.find((one) => analysisTool(one) === tool);
        const shape = declaration?.request.shape ?? { content: figureContent };
        const request = z.strictObject({ cells: chosenCells.optional(), ...shape });
        request.parse(args);
        expect(unknownIn(request, args)).toEqual([]);
      }
    },
  );
});

describe('questions that rules do not answer', () => {
  test.each(refused)('%j', (question, reason) => {
    const { steps, cannot } = planOf(question);
    expect(steps).toEqual([]);
    expect(cannot).toContain(reason);
    expect(cannot!.length).toBeLessThanOrEqual(500);
  });
});

test('every analysis is planned by some question', () => {
  const tools = new Set(answered.flatMap(([question]) => planOf(question).steps.map(({ tool }) => tool)));
  expect([...tools].toSorted()).toEqual([...declarations.map(analysisTool), 'draw_figure'].toSorted());
});

test('a restriction is in every step as a filter of subsets', () => {
  expect(planOf('FOXP3 in CD8A+ treated T cells by tissue').steps[0]!.arguments['cells']).toEqual({
    subset: {
      subset_group_name: 'treated, T cell, CD8A+',
      cell_type_filter: true,
      cell_type: ['T cell'],
      patient_metadata_filter: true,
      patient_metadata: { treatment: ['treated'] },
      gene_filter: true,
      gene: { name: 'CD8A', presence: 'positive' },
    },
  });
});

test('a name of any length is taken, and cut where it is shown', () => {
  const [step] = planOf(`markers of ${longName}`).steps;
  expect(step!.arguments).toMatchObject({ a: { filter: { cell_type: [longName] } } });
  expect(step!.purpose.length).toBeLessThanOrEqual(200);
});

test('a group called Default does not choose all cells', () => {
  const facts = { ...dataset, groups: [...dataset.groups, { column: 'state', names: ['Default', 'On'] }] };
  const [step] = planOf('FOXP3 in default by treatment', facts).steps;
  expect(step!.arguments['cells']).toMatchObject({
    subset: { subset_group_name: 'Cells of Default', patient_metadata: { state: ['Default'] } },
  });
});

test('more steps than a plan has are refused', () => {
  expect(planOf('markers of clusters 0, 1, 2, 3, 4, 5 and 10').cannot).toContain('at most 6');
});

test('genes with similar names are offered for one that the dataset lacks', () => {
  const facts = { ...dataset, genes: new Map(), similarGenes: new Map([['FOXP33', ['FOXP3', 'FOXP2']]]) };
  expect(planByRules('color by FOXP33', facts).cannot).toBe(
    'The dataset has no gene “FOXP33”. It has FOXP3, FOXP2.',
  );
});

test('words that can be genes are looked up, plain words only after “gene” or in capitals', () => {
  expect(wordsToLookUp('Where is foxp3 in CD8+ T-cells, HLA-DRA/CAT?')).toEqual(
    expect.arrayContaining(['foxp3', 'CD8', 'HLA-DRA', 'CAT']),
  );
  expect(wordsToLookUp('what was the impact of the rest')).toEqual([]);
  expect(wordsToLookUp('gene was by set')).toEqual(['was']);
  expect(wordsToLookUp('genes: cat, rest and set')).toEqual(['cat', 'rest', 'set']);
});

test('a long question about a column of many groups is refused', () => {
  const names = Array.from({ length: 5000 }, (_, at) => `T cell ${at} (.*)+$`);
  const facts = { ...dataset, groups: [{ column: 'cell_type', names }], genes: new Map() };
  expect(planByRules('T cell ( '.repeat(200), facts).steps).toEqual([]);
});

test('edits are letters that are inserted, deleted, replaced or swapped', () => {
  expect(editsBetween('cels', 'cells')).toBe(1);
  expect(editsBetween('tumour', 'tumor')).toBe(1);
  expect(editsBetween('tretaed', 'treated')).toBe(1);
  expect(editsBetween('', 'abc')).toBe(3);
});
