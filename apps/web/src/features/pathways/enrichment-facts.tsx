import { geneSetAttribution, type PathwayAnalysisAnswer } from '@cellfolio/contract';
import { Button } from '@/components/ui/button.tsx';
import { toast } from '@/components/ui/toast.ts';
import { copyText } from '@/lib/copy-text.ts';
import { ResultFacts } from '@/features/analyses/index.ts';
import { formatCount, plural } from '@/lib/format.ts';

export function EnrichmentFacts({ answer }: { answer: PathwayAnalysisAnswer }) {
  const { background, library, sets, not_found_genes: missing, not_in_background_genes: outside } = answer;
  const leftOut = missing.length + outside.length;
  return (
    <ResultFacts
      facts={answer.facts.filter(({ code }) => code !== 'background' && code !== 'sets')}
      line={
        <>
          <span className="font-medium">Background:</span> {formatCount(background.gene_count)}{' '}
          {backgroundWords[background.kind]} ·{' '}
          {leftOut === 0 ? 'all genes of the list tested' : `${plural(leftOut, 'gene')} of the list left out`}{' '}
          · {plural(sets.tested, 'set')} tested of {library.title} · {library.licence}
        </>
      }
    >
      <dt>Library</dt>
      <dd>
        {library.title}. {geneSetAttribution(library)}
      </dd>
      <dt>Background</dt>
      <dd>
        {background.description}.{thresholdWords(background)}
      </dd>
      <dt>Species</dt>
      <dd>{speciesWords(answer.species)}</dd>
      <dt>Gene sets</dt>
      <dd>{setWords(answer)}</dd>
      <GeneList title="Not in the dataset" genes={missing} />
      <GeneList title="Not in the background" genes={outside} />
    </ResultFacts>
  );
}

const backgroundWords: Record<PathwayAnalysisAnswer['background']['kind'], string> = {
  expressed: 'expressed genes',
  library: 'genes of the library',
  dataset: 'genes of the dataset, expressed or not',
  own: 'genes of your own list',
};

function GeneList({ title, genes }: { title: string; genes: readonly string[] }) {
  if (genes.length === 0) return null;
  const copy = async () => {
    try {
      await copyText(genes.join('\n'));
      toast.success('Genes Copied', { description: plural(genes.length, 'gene') });
    } catch {
      toast.error('The genes could not be copied', {
        description: 'Select and copy them with the keyboard.',
      });
    }
  };
  return (
    <>
      <dt>
        {title} ({formatCount(genes.length)})
      </dt>
      <dd>
        {genes.join(', ')}{' '}
        <Button variant="link" size="inline" className="text-xs" onClick={() => void copy()}>
          Copy
        </Button>
      </dd>
    </>
  );
}

function thresholdWords({
  minimum_share,
  minimum_cells,
  required_cells,
}: PathwayAnalysisAnswer['background']) {
  if (minimum_share === undefined || minimum_cells === undefined) return '';
  const share = Number((100 * minimum_share).toPrecision(6));
  return ` The threshold is ${share} % of the active cells and at least ${plural(minimum_cells, 'cell')}, so ${plural(required_cells ?? 0, 'cell')} here.`;
}

type SpeciesOf = PathwayAnalysisAnswer['species'];

function speciesWords({ dataset, library, orthologues }: SpeciesOf): string {
  const words = `Dataset: ${oneSpecies(dataset)}. Library: ${oneSpecies(library)}.`;
  if (orthologues === null) return `${words} Genes were compared by name.`;
  const { mapped, unmapped, merged, table, licence } = orthologues;
  return `${words} ${plural(mapped, 'gene')} mapped to orthologues by ${table} (licence: ${licence}), ${formatCount(unmapped)} without one left out, ${formatCount(merged)} counted together with another.`;
}

function oneSpecies({ species, by, matching, looked }: SpeciesOf['dataset']): string {
  if (by === 'request') return `${species ?? ''}, as you chose`;
  if (species === null) return 'unknown from the gene names';
  return `${species} (${formatCount(matching)} of ${formatCount(looked)} ${by === 'ids' ? 'ids' : 'symbols'})`;
}

function setWords({ sets, minimum_overlap: minimum }: PathwayAnalysisAnswer): string {
  const { library, dropped, shrunk, tested, below_minimum_overlap: below } = sets;
  return `${plural(library, 'set')} in the library; ${formatCount(dropped)} have no gene in the background, ${formatCount(shrunk)} lost some. ${formatCount(tested)} share a gene with the list and count in the adjustment of the p-values; ${formatCount(below)} of them share fewer than ${minimum} and are not reported.`;
}
