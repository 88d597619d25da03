import { maxRankingLines } from '@cellfolio/contract';
import { useId } from 'react';
import { Field, Input, Label, Textarea } from '@/components/ui/form.tsx';
import { formatCount } from '@/lib/format.ts';

interface RankingFieldProps {
  label: string;
  /** Lines of genes and numbers. */
  text: string;
  name: string;
  onChange: (change: { text?: string; name?: string }) => void;
}

/** Genes and numbers of the user, pasted or from a file, and their name. */
export function RankingField({ label, text, name, onChange }: RankingFieldProps) {
  const id = useId();
  const { genes, problem } = rankingOf(text);
  const read = async (file: File | undefined) => {
    if (file) onChange({ text: await file.text(), name: file.name.replace(/\.[^.]*$/, '') });
  };
  return (
    <>
      <Field
        label={label}
        hint={
          problem === undefined
            ? `${formatCount(genes.length)} lines.`
            : 'One line per gene: its name and a number, separated by a tab, comma or space.'
        }
        error={text.trim() === '' ? undefined : problem}
      >
        {(control) => (
          <Textarea
            {...control}
            value={text}
            placeholder={'CD3D\t4.2\nMS4A1\t-3.1'}
            spellCheck={false}
            className="max-h-48 min-h-24 font-mono text-[13px]"
            onChange={(event) => onChange({ text: event.target.value })}
          />
        )}
      </Field>
      <div className="flex flex-col gap-1.5">
        <Label htmlFor={id} className="text-xs">
          Or a file of two columns (.rnk, .csv, .tsv)
        </Label>
        <Input
          id={id}
          type="file"
          accept=".rnk,.csv,.tsv,.txt"
          className="h-9 py-1.5 text-[13px]"
          onChange={(event) => void read(event.target.files?.[0])}
        />
      </div>
      <Field label="Name of the Ranking" className="[&_label]:text-xs">
        {(control) => (
          <Input
            {...control}
            maxLength={200}
            value={name}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}

/** Cache of the last parsed text: several functions read it at each keystroke. */
let last: { text: string; read: ReadRanking } = { text: '', read: readRanking('') };

export function rankingOf(text: string): ReadRanking {
  if (last.text !== text) last = { text, read: readRanking(text) };
  return last.read;
}

/** The lines of a ranking. */
export function rankingText(genes: readonly string[], values: readonly (number | null)[]): string {
  return genes.map((gene, at) => `${gene}\t${values[at] ?? 'NA'}`).join('\n');
}

export interface ReadRanking {
  genes: string[];
  /** One per gene; null if the line has none. */
  values: (number | null)[];
  problem?: string;
}

const missingWords = new Set(['', 'na', 'nan', 'null', 'none', '-', '.']);

/**
 * Reads two columns, gene and number, separated by tabs, semicolons, commas or blanks. Skips comments (`#`) and a
 * heading.
 */
export function readRanking(text: string): ReadRanking {
  const genes: string[] = [];
  const values: (number | null)[] = [];
  const failed = (problem: string): ReadRanking => ({ genes, values, problem });
  let at = 0;
  for (const line of text.split(/\r\n?|\n/)) {
    at++;
    if (line.trim() === '' || line.startsWith('#')) continue;
    const cells = cellsOf(line);
    const [gene = '', written = ''] = cells;
    const where = `Line ${at.toLocaleString('en-US')}`;
    if (cells.length > 2)
      return failed(`${where} has ${cells.length} columns: keep only the gene and its number.`);
    const isMissing = cells.length === 2 && missingWords.has(written.toLowerCase());
    const value = isMissing ? null : numberOf(written);
    if (value === undefined) {
      // The first line may be a heading.
      if (genes.length === 0 && cells.length === 2 && at <= 5 && !/\d/.test(written)) continue;
      return failed(
        cells.length < 2
          ? `${where} has no number after the gene.`
          : `${where}: “${written.slice(0, 40)}” is not a number.`,
      );
    }
    if (gene === '') return failed(`${where} has no gene.`);
    if (genes.length === maxRankingLines) {
      return failed(`A ranking can have at most ${maxRankingLines.toLocaleString('en-US')} lines.`);
    }
    genes.push(gene);
    values.push(value);
  }
  if (values.filter((value) => value !== null).length < 2) {
    return failed('A ranking needs at least two genes with a number.');
  }
  return { genes, values };
}

function cellsOf(line: string): string[] {
  const divider = line.includes('\t') ? '\t' : line.includes(';') ? ';' : line.includes(',') ? ',' : /\s+/;
  // A tab at the end stands before a number that is missing.
  return (typeof divider === 'string' ? line : line.trim())
    .split(divider)
    .map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
}

function numberOf(written: string): number | undefined {
  const value = Number(written.replace(',', '.').replace('−', '-'));
  return written === '' || !Number.isFinite(value) ? undefined : value;
}
