import { Plus } from 'lucide-react';
import { useState } from 'react';
import { isComposing } from '../../../lib/is-composing';
import { usePlan } from '../plan/use-plan';
import type { PlanActions } from '../plan/use-plan-actions';
import { pastedSteps } from './pasted-steps';
import { MAX_STEP_CHARS } from './step-field';

interface AddStepProps {
  actions: PlanActions;
  placeholder: string;
  /** A text whose step went away while it was being edited. Another value comes with another key. */
  rescued: string | null;
  onAdded(): void;
  onArrow(): void;
}

/**
 * Adds a step at the end: Enter adds and stays, for the next one; a list that is pasted into the empty field is added step
 * by step. What was not taken comes back into the field.
 */
export function AddStep({ actions, placeholder, rescued, onAdded, onArrow }: AddStepProps) {
  const { drafts } = usePlan();
  const [text, setText] = useState(() => [drafts.add, rescued ?? ''].filter((part) => part !== '').join(' '));
  const write = (next: string) => {
    drafts.add = next;
    setText(next);
  };
  const add = async () => {
    const step = text.trim();
    if (step === '') return;
    write('');
    if (await actions.add(step)) return onAdded();
    write(drafts.add === '' ? step : `${step} ${drafts.add}`);
  };
  const addAll = async (steps: readonly string[]) => {
    const left = await actions.addAll(steps);
    if (left.length < steps.length) onAdded();
    if (left.length > 0) write([...left, drafts.add].filter((part) => part !== '').join('\n'));
  };
  return (
    <form
      className="flex items-start gap-2 rounded-control px-2 py-0.5 text-faint focus-within:bg-hover hover:bg-hover"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <span className="inline-flex size-6 shrink-0 items-center justify-center" aria-hidden>
        <Plus size={16} strokeWidth={1.75} />
      </span>
      <textarea
        aria-label="Add a step"
        placeholder={placeholder}
        dir="auto"
        rows={1}
        maxLength={MAX_STEP_CHARS}
        value={text}
        // biome-ignore lint/a11y/noAutofocus: only when a text was saved from a step that went away.
        autoFocus={rescued !== null}
        onChange={(event) => write(event.currentTarget.value)}
        onPaste={(event) => {
          const steps = text === '' ? pastedSteps(event.clipboardData.getData('text/plain')) : null;
          if (steps === null) return;
          event.preventDefault();
          void addAll(steps);
        }}
        onKeyDown={(event) => {
          if (isComposing(event)) return;
          if (event.key === 'Enter' && !event.shiftKey) {
            event.preventDefault();
            void add();
          }
          if (event.key === 'ArrowUp' && text === '') onArrow();
        }}
        className="field-sizing-content max-h-40 min-h-6 min-w-0 flex-1 resize-none bg-transparent py-[3px] text-meta text-text outline-none placeholder:text-faint"
      />
    </form>
  );
}
