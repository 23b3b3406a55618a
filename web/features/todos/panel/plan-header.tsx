import { Copy, Ellipsis, Route, Trash2 } from 'lucide-react';
import { useLocation } from 'wouter';
import { IconButton } from '../../../components/button';
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '../../../components/menu';
import { copyText } from '../../../lib/save-file';
import { showFailure, showToast } from '../../../lib/toast';
import { RevisionHistory } from '../history/revision-history';
import { usePlanState } from '../plan/use-plan';
import type { PlanActions } from '../plan/use-plan-actions';
import { planAsMarkdown, progressOf, progressWords } from '../plan/words';
import { ProgressBar } from './progress-bar';

/** `4 / 9 done`, the bar, the history, what concerns the whole plan. Its height is the same in every state. */
export function PlanHeader({ actions, isReadOnly }: { actions: PlanActions; isReadOnly: boolean }) {
  const [, navigate] = useLocation();
  const sessionId = usePlanState((state) => state.sessionId);
  const tasks = usePlanState((state) => state.tasks);
  const hasHistory = usePlanState((state) => (state.snapshot?.revision ?? 0) > 0);
  const isKnown = usePlanState((state) => state.snapshot !== null);
  const progress = progressOf(tasks);
  const icon = { size: 15, strokeWidth: 1.75 };
  const copy = async () => {
    if (await copyText(planAsMarkdown(tasks))) showToast('The plan was copied as Markdown');
    else showFailure('The browser did not allow copying.');
  };
  return (
    <div className="shrink-0 px-4 pb-2">
      <div className="flex h-9 items-center gap-1">
        <p className="tabular min-w-0 flex-1 truncate text-meta text-muted">
          {progress.total > 0 ? progressWords(progress) : isKnown && (isReadOnly ? 'There was no plan' : 'No plan yet')}
        </p>
        {hasHistory && <RevisionHistory actions={actions} isReadOnly={isReadOnly} />}
        {isKnown && (
          <Menu modal={false}>
            <MenuTrigger asChild>
              <IconButton label="Actions for the plan" title="Actions" size="small">
                <Ellipsis size={16} />
              </IconButton>
            </MenuTrigger>
            <MenuContent align="end">
              <MenuItem icon={<Route {...icon} />} onSelect={() => navigate(`/s/${sessionId}/planning`)}>
                How it was planned
              </MenuItem>
              {progress.total > 0 && (
                <MenuItem icon={<Copy {...icon} />} onSelect={() => void copy()}>
                  Copy as Markdown
                </MenuItem>
              )}
              {progress.total > 0 && !isReadOnly && (
                <>
                  <MenuSeparator />
                  <MenuItem icon={<Trash2 {...icon} />} isDanger onSelect={() => void actions.clear()}>
                    Clear the plan
                  </MenuItem>
                </>
              )}
            </MenuContent>
          </Menu>
        )}
      </div>
      <ProgressBar progress={progress} />
    </div>
  );
}
