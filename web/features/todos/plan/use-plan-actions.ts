import { useMemo } from 'react';
import type {
  PlanStep,
  StepChanges,
  StepDraft,
  StepStatus,
  TodoSnapshot,
} from '../../../../server/domains/todos/schema';
import { wordsForError } from '../../../lib/error-words';
import { newId } from '../../../lib/ids';
import { showFailure, showToast } from '../../../lib/toast';
import type { PlanOperation, Tasks } from './operations';
import type { ChangeOutcome, PlanStore } from './plan-store';
import { usePlan } from './use-plan';

const UNDO_MS = 20_000;

export type PlanActions = ReturnType<typeof createPlanActions>;

/** What a person can do to a plan. Shown at once, put back when refused; only what went otherwise than expected speaks. */
export function usePlanActions(): PlanActions {
  const { store } = usePlan();
  return useMemo(() => createPlanActions(store), [store]);
}

function createPlanActions(store: PlanStore) {
  const tell = (outcome: ChangeOutcome): boolean => {
    if (outcome.kind === 'failed') showFailure(wordsForError(outcome.error));
    if (outcome.kind === 'conflict') {
      showFailure('The plan was changed meanwhile. This is how it stands now; nothing of yours was written over it.');
    }
    if (outcome.kind === 'done' && outcome.isRebased) {
      showToast('The plan was changed meanwhile. Your change went into the new version.');
    }
    return outcome.kind === 'done';
  };
  const change = async (operation: PlanOperation, seen?: Tasks) => tell(await store.change(operation, seen));
  const tasks = () => store.getState().tasks;

  /** Back to the version before, exactly, while nobody has changed anything since; otherwise `fallback` adds what is missing. */
  const takeBack = async (before: TodoSnapshot, after: TodoSnapshot, fallback: () => PlanOperation) => {
    if (store.getState().snapshot?.revision === after.revision) {
      const outcome = await store.change({ kind: 'restore', revision: before.revision, tasks: before.tasks });
      if (outcome.kind === 'done') return;
    }
    await change(fallback());
  };
  const offerUndo = (words: string, undo: () => Promise<unknown>) =>
    showToast(words, { duration: UNDO_MS, action: { label: 'Undo', onClick: () => void undo() } });

  return {
    add: (text: string) => change({ kind: 'add', temporaryId: `new-${newId()}`, draft: { text } }),
    /** Several at once, as a pasted list has them. Answers those that were not taken. */
    async addAll(texts: readonly string[]): Promise<string[]> {
      const outcomes = await Promise.all(
        texts.map((text) => store.change({ kind: 'add', temporaryId: `new-${newId()}`, draft: { text } })),
      );
      const refused = outcomes.find(({ kind }) => kind !== 'done');
      if (refused !== undefined) tell(refused);
      const added = outcomes.flatMap((outcome) => {
        if (outcome.kind !== 'done') return [];
        const known = new Set(outcome.before.tasks.map(({ id }) => id));
        return outcome.after.tasks.filter(({ id }) => !known.has(id)).map(({ id }) => id);
      });
      if (added.length > 0) {
        offerUndo(`Added ${added.length} steps`, async () => {
          for (const stepId of added) await change({ kind: 'remove', stepId });
        });
      }
      return texts.filter((_text, at) => outcomes[at]?.kind !== 'done');
    },
    /** `seen`: the list that the person had before their eyes. Conflicts are the caller's to tell: they keep the text. */
    edit: (stepId: string, changes: StepChanges, seen: Tasks) =>
      store.change({ kind: 'update', stepId, changes }, seen),
    tell,
    setStatus: (stepId: string, status: StepStatus) => change({ kind: 'update', stepId, changes: { status } }),
    setPriority: (stepId: string, priority: PlanStep['priority']) =>
      change({ kind: 'update', stepId, changes: { priority } }),
    /** `index` is 0-based, in the list as it is afterwards. Answers whether there was anything to move. */
    move(stepId: string, index: number): boolean {
      const now = tasks();
      const from = now.findIndex((step) => step.id === stepId);
      if (from === -1 || index === from || index < 0 || index >= now.length) return false;
      const others = now.filter((step) => step.id !== stepId);
      void change({ kind: 'move', stepId, afterId: index === 0 ? null : (others[index - 1]?.id ?? null) });
      return true;
    },
    async remove(step: PlanStep) {
      const now = tasks();
      const afterId = now[now.findIndex((other) => other.id === step.id) - 1]?.id ?? null;
      const outcome = await store.change({ kind: 'remove', stepId: step.id });
      if (!tell(outcome) || outcome.kind !== 'done') return;
      const { before, after } = outcome;
      offerUndo(`Removed “${shorten(step.text)}”`, () =>
        takeBack(before, after, () => ({ kind: 'add', temporaryId: `new-${newId()}`, draft: draftOf(step), afterId })),
      );
    },
    async clear() {
      const outcome = await store.change({ kind: 'clear' });
      if (!tell(outcome) || outcome.kind !== 'done') return;
      const { before, after } = outcome;
      offerUndo('The plan was cleared', () =>
        takeBack(before, after, () => ({
          kind: 'set',
          drafts: [...before.tasks.map(draftOf), ...tasks().map((step) => ({ ...draftOf(step), id: step.id }))],
        })),
      );
    },
    async restore(revision: number, restored: Tasks, when: string) {
      const outcome = await store.change({ kind: 'restore', revision, tasks: restored });
      if (!tell(outcome) || outcome.kind !== 'done') return;
      const { before, after } = outcome;
      offerUndo(`The version of ${when} is back`, async () => {
        if (store.getState().snapshot?.revision !== after.revision) {
          showFailure('The plan was changed since. The version before is in its history.');
          return;
        }
        await change({ kind: 'restore', revision: before.revision, tasks: before.tasks });
      });
    },
  };
}

const draftOf = ({ text, status, priority, validation, note }: PlanStep): StepDraft => ({
  text,
  status,
  priority,
  validation,
  note,
});

const shorten = (text: string): string => (text.length > 40 ? `${text.slice(0, 39)}…` : text);
