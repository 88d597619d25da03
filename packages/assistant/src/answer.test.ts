import { describe, expect, test } from 'vitest';
import { type AnswerEvent, AnswerReader, numberText, resultView } from './answer.ts';

const message = 'Only 3 samples: p-values are too small.';
const output = {
  table: {
    columns: [
      { name: 'group', title: 'Group' },
      { name: 'names', title: 'Gene' },
      { name: 'scores', title: 'Score' },
      { name: 'pvals', title: 'P-value' },
      { name: 'pct', title: 'Share of cells' },
    ],
    rows: [
      ['T cell', 'CD8A', 12.3456, 1.2e-30, 0.4251],
      ['B cell', 'MS4A1', -4.5, 0, 0.9],
      ['B cell', 'HLA-DRA', 2345.6, null, 0.1],
    ],
    total_rows: 1200,
  },
  cell_count: 2400,
  groups: [
    { name: 'T cell', cells: 1500 },
    { name: 'B cell', cells: 900 },
  ],
  warnings: [{ code: 'few-samples', message }],
};
const kinds = new Map([
  ['pvals', 'p-value'],
  ['pct', 'share'],
] as const);
const names = [
  'leiden',
  '0',
  '3',
  '12',
  'Cluster 7',
  'IL-2',
  'GSE123',
  'CD4 T cell',
  'day 10',
  'MHC class II',
];
const reader = (more: readonly string[] = []) =>
  new AnswerReader({
    results: [{ step: 's1', view: resultView(output), cautions: output.warnings }],
    names: [...names, ...more],
    kindOf: (_step, column) => kinds.get(column as 'pct'),
  });
function read(text: string, more?: readonly string[]): AnswerEvent[] {
  const one = reader(more);
  return [...one.push(text), ...one.end()];
}
/** The text as a reader has it, with what was left out by its reason. */
const shown = (text: string, more?: readonly string[]): string[] =>
  read(text, more).map((event) =>
    event.kind === 'struck'
      ? `(${event.reason})`
      : event.parts.map((part) => ('value' in part ? part.value : part.text)).join(''),
  );

describe('a reference', () => {
  test.each([
    ['[[s1:/rows/0/scores]]', '12.3'],
    ['[[s1:/rows/names=CD8A/scores]]', '12.3'],
    ['[[s1:/rows/group=B cell&names=MS4A1/scores]]', '−4.5'],
    ['[[s1:/rows/2/scores]]', '2,346'],
    ['[[ s1: /cell_count ]]', '2,400'],
    ['[[s1:/groups/name=B cell/cells]]', '900'],
    ['[[s1:/rows/0/pvals]]', '1.20e−30'],
    ['[[s1:/rows/1/pvals]]', '< 2.2e-308'],
    ['[[s1:/rows/0/pct]]', '42.5 %'],
    ['[[s1:/rows/0/names]]', 'CD8A'],
    ['[[s1:/total_rows]]', '1,200'],
  ])('%s is filled in as %s', (form, value) => {
    expect(shown(`The value is ${form}.`)).toEqual([`The value is ${value}.`]);
  });

  test('keeps its step and path, by which a page links it', () => {
    expect(read('CD8A scores [[s1:/rows/0/scores]] here.')).toEqual([
      {
        kind: 'sentence',
        parts: [
          { text: 'CD8A scores ' },
          { value: '12.3', step: 's1', path: '/rows/0/scores' },
          { text: ' here.' },
        ],
      },
    ]);
  });

  test.each([
    '[[s1:/rows/9/scores]]',
    '[[s1:/rows/0/nothing]]',
    '[[s2:/rows/0/scores]]',
    '[[s1:/rows/group=B cell/scores]]',
    '[[s1:/rows/2/pvals]]',
    '[[s1:/groups]]',
    '[[s1:/groups/length]]',
    '[[s1:/constructor/name]]',
    '[[s1:/__proto__]]',
    '[[nothing]]',
    '[[s1:/rows/0/scores',
  ])('%s leads to no value, which strikes its sentence', (form) => {
    expect(shown(`It is ${form} here.`)).toEqual(['(reference)']);
  });

  const score = '[[s1:/rows/0/scores]]';
  test.each([
    `${score}${score}`,
    `${score}.${score}`,
    `${score},${score}`,
    `-${score}`,
    `minus ${score}`,
    `${score}%`,
    `${score} percent`,
    `${score}-fold`,
    `${score} ${score}`,
    `${score} -fold`,
    `${score} k cells`,
    `${score} million`,
    `${score}e6`,
    `${score} × 10`,
    `x${score}`,
    `10^${score}`,
  ])('%s would be another number', (form) => {
    expect(shown(`It is ${form} here.`)).toEqual(['(number)']);
  });

  test('may be the end of a range, or a share with its percent sign', () => {
    expect(shown(`From ${score}–[[s1:/rows/2/scores]] of it.`)).toEqual(['From 12.3–2,346 of it.']);
    expect(shown('In [[s1:/rows/0/pct]]% of cells.')).toEqual(['In 42.5 % of cells.']);
    expect(shown('In [[s1:/rows/0/pct]] percent of cells.')).toEqual(['In 42.5 % of cells.']);
  });
});

describe('a sentence with a number of its own is left out', () => {
  test.each([
    'It is 5 here.',
    'About 3% of cells.',
    'Between 2 and 4 of them.',
    'The p-value is 1e-5.',
    'It is .5 of that.',
    'It is twice as high.',
    'Half of the cells have it.',
    'There are dozens of genes.',
    'There are two groups.',
    'One gene leads.',
    'A third of the cells have it.',
    'Two-thirds of the cells have it.',
    'A twofold increase is seen.',
    'It doubled in T cells.',
    'Hundreds of cells have it.',
    'It is ５ here.',
    'It is ٣ here.',
    'It is ४ here.',
    'It is ½ of that.',
    'It is x² here.',
    'It is ⑤ here.',
    'It is 𝟓 here.',
    'It is t\u00adwice as high.',
    'It is tẃice as high.',
    'There are XIV of them.',
    'There are Ⅳ of them.',
    'Quarter of the cells have it.',
    'CD8A:300 is high.',
    'CD8A.5 is high.',
    'The value is &#53;.',
    'Cluster 5 is high.',
    'Cluster 3.5 is high.',
    'Cluster 3% is high.',
    '3 cells have it.',
    'Clusters 3 and 5 are high.',
    'GSE124 has it.',
    'It is ten-fold higher.',
    'The percentage is 7 %.',
    '10 days later it falls.',
  ])('%s', (sentence) => {
    expect(shown(sentence)).toEqual(['(number)']);
  });

  test.each(['Это вдвое больше.', '是三倍。', 'It is twо times that.'])(
    '%s is in no script that is checked',
    (sentence) => {
      expect(shown(sentence)[0]).toMatch(/^\((language|number)\)$/);
    },
  );
});

describe('digits in names, and words that are no numbers, stay', () => {
  test.each([
    'CD8A is higher in T cells.',
    'Both CD8A and HLA-DRA are markers.',
    'IL-2 is in GSE123.',
    'CD8A-positive cells are T cells.',
    'Cluster 3 is high.',
    'Clusters 0, 3 and 12 are high.',
    'Cluster 7 and day 10 are alike.',
    'CD4 T cells of class II are there.',
    'Molecules of MHC class I and II are there.',
    'Double-positive cells and doublets are left out.',
    'A two-sided test was used for it.',
    'The log2 fold change is positive.',
    'The UMAP shows it; the FDR limits it.',
    'It is one of the markers, as opposed to the other one.',
    'γδ cells are not seen.',
    'Genes of the scaffold are higher in CD8A cells.',
  ])('%s', (sentence) => {
    expect(shown(sentence)).toEqual([sentence]);
  });
});

test('names that read as numbers are no exception, as strangers chose them', () => {
  const hostile = [
    '0.001',
    'p<0.001',
    'p0.001',
    'p.05',
    '10x',
    '300cells',
    'by-300',
    'up-99-percent',
    'twice',
    'by 300',
    '1e-5',
    'half-dozen',
    'tenfold',
  ];
  for (const name of hostile)
    expect([name, ...shown(`T cells rise ${name} here.`, hostile)]).toEqual([name, '(number)']);
});

test('a gene that neither results nor the dataset have is not spoken of', () => {
  expect(shown('GNLY is high. CD8A is high.')).toEqual(['(gene)', 'CD8A is high.']);
  expect(shown('GNLY is high.', ['GNLY'])).toEqual(['GNLY is high.']);
});

test('sentences are read as they arrive, in whatever pieces', () => {
  const text =
    'T cells, e.g. CD8A ones, score [[s1:/rows/0/scores]]. It is 7 there!\n- HLA-DRA is high.\n2. MS4A1 is low';
  const expected = ['T cells, e.g. CD8A ones, score 12.3.', '(number)', 'HLA-DRA is high.', 'MS4A1 is low'];
  expect(shown(text)).toEqual(expected);
  for (const size of [1, 3, 7]) {
    const one = reader();
    const events: AnswerEvent[] = [];
    for (let at = 0; at < text.length; at += size) events.push(...one.push(text.slice(at, at + size)));
    expect([...events, ...one.end()]).toEqual(read(text));
  }
  const first = reader();
  expect([...first.push('CD8A is high. ')]).toHaveLength(1);
});

test('an answer without end, or a sentence without end, is cut', () => {
  expect(shown('x'.repeat(5000))).toEqual(['(length)']);
  const many = shown('CD8A is high. '.repeat(100));
  expect(many.filter((one) => one === '(length)')).toHaveLength(40);
});

describe('cautions of the results', () => {
  const caution = { step: 's1', code: 'few-samples', message };
  test('are left for code to say where no sentence refers to them', () => {
    const one = reader();
    Array.from(one.push('CD8A is high. '));
    expect(one.cautions()).toEqual([caution]);
  });

  test('appear once where a sentence has them, and in the words of the result', () => {
    const one = reader();
    const events = [...one.push('Mind this: [[s1:/warnings/0/message]] '), ...one.end()];
    expect(events).toEqual([
      {
        kind: 'sentence',
        parts: [{ text: 'Mind this: ' }, { value: message, step: 's1', path: '/warnings/0/message' }],
      },
    ]);
    expect(one.cautions()).toEqual([]);
  });

  test('of two steps are one where they say the same', () => {
    const result = { view: {}, cautions: output.warnings };
    const one = new AnswerReader({
      results: [
        { step: 's1', ...result },
        { step: 's2', ...result },
      ],
      names: [],
      kindOf: () => undefined,
    });
    expect(one.cautions()).toEqual([caution]);
  });
});

test('numbers have three digits, and are whole where they are', () => {
  expect(
    [0, 7, 1234567, 0.12345, 0.000123, 4.5e9 + 0.5, -1e-9].map((one) => numberText(one, undefined)),
  ).toEqual(['0', '7', '1,234,567', '0.123', '1.23e−4', '4.50e+9', '−1.00e−9']);
});
