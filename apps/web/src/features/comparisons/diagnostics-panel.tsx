import type { ComparisonAnswer, FigureContent, FigureSource } from '@cellfolio/contract';
import type { ReactNode } from 'react';
import { useId, useMemo, useState } from 'react';
import { Input, Label } from '@/components/ui/form.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { DownloadFigure, DrawnFigure, type FigurePanelProps } from '@/features/analyses/index.ts';
import { numbersOf, type TableColumns, textAt, textsOf } from '@/features/tables/index.ts';

type CheckKind = 'sample-map' | 'design' | 'mean-variance' | 'p-value-histogram' | 'sample-heatmap';

interface Check {
  kind: CheckKind;
  title: string;
  question: string;
}

const checks: readonly Check[] = [
  {
    kind: 'sample-map',
    title: 'Map of samples',
    question:
      'Do samples cluster by group? Check any sample that stands apart or clusters with another batch.',
  },
  {
    kind: 'design',
    title: 'Design',
    question:
      'The samples compared and the covariates in the model: the effects of two equal columns cannot be separated.',
  },
  {
    kind: 'mean-variance',
    title: 'Mean and variance',
    question:
      'Genes should scatter around the curve, which falls with the mean count and weights each value.',
  },
  {
    kind: 'p-value-histogram',
    title: 'P-values',
    question: 'Flat, with a peak at 0 if genes differ. A peak elsewhere means that the model does not fit.',
  },
  {
    kind: 'sample-heatmap',
    title: 'Genes by sample',
    question: 'Do samples of a side agree in the genes with the smallest p-values?',
  },
];

type SpreadMeasure = NonNullable<ComparisonAnswer['pseudobulk']>['parts'][number]['spread']['measure'];

const dispersionQuestions: Partial<Record<SpreadMeasure, string>> = {
  'quasi-dispersion':
    'Genes should scatter around the curve, which is near 1 if the dispersion trend fits: their variation beyond the trend is shrunken towards it.',
  dispersion:
    'Genes should scatter around the curve, which falls with the mean count: their dispersions are shrunken towards it.',
};

const maxSuggestions = 50;

export function DiagnosticsPanel({ answer, table, group, selected }: FigurePanelProps<ComparisonAnswer>) {
  const id = useId();
  const parts = answer.pseudobulk?.parts ?? [];
  const [chosenPart, setPart] = useState<string>();
  const part = parts.find(({ name }) => name === (chosenPart ?? group)) ?? parts[0];
  const isParted = answer.parameters.within !== undefined;
  const genes = useMemo(
    () => testedGenes(table, isParted ? part?.name : undefined),
    [table, isParted, part?.name],
  );
  const [chosenGene, setGene] = useState<string>();
  // The gene that was typed, else the one that was selected last in the table or a plot, else the surest.
  const requestedGene = chosenGene ?? selectedGene(table, selected);
  const gene = requestedGene !== undefined && genes.includes(requestedGene) ? requestedGene : genes[0];
  if (answer.source === null || part === undefined) return null;
  const question = dispersionQuestions[part.spread.measure];
  const shown = checks.map((check) =>
    question !== undefined && check.kind === 'mean-variance'
      ? { kind: check.kind, title: 'Mean and dispersion', question }
      : check,
  );
  const { dataset_filename, ...rest } = answer.source;
  const sourceOf = (content: object): FigureSource => ({
    ...rest,
    dataset_filename,
    content: { ...answer.parameters, part: part.name, ...content } as FigureContent,
  });
  return (
    <div className="flex flex-col gap-4">
      {parts.length > 1 && (
        <div className="flex items-center gap-2">
          <Label htmlFor={`${id}-part`}>Group</Label>
          <Select value={`=${part.name}`} onValueChange={(value) => setPart(value.slice(1))}>
            <SelectTrigger id={`${id}-part`} data-size="sm" className="w-72">
              <SelectValue />
            </SelectTrigger>
            <SelectContent>
              {parts.map(({ name, samples }) => (
                <SelectItem key={name} value={`=${name}`}>
                  {`${name === '' ? '(no name)' : name}: ${samples.length} samples`}
                </SelectItem>
              ))}
            </SelectContent>
          </Select>
        </div>
      )}
      <div className="grid gap-4 @min-[48rem]/dock:grid-cols-2">
        {shown.map(({ kind, title, question }) => (
          <CheckFigure
            key={kind}
            source={sourceOf({ kind })}
            title={title}
            question={question}
            file={`deg_${kind.replaceAll('-', '_')}`}
          />
        ))}
        {gene !== undefined && (
          <CheckFigure
            source={sourceOf({ kind: 'sample-dots', gene })}
            title="One gene by sample"
            question="Do the samples agree, or does one sample make the difference?"
            file="deg_gene_by_sample"
          >
            <GeneField genes={genes} shown={gene} onChoose={setGene} />
          </CheckFigure>
        )}
      </div>
    </div>
  );
}

function testedGenes({ columns, rowCount }: TableColumns, group?: string): string[] {
  const [names, groups] = [textsOf(columns, 'names'), textsOf(columns, 'group')];
  const ps = numbersOf(columns, 'pvals');
  const genes: string[] = [];
  if (names === undefined || (group !== undefined && groups === undefined)) return genes;
  const code = groups?.categories.indexOf(group ?? '');
  for (let row = 0; row < rowCount; row++) {
    const isOfGroup = group === undefined || groups?.codes[row] === code;
    if (isOfGroup && !Number.isNaN(ps?.[row] ?? NaN)) genes.push(textAt(names, row));
  }
  return genes;
}

function selectedGene({ columns }: TableColumns, selected: ReadonlySet<number>): string | undefined {
  const [names, row] = [textsOf(columns, 'names'), [...selected].at(-1)];
  return names === undefined || row === undefined ? undefined : textAt(names, row);
}

interface GeneFieldProps {
  genes: readonly string[];
  shown: string;
  onChoose: (gene: string) => void;
}

function GeneField({ genes, shown, onChoose }: GeneFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const isUnknown = typed !== '' && !genes.includes(typed);
  return (
    <div className="w-40">
      <Input
        className="h-8 text-[13px]"
        list={id}
        aria-label="Gene by sample"
        aria-invalid={isUnknown}
        placeholder={shown}
        value={typed}
        onChange={({ target: { value } }) => {
          setTyped(value);
          if (genes.includes(value)) onChoose(value);
        }}
      />
      <datalist id={id}>
        {genes.slice(0, maxSuggestions).map((gene) => (
          <option key={gene} value={gene}>
            {gene}
          </option>
        ))}
      </datalist>
    </div>
  );
}

interface CheckFigureProps {
  source: FigureSource;
  title: string;
  question: string;
  file: string;
  children?: ReactNode;
}

function CheckFigure({ source, title, question, file, children }: CheckFigureProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-2 rounded-md border p-3">
      <div className="flex flex-wrap items-start gap-2">
        <div className="min-w-0 flex-1">
          <h3 id={id} className="text-sm font-medium">
            {title}
          </h3>
          <p className="text-muted text-xs">{question}</p>
        </div>
        {children}
        <DownloadFigure source={source} title={title} word={title.toLowerCase()} file={file} />
      </div>
      <DrawnFigure source={source} alt={`${title} of the samples`} word={title.toLowerCase()} />
    </section>
  );
}
