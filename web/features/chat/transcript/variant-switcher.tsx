import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { PagedMessage } from '../../../../server/domains/messages/schema';
import { IconButton } from '../../../components/button';
import { useChatActions } from '../chat-context';

/** ‹ 2 / 3 ›: the versions of a turn; nothing that was replaced is lost. */
export function VariantSwitcher({ variants }: { variants: PagedMessage['variants'] }) {
  const actions = useChatActions();
  if (variants === null || variants.branchIds.length < 2) return null;
  const { index, branchIds } = variants;
  const go = (to: number) => {
    const branchId = branchIds[to];
    if (branchId !== undefined) void actions.selectVariant(branchId);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a form's looks and meaning.
    <span role="group" aria-label="Versions" className="tabular inline-flex items-center text-small text-muted">
      <IconButton size="small" label="Previous version" disabled={index === 0} onClick={() => go(index - 1)}>
        <ChevronLeft size={15} />
      </IconButton>
      {index + 1} / {branchIds.length}
      <IconButton
        size="small"
        label="Next version"
        disabled={index === branchIds.length - 1}
        onClick={() => go(index + 1)}
      >
        <ChevronRight size={15} />
      </IconButton>
    </span>
  );
}
