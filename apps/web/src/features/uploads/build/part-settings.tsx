import {
  type IntegrationChoice,
  integrationWords,
  type PartChoice,
  samplesDefaults,
} from '@cellfolio/contract';
import { Choice, ResolutionsField } from '../samples/samples-settings.tsx';
import { IntegrationField } from '../samples/integration-field.tsx';

interface PartSettingsProps {
  choice: PartChoice;
  columns: readonly string[];
  hint?: string;
  onChange: (choice: PartChoice) => void;
}

const whatItDoes =
  'Removes differences between the values of a column from the map and the clusters; counts do not change.';

export function PartSettings({ choice, columns, hint = whatItDoes, onChange }: PartSettingsProps) {
  const { integrate = samplesDefaults.integrate, batchColumn, resolutions } = choice;
  const offered = [...new Set([...columns, ...(batchColumn === undefined ? [] : [batchColumn])])];
  const change = (chosen: IntegrationChoice) =>
    onChange(
      chosen === 'none'
        ? { resolutions }
        : { resolutions, integrate: chosen, batchColumn: batchColumn ?? offered[0] },
    );
  return (
    <>
      <IntegrationField
        value={batchColumn === undefined ? 'none' : integrate}
        hint={hint}
        disabled={offered.length === 0}
        onChange={change}
      />
      {batchColumn !== undefined && (
        <Choice
          label="Batches"
          hint={`Its values are integrated by ${integrationWords[integrate].name}.`}
          value={batchColumn}
          options={offered.map((name) => [name, name])}
          onChange={(chosen) => onChange({ ...choice, batchColumn: chosen })}
        />
      )}
      <ResolutionsField
        resolutions={resolutions}
        onChange={(chosen) => onChange({ ...choice, resolutions: chosen })}
      />
    </>
  );
}
