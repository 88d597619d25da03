import { useMemo } from 'react';
import { Field, Textarea } from '@/components/ui/form.tsx';
import { GeneListMenu } from '@/features/gene-lists/index.ts';
import { plural } from '@/lib/format.ts';

interface GenesFieldProps {
  label: string;
  /** Follows the number of genes. */
  hint: string | undefined;
  /** Why the genes cannot be sent. */
  problem: string | undefined;
  text: string;
  onChange: (text: string) => void;
}

/** Genes as a text, or from the gene lists of the user. */
export function GenesField({ label, hint, problem, text, onChange }: GenesFieldProps) {
  const genes = useMemo(() => readGeneList(text), [text]);
  return (
    <div className="relative">
      <Field
        label={label}
        hint={`${plural(genes.length, 'unique gene')}.${hint === undefined ? '' : ` ${hint}`}`}
        error={text === '' ? undefined : problem}
      >
        {(control) => (
          <Textarea
            {...control}
            value={text}
            placeholder="CD3D, CD3E, LCK, CD2"
            spellCheck={false}
            autoCapitalize="characters"
            className="max-h-48 min-h-20 text-[13px]"
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
      <div className="absolute -top-1 right-0">
        <GeneListMenu
          label={label}
          genes={genes}
          onChoose={(list) => onChange([...new Set([...genes, ...list.genes])].join(', '))}
        />
      </div>
    </div>
  );
}

/** Unique genes of a text, trimmed and upper-cased, in order. */
export function readGeneList(text: string): string[] {
  return [
    ...new Set(
      text
        .split(/[\s,;]+/)
        .map((gene) => gene.trim().toUpperCase())
        .filter((gene) => gene !== ''),
    ),
  ];
}
