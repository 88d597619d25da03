import type { Caution, ExpressionSource } from '@cellfolio/model';
import type { Hdf5File } from '../hdf5/hdf5-file.ts';
import { matrixLayout, type MatrixLayout } from '../layout/matrix-layout.ts';
import type { ValueStatistics } from '../transpose/value-statistics.ts';
import { contentOf, sampleValues, type Content } from './sample-values.ts';

/** A matrix of the file with what is believed of its values. */
export interface Candidate {
  readonly layout: MatrixLayout;
  readonly statistics: ValueStatistics;
  readonly content: Content;
  /** Path of the table that describes its genes. */
  readonly varPath: string;
}

export interface ExpressionChoice {
  readonly taken: Candidate;
  /** Counts to keep: the taken matrix itself, or another one of the same genes. */
  readonly counts?: Candidate;
  readonly source: ExpressionSource;
  readonly what: string;
  readonly warnings: readonly Caution[];
}

const LOG_LAYERS = /^(log1?p|log_?norm|lognorm|log_?counts|logcounts|normalized|normalised|norm|data|log)/i;
const COUNT_LAYERS = /^(raw_?counts?|counts?|umi|umis|raw|spliced_?unspliced)$/i;

/** Every matrix of the file that may hold expression, best first: raw, X, then layers. */
export function candidates(file: Hdf5File): Candidate[] {
  const layers = file.kind('layers') === 'group' ? file.children('layers') : [];
  const places = [
    { path: 'raw/X', varPath: 'raw/var' },
    { path: 'raw.X', varPath: 'raw.var' },
    { path: 'X', varPath: 'var' },
    ...[LOG_LAYERS, COUNT_LAYERS].flatMap((pattern) =>
      layers.filter((name) => pattern.test(name)).map((name) => ({ path: `layers/${name}`, varPath: 'var' })),
    ),
  ];
  return places.flatMap(({ path, varPath }) => {
    const layout = matrixLayout(file, path);
    if (layout === undefined) return [];
    const statistics = sampleValues(file, layout);
    return [{ layout, statistics, content: contentOf(statistics), varPath }];
  });
}

/**
 * Which numbers become expression. `raw` where it exists, else `X`; scaled values only where nothing better
 * is there; counts are normalised. Undefined where the file has no matrix.
 */
export function chooseExpression(all: readonly Candidate[]): ExpressionChoice | undefined {
  const main = all.filter(({ layout }) => !layout.path.startsWith('layers/'));
  const good = ({ content }: Candidate) => content === 'log-normalised' || content === 'counts';
  const taken =
    main.find(good) ?? all.find(good) ?? main.find(({ content }) => content !== 'empty') ?? main[0];
  if (taken === undefined) return undefined;
  const { path } = taken.layout;
  const preferred = main[0];
  const instead =
    preferred === undefined || preferred === taken
      ? ''
      : ` instead of ${preferred.layout.path}, whose values look ${preferred.content}`;
  if (taken.content === 'counts') {
    return {
      taken,
      counts: taken,
      source: { path, state: 'normalised-here', hasCounts: true },
      what: `${path} holds raw counts${instead}; they were normalised to 10,000 per cell and log1p was taken.`,
      warnings: [],
    };
  }
  const counts = all.find(
    (other) =>
      other.content === 'counts' &&
      other.varPath === taken.varPath &&
      other.layout.cellCount === taken.layout.cellCount,
  );
  const kept = counts === undefined ? {} : { counts };
  const hasCounts = counts !== undefined;
  switch (taken.content) {
    case 'log-normalised':
      return {
        taken,
        ...kept,
        source: { path, state: 'log-normalised', hasCounts },
        what: `${path} is taken as it is${instead}: its values look log-normalised.`,
        warnings: [],
      };
    case 'scaled':
      return {
        taken,
        ...kept,
        source: { path, state: 'scaled', hasCounts },
        what: `${path} is taken as it is: its values are scaled, and the file holds nothing better.`,
        warnings: [
          {
            code: 'scaled-values',
            message: `The values of ${path} are scaled (some are negative) and the file holds no counts or log-normalised values: figures show scaled values, and zero is not "not expressed".`,
          },
        ],
      };
    case 'linear':
      return {
        taken,
        ...kept,
        source: { path, state: 'unknown', hasCounts },
        what: `${path} is taken as it is: its values are neither whole counts nor in the range of logarithms.`,
        warnings: [
          {
            code: 'not-logarithmic',
            message: `The values of ${path} reach ${taken.statistics.maximum.toPrecision(4)}: they look normalised but not logarithmic, and are shown as they are.`,
          },
        ],
      };
    case 'empty':
      return {
        taken,
        source: { path, state: 'unknown', hasCounts: false },
        what: `${path} holds nothing but zeros.`,
        warnings: [{ code: 'all-zero', message: `Every value of ${path} is zero.` }],
      };
  }
}
