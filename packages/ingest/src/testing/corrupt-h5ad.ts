import type { AttributeValue } from './hdf5-output.ts';
import {
  array,
  cells,
  type Content,
  genes,
  group,
  names,
  type Node,
  soundContent,
  strings,
  writeContent,
} from './h5ad-content.ts';
import type { SeededRandom } from './simulated-files.ts';

type Corruption = (content: Content, random: SeededRandom) => void;

const tera = 2 ** 40;

const numberPaths = [
  'X/data',
  'X/indices',
  'X/indptr',
  'obs/depth',
  'obs/cell_type/codes',
  'obsm/X_umap',
] as const;
const stringPaths = ['obs/_index', 'var/_index', 'obs/cell_type/categories'] as const;
const types = ['int8', 'uint8', 'int16', 'int32', 'int64', 'uint64', 'float32', 'float64'] as const;
const strangeNumbers = [
  -1,
  0,
  NaN,
  Infinity,
  -Infinity,
  0.5,
  1e15,
  2 ** 31,
  2 ** 53,
  2 ** 62,
  -(2 ** 31),
  1e300,
  7,
];
const shapes = [
  [],
  [0, 0],
  [cells],
  [cells, genes + 1],
  [-1, genes],
  [cells, genes, 1],
  [tera, genes],
  [cells, tera],
];
const encodings = [
  'csr_matrix',
  'csc_matrix',
  'array',
  'dataframe',
  'categorical',
  'nullable-integer',
  'dict',
  '',
  'x',
];

function changed(node: Node | undefined, change: (values: number[]) => number[]): Node | undefined {
  if (node?.kind !== 'numbers') return node;
  const values = change([...(node.numbers.values ?? [])]);
  const { type, shape } = node.numbers.layout;
  const fits = shape.reduce((product, n) => product * n, 1) === values.length;
  return { ...node, numbers: { layout: { type, shape: fits ? shape : [values.length] }, values } };
}

function set(content: Content, path: string, node: Node | undefined): void {
  if (node !== undefined) content.set(path, node);
}

function remove(content: Content, path: string): void {
  for (const other of content.keys())
    if (other === path || other.startsWith(`${path}/`)) content.delete(other);
}

const corruptions: readonly Corruption[] = [
  (content, random) => {
    const path = random.pick(numberPaths);
    const put = (values: number[]) => {
      for (let count = random.below(3); count >= 0; count--)
        values[random.below(values.length)] = random.pick(strangeNumbers);
      return values;
    };
    set(content, path, changed(content.get(path), put));
  },
  (content, random) => {
    const path = random.pick(numberPaths);
    const cut = (values: number[]) =>
      random.chance(0.5) ? values.slice(0, random.below(values.length)) : [...values, ...values.slice(0, 3)];
    set(content, path, changed(content.get(path), cut));
  },
  (content, random) => {
    const path = random.pick(numberPaths);
    const node = content.get(path);
    if (node?.kind !== 'numbers') return;
    const { layout, values } = node.numbers;
    set(content, path, {
      ...node,
      numbers: { layout: { ...layout, type: random.pick(types) }, ...(values && { values }) },
    });
  },
  // Declared and never written: terabytes that take no room in the file, in one piece, in chunks or packed.
  (content, random) => {
    const path = random.pick([
      ...numberPaths,
      ...stringPaths,
      'X',
      'raw/X',
      'layers/counts',
      'obsm/X_pca',
    ] as const);
    const size = random.pick([1e6, 2e8, 2 ** 32, tera, 2 ** 60]);
    const shape = random.pick([[size], [size, 2], [cells, size], [size, size]]);
    const total = shape.reduce((product, n) => product * n, 1);
    const chunks = shape.map((n) => Math.min(n, random.pick([1000, 1_000_000, 2 ** 28])));
    const chunked = total > 2 ** 59 || random.chance(0.5);
    remove(content, path);
    if (path.startsWith('raw/')) content.set('raw', group('raw'));
    if (path.startsWith('layers/')) content.set('layers', group('dict'));
    content.set(path, {
      kind: 'numbers',
      numbers: { layout: { type: random.pick(types), shape, ...(chunked && { chunks, gzip: 1 }) } },
      attributes: { 'encoding-type': 'array', 'encoding-version': '0.2.0' },
    });
  },
  // Zeros that are written: a thousandth of their size in the file.
  (content, random) => {
    const path = random.pick(['X', 'X/data', 'obs/depth', 'obsm/X_umap', 'obs/many'] as const);
    const count = random.chance(0.1) ? 4_000_000 : 1_000_000;
    remove(content, path);
    content.set(path, {
      kind: 'numbers',
      numbers: {
        layout: { type: 'float64', shape: [count], chunks: [Math.min(count, 4_000_000)], gzip: 9 },
        values: new Array<number>(count).fill(0),
      },
      attributes: {},
    });
  },
  (content, random) => remove(content, random.pick([...content.keys()])),
  (content, random) => {
    const path = random.pick([...content.keys()]);
    remove(content, path);
    content.set(
      path,
      random.pick([strings(['a', 'b']), array('int32', [1, 2, 3]), group('dict'), strings([])]),
    );
  },
  (content, random) => {
    const path = random.pick([...content.keys()]);
    const target = random.pick(['/', `/${path}`, '/obs', '/X', '/nowhere', '/link', '..', '/obs/cell_type']);
    remove(content, path);
    content.set(path, { kind: random.chance(0.7) ? 'soft' : 'hard', target });
    if (target === '/link') content.set('link', { kind: 'soft', target: `/${path}` });
  },
  (content, random) => {
    const path = random.pick([...content.keys()]);
    remove(content, path);
    const file = random.pick(['/etc/passwd', 'other.h5ad', '../../secret.h5', '/dev/zero', '']);
    content.set(path, { kind: 'external', file, target: random.pick(['/', '/X', '']) });
  },
  (content, random) => {
    const path = random.pick(stringPaths);
    const node = content.get(path);
    if (node?.kind !== 'strings') return;
    const values = [...node.values];
    for (let count = random.below(4); count >= 0; count--)
      values[random.below(values.length)] = random.chance(0.5) ? values[0]! : random.pick(strangeNames);
    content.set(path, { ...node, values });
  },
  // HDF5 itself takes slashes as folders; other names are those of columns.
  (content, random) => {
    const name = random.pick(strangeNames).replaceAll('/', ':');
    if (name === '' || name === '.') return;
    content.set(
      `${random.pick(['obs', 'var', 'obsm', 'layers'])}/${name}`,
      array('float64', names(cells, '').map(Number)),
    );
  },
  (content, random) => {
    const [, node] = random.pick(
      [...content].filter(([, { kind }]) => kind === 'group' || kind === 'strings'),
    );
    if (!('attributes' in node)) return;
    const { attributes } = node;
    const name = random.pick(['encoding-type', '_index', 'column-order', 'shape', 'ordered', 'categories']);
    attributes[name] = random.pick<() => AttributeValue>([
      () => random.pick(encodings),
      () => random.pick(strangeNames),
      () => ({ int64: random.pick(shapes) }),
      () => [...strangeNames.slice(0, random.below(9)), '_index', 'depth', 'depth'],
      () => ({ uint8: random.below(256) }),
    ])();
  },
  (content, random) => {
    const node = content.get('X');
    if (node?.kind === 'group') node.attributes['shape'] = { int64: random.pick(shapes) };
  },
  // An embedding that is a table, sound or with rows and columns that are not.
  (content, random) => {
    remove(content, 'obsm/X_umap');
    const index = random.chance(0.5) ? names(cells, 'cell') : names(random.below(2 * cells), 'cell');
    const columns = ['UMAP1', random.pick(strangeNames).replaceAll('/', ':'), 'label'];
    content.set('obsm/X_umap', group('dataframe', { _index: '_index', 'column-order': columns }));
    content.set('obsm/X_umap/_index', random.chance(0.8) ? strings(index) : array('int64', [1, 2, 3]));
    const values = (count: number) => array(random.pick(types), new Array<number>(count).fill(2));
    content.set('obsm/X_umap/UMAP1', values(cells));
    content.set(`obsm/X_umap/${columns[1]!.slice(0, 200) || 'x'}`, values(random.below(2 * cells)));
    if (random.chance(0.5)) content.set('obsm/X_umap/label', { kind: 'soft', target: '/obsm/X_umap' });
  },
  // Another format in the same clothes.
  (content, random) => {
    if (random.chance(0.7)) for (const part of ['X', 'obs', 'var'] as const) remove(content, part);
    const name = random.pick(['matrix', 'mod', 'assays', 'GRCh38', 'row_attrs']);
    content.set(name, group(random.pick(encodings)));
    for (const part of ['barcodes', 'genes', 'indptr', 'rna'])
      content.set(`${name}/${part}`, random.chance(0.5) ? strings(['a']) : { kind: 'soft', target: '/' });
  },
  // `raw` that is the whole file again, or has another shape.
  (content, random) => {
    content.set('raw', random.chance(0.5) ? { kind: 'soft', target: '/' } : group('raw'));
    if (content.get('raw')?.kind !== 'group') return;
    content.set('raw/X', array('float32', [1, 2, 3, 4], [2, 2]));
    content.set('raw/var', { kind: 'soft', target: '/var' });
  },
];

/** Writes a well-formed HDF5 file with faulty content, which depends on the random numbers alone. */
export async function writeCorruptH5ad(path: string, random: SeededRandom): Promise<void> {
  const content = soundContent(random);
  for (let count = random.below(3); count >= 0; count--) random.pick(corruptions)(content, random);
  await writeContent(path, content);
}

export const strangeNames: readonly string[] = [
  '',
  ' ',
  '.',
  '..',
  '../../../../tmp/outside',
  '/absolute',
  'a/b',
  '__proto__',
  'constructor',
  '<img src=x onerror=alert(1)>',
  '=HYPERLINK("x")',
  "'; DROP TABLE cells; --",
  '\u202Egpj.exe',
  'e\u0301\u{1F9EC}',
  'N'.repeat(100_000),
];
