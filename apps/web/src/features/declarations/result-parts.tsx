import type { Declaration, FactTable, NameList } from '@cellfolio/analyses';
import type { AnalysisAnswer, FigureSource } from '@cellfolio/contract';
import { Fragment } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { toast } from '@/components/ui/toast.ts';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table.tsx';
import { FactRows, FigureChoice, type FigurePanelProps, ResultFacts } from '@/features/analyses/index.ts';
import { useCategoryNames } from '@/features/category-displays/index.ts';
import { copyText } from '@/lib/copy-text.ts';
import { formatCount, plural } from '@/lib/format.ts';

type Result = AnalysisAnswer;

interface DeclaredFactsProps {
  declaration: Pick<Declaration, 'headline' | 'tables' | 'facts' | 'lists'>;
  answer: Result;
  /** Whether the facts of the answer are shown elsewhere. */
  areOwn: boolean;
}

/** The facts of a result, the leading ones in the line that opens the others. */
export function DeclaredFacts({ declaration, answer, areOwn }: DeclaredFactsProps) {
  const { headline } = declaration;
  const made = declaration.facts?.(answer) ?? [];
  const sent = areOwn ? [] : answer.facts.filter(({ code }) => made.every((fact) => fact.code !== code));
  const facts = [...made, ...sent];
  const isLeading = ({ code }: (typeof facts)[number]) => headline.includes(code);
  return (
    <ResultFacts
      line={facts.filter(isLeading).map((fact, at) => (
        <Fragment key={fact.code}>
          {at > 0 && ' · '}
          <span className="font-medium">{fact.title}:</span> {fact.message}
        </Fragment>
      ))}
      facts={sent.filter((fact) => !isLeading(fact))}
    >
      {/* They introduce the tables. */}
      <FactRows facts={made.filter((fact) => !isLeading(fact))} />
      {declaration.lists?.(answer).map((list) => (
        <CopiedNames key={list.title} {...list} />
      ))}
      {declaration.tables?.(answer).map((table) => (
        <Fragment key={table.title}>
          <dt>{table.title}</dt>
          <dd>
            <ShortTable {...table} filename={answer.source?.dataset_filename ?? ''} />
            {table.note !== undefined && <p>{table.note}</p>}
          </dd>
        </Fragment>
      ))}
    </ResultFacts>
  );
}

function CopiedNames({ title, names }: NameList) {
  if (names.length === 0) return null;
  const copy = async () => {
    try {
      await copyText(names.join('\n'));
      toast.success('Genes Copied', { description: plural(names.length, 'gene') });
    } catch {
      toast.error('The genes could not be copied', {
        description: 'Select and copy them with the keyboard.',
      });
    }
  };
  return (
    <>
      <dt>
        {title} ({formatCount(names.length)})
      </dt>
      <dd>
        {names.join(', ')}{' '}
        <Button variant="link" size="inline" className="text-xs" onClick={() => void copy()}>
          Copy
        </Button>
      </dd>
    </>
  );
}

function ShortTable({ title, label = title, columns, rows, filename }: FactTable & { filename: string }) {
  const classOf = (kind: FactTable['columns'][number]['kind']) =>
    kind === 'genes' ? 'italic' : kind === 'text' ? '' : 'text-right';
  return (
    <Table aria-label={label}>
      <TableHeader>
        <TableRow>
          {columns.map(({ title: heading, kind }) => (
            <TableHead key={heading} className={kind === 'genes' ? '' : classOf(kind)}>
              {heading}
            </TableHead>
          ))}
        </TableRow>
      </TableHeader>
      <TableBody className="tabular-nums">
        {rows.map((row) => (
          <TableRow key={row[0]}>
            {columns.map(({ title: heading, kind, categoriesOf }, at) => (
              <TableCell key={heading} className={classOf(kind)}>
                {categoriesOf === undefined ? (
                  cellText(row[at] ?? null, kind)
                ) : (
                  <CategoryName filename={filename} column={categoriesOf} name={String(row[at])} />
                )}
              </TableCell>
            ))}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

/** The name that the user gave a category. */
function CategoryName({ filename, column, name }: { filename: string; column: string; name: string }) {
  return useCategoryNames(filename).ofColumn(column, name);
}

function cellText(value: string | number | null, kind: FactTable['columns'][number]['kind']): string {
  if (value === null) return '–';
  if (typeof value === 'string') return value;
  if (kind === 'count') return formatCount(value);
  if (kind === 'value') return String(Number(value.toPrecision(4))).replace('-', '−');
  return kind === 'share' ? `${(100 * value).toFixed(0)} %` : value.toFixed(2).replace('-', '−');
}

/** The figures that the page offers, those of the group that the table shows first. */
export function OfferedFigures({
  offered,
  answer,
  group,
}: { offered: NonNullable<Declaration['offered']> } & Pick<FigurePanelProps<Result>, 'answer' | 'group'>) {
  const { source, parameters } = answer;
  if (source === null) return null;
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
