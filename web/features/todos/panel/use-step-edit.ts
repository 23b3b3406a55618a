import { useCallback, useEffect, useRef, useState } from 'react';
import type { PlanStore } from '../plan/plan-store';
import { idNow } from '../plan/state';
import type { PlanActions } from '../plan/use-plan-actions';
import type { StepEdit } from './step-row';

/** The one step that is being edited. Whatever becomes of the step meanwhile, what the person wrote is kept. */
export function useStepEdit(store: PlanStore, actions: PlanActions, onRescue: (text: string) => void) {
  const [edit, setEdit] = useState<StepEdit | null>(null);
  const written = useRef<string | null>(null);

  const open = useCallback((stepId: string, field: StepEdit['field']) => {
    written.current = null;
    setEdit({ stepId, field, draft: null, notice: null });
  }, []);

  const close = useCallback((stepId: string) => {
    written.current = null;
    setEdit((now) => (now?.stepId === stepId ? null : now));
  }, []);

  const save = useCallback(
    async ({ stepId, field }: StepEdit, text: string) => {
      const seen = store.getState().tasks;
      close(stepId);
      // A step without a text is no step; a note can be taken away.
      if (field === 'text' && text === '') return;
      const changes = field === 'text' ? { text } : { note: text === '' ? null : text };
      const outcome = await actions.edit(stepId, changes, seen);
      if (outcome.kind === 'done') {
        actions.tell(outcome);
        return;
      }
      if (!isThere(store, stepId)) {
        onRescue(text);
        return;
      }
      if (outcome.kind === 'failed') actions.tell(outcome);
      const notice =
        outcome.kind === 'conflict'
          ? 'This step was changed meanwhile. Enter saves yours, Esc keeps theirs.'
          : 'Not saved yet. Enter tries again.';
      written.current = text;
      setEdit({ stepId, field, draft: text, notice });
    },
    [store, actions, close, onRescue],
  );

  // The step can go away under the editor.
  useEffect(() => {
    if (edit === null) return;
    return store.subscribe(() => {
      if (isThere(store, edit.stepId)) return;
      const text = written.current?.trim() ?? '';
      written.current = null;
      setEdit(null);
      if (text !== '') onRescue(text);
    });
  }, [store, edit, onRescue]);

  const write = useCallback((text: string) => {
    written.current = text;
  }, []);

  return { edit, open, close, save, write };
}

function isThere(store: PlanStore, stepId: string): boolean {
  const state = store.getState();
  return state.tasks.some((step) => step.id === idNow(state, stepId));
}
