import type { CoExpressionAnswer } from '@cellfolio/contract';
import { ResultFacts } from '@/features/analyses/index.ts';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table.tsx';
import { formatCount, plural } from '@/lib/format.ts';

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const hubsNamed = 8;

export function CoExpressionFacts({ answer }: { answer: CoExpressionAnswer }) {
  const { modules, genes, cells, parameters, threshold, shuffled } = answer;
  const inModules = modules.reduce((sum, module) => sum + module.genes.length, 0);
  return (
    <ResultFacts
      facts={answer.facts}
      line={
        <>
          <span className="font-medium">{plural(modules.length, 'module')}</span> of{' '}
          {plural(inModules, 'gene')} · {formatCount(genes.passing)} of {plural(genes.tested, 'gene')} with
          local autocorrelation · {plural(cells.analysed, 'cell')}
        </>
      }
    >
      <dt>Modules</dt>
      <dd>{modules.length === 0 ? 'none' : <ModuleTable answer={answer} />}</dd>
      <dt>Values</dt>
      <dd>{answer.model}</dd>
      <dt>Neighbourhoods</dt>
      <dd>{answer.neighbors}</dd>
      <dt>Genes</dt>
      <dd>
        local autocorrelation as in Hotspot, adjusted p &lt; {parameters.fdr}; pairs of the{' '}
        {formatCount(genes.paired)} with the highest Z, at most {formatCount(parameters.max_genes)}
      </dd>
      {shuffled !== null && (
        <>
          <dt>Null</dt>
          <dd>
            p-values allow for the skewness of Z under the null; of {plural(shuffled.genes, 'gene')} with
            values shuffled over the cells {shuffled.shuffles} times, p &lt; 0.05 in {percent(shuffled.below)}{' '}
            ({percent(shuffled.below_as_normal)} if Z is assumed normal, as in Hotspot); Z has a standard
            deviation of {shuffled.deviation.toFixed(2)}
          </dd>
        </>
      )}
      <dt>Cut</dt>
      <dd>
        average linkage down to a local correlation of Z {threshold.toFixed(2)}; at least{' '}
        {parameters.min_module_genes} genes a module, cores only
      </dd>
    </ResultFacts>
  );
}

function ModuleTable({ answer: { modules, samples } }: { answer: CoExpressionAnswer }) {
  const share = (value: number | null) => (value === null ? '–' : `${(100 * value).toFixed(0)} %`);
  return (
    <Table aria-label="Modules">
      <TableHeader>
        <TableRow>
          <TableHead>Module</TableHead>
          <TableHead className="text-right">Genes</TableHead>
          <TableHead>Hub genes</TableHead>
          <TableHead className="text-right">Correlation with depth</TableHead>
          {samples !== null && <TableHead className="text-right">Between samples</TableHead>}
          <TableHead className="text-right">Mitochondrial</TableHead>
          <TableHead className="text-right">Ribosomal</TableHead>
        </TableRow>
      </TableHeader>
      <TableBody className="tabular-nums">
        {modules.map((module) => (
          <TableRow key={module.name}>
            <TableCell>{module.name}</TableCell>
            <TableCell className="text-right">{formatCount(module.genes.length)}</TableCell>
            <TableCell className="italic">{module.genes.slice(0, hubsNamed).join(', ')}</TableCell>
            <TableCell className="text-right">
              {module.depth_correlation === null
                ? '–'
                : module.depth_correlation.toFixed(2).replace('-', '−')}
            </TableCell>
            {samples !== null && <TableCell className="text-right">{share(module.samples_share)}</TableCell>}
            <TableCell className="text-right">{share(module.mitochondrial_share)}</TableCell>
            <TableCell className="text-right">{share(module.ribosomal_share)}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
