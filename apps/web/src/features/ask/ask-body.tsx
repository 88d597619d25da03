import { useId } from 'react';
import { ToggleGroup, ToggleGroupItem } from '@/components/ui/toggle-group.tsx';
import type { AskHost, AskWay, ShownQuestion } from './ask-host.ts';
import { AskHints, AskPanel, RulesNote } from './ask-panel.tsx';
import { ModelNote } from './model-consent.tsx';
import { type Model, modelName, useModelOffer } from './model-offer.ts';
import { ModelPanel } from './model-panel.tsx';
import { AnsweredPanel, QuestionHistory } from './question-history.tsx';

interface AskBodyProps {
  host: AskHost;
  /** The question that was put; null before. */
  shown: ShownQuestion | null;
  showsHints: boolean;
  way: AskWay;
  onWay: (way: AskWay) => void;
  onPut: (question: string, way?: AskWay) => void;
  onOpen: (id: string) => void;
  onClose: () => void;
}

/** Below the field: who answers, and the plan of the question or what can be asked. */
export function AskBody({ host, shown, showsHints, way, onWay, onPut, onOpen, onClose }: AskBodyProps) {
  const { model, refusal } = useModelOffer(host);
  const isModel = model !== undefined && way === 'model';
  return (
    <>
      {model && <WayChoice model={model} way={way} onWay={onWay} />}
      {shown !== null && 'id' in shown && (
        <AnsweredPanel key={shown.count} id={shown.id} host={host} onClose={onClose} />
      )}
      {shown !== null && 'way' in shown && shown.way === 'model' && model && (
        <ModelPanel
          key={shown.count}
          question={shown.text}
          count={shown.count}
          {...{ host, model, onClose }}
        />
      )}
      {shown !== null && 'way' in shown && shown.way === 'rules' && (
        <AskPanel
          key={shown.count}
          question={shown.text}
          onAskModel={() => onPut(shown.text, 'model')}
          {...{ host, onClose }}
        />
      )}
      {showsHints && (
        <AskHints host={host} onChoose={onPut}>
          {isModel && <QuestionHistory host={host} onOpen={onOpen} />}
          {isModel ? <ModelNote model={model} /> : <RulesNote />}
          {refusal !== undefined && <p className="text-muted px-1 text-xs">{refusal}</p>}
        </AskHints>
      )}
    </>
  );
}

function WayChoice({ model, way, onWay }: { model: Model; way: AskWay; onWay: (way: AskWay) => void }) {
  const id = useId();
  return (
    <div className="flex flex-wrap items-center gap-2 px-2 pb-2">
      <span id={id} className="sr-only">
        Who plans the steps
      </span>
      <ToggleGroup
        type="single"
        aria-labelledby={id}
        value={way}
        onValueChange={(next) => next !== '' && onWay(next as AskWay)}
      >
        <ToggleGroupItem value="rules" className="h-6 px-2 text-xs">
          By rules
        </ToggleGroupItem>
        <ToggleGroupItem value="model" className="h-6 px-2 text-xs">
          Ask the model
        </ToggleGroupItem>
      </ToggleGroup>
      <span className="text-muted min-w-0 flex-1 truncate text-xs" title={modelName(model)}>
        {modelName(model)}
      </span>
    </div>
  );
}
