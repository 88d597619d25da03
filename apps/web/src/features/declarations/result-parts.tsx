import type { Declaration, FactTable } from '@cellfolio/analyses';
import type { AnalysisAnswer, FigureSource } from '@cellfolio/contract';
import { Fragment } from 'react';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table.tsx';
import { FigureChoice, type FigurePanelProps, ResultFacts } from '@/features/analyses/index.ts';
import { formatCount } from '@/lib/format.ts';

type Result = AnalysisAnswer;

interface DeclaredFactsProps {
  declaration: Pick<Declaration, 'headline' | 'tables'>;
  answer: Result;
}

/** The facts of a result, the leading ones in the line that opens the others. */
export function DeclaredFacts({ declaration: { headline, tables }, answer }: DeclaredFactsProps) {
  const { facts } = answer;
  const isLeading = ({ code }: (typeof facts)[number]) => headline.includes(code);
  return (
    <ResultFacts
      line={facts.filter(isLeading).map((fact, at) => (
        <Fragment key={fact.code}>
          {at > 0 && ' · '}
          <span className="font-medium">{fact.title}:</span> {fact.message}
        </Fragment>
      ))}
      facts={facts.filter((fact) => !isLeading(fact))}
    >
      {tables?.(answer).map((table) => (
        <Fragment key={table.title}>
          <dt>{table.title}</dt>
          <dd>
            <ShortTable {...table} />
          </dd>
        </Fragment>
      ))}
    </ResultFacts>
  );
}

function ShortTable({ title, columns, rows }: FactTable) {
  const classOf = (kind: FactTable['columns'][number]['kind']) =>
    kind === 'genes' ? 'italic' : kind === 'text' ? '' : 'text-right';
  return (
    <Table aria-label={title}>
      <TableHeader>
        <TableRow>
          {columns.map(({ title: label, kind }) => (
            <TableHead key={label} className={kind === 'genes' ? '' : classOf(kind)}>
              {label}
            </TableHead>
          ))}
        </TableRow>
      </TableHeader>
      <TableBody className="tabular-nums">
        {rows.map((row) => (
          <TableRow key={row[0]}>
            {columns.map(({ title: label, kind }, at) => (
              <TableCell key={label} className={classOf(kind)}>
                {cellText(row[at] ?? null, kind)}
              </TableCell>
            ))}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function cellText(value: string | number | null, kind: FactTable['columns'][number]['kind']): string {
  if (value === null) return '–';
  if (typeof value === 'string') return value;
  if (kind === 'count') return formatCount(value);
  return kind === 'share' ? `${(100 * value).toFixed(0)} %` : value.toFixed(2).replace('-', '−');
}

/** The figures that the page offers, those of the group that the table shows first. */
export function OfferedFigures({
  offered,
  answer,
  group,
}: { offered: NonNullable<Declaration['offered']> } & Pick<FigurePanelProps<Result>, 'answer' | 'group'>) {
  const { source, parameters } = answer;
  const figures = offered.figures(parameters, answer).map((one) => ({
    id: one.label,
    label: one.label,
    word: one.word,
    file: one.file,
    source: { ...source, content: one.content as FigureSource['content'] },
    of: one.about,
    group: one.group,
  }));
  const rank = (one: (typeof figures)[number]) => (one.group === undefined ? 1 : one.group === group ? 0 : 2);
  return <FigureChoice key={group} figures={figures.toSorted((one, other) => rank(one) - rank(other))} />;
}
