import { ChevronDown } from 'lucide-react';
import { Fragment } from 'react';
import type { ConnectionState } from '../../../../server/providers/types';
import {
  Menu,
  MenuContent,
  MenuLabel,
  MenuRadioGroup,
  MenuRadioItem,
  MenuSeparator,
  MenuTrigger,
} from '../../../components/menu';
import { WithCode } from '../../../components/with-code';
import { cx } from '../../../lib/class-names';
import { formatCount } from '../../../lib/format';
import { useModels } from '../../../lib/use-models';

interface ModelPickerProps {
  /** `connection/model`; null follows the default. */
  value: string | null;
  onPick(model: string | null): void;
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
}

/** Stands for "no own model" in the menu, where a value must be a string. */
const DEFAULT = '';

/** Which model answers. Connections that cannot be reached stay listed, with the reason. */
export function ModelPicker({ value, onPick, isOpen, onOpenChange }: ModelPickerProps) {
  const { data, refetch } = useModels();
  const current = value ?? data?.defaultModelId ?? null;
  const isWaiting = current === null && data?.waitsFor != null;
  const kind = data?.connections.find((connection) => connection.id === current?.split('/')[0])?.kind;
  return (
    <Menu
      modal={false}
      open={isOpen}
      onOpenChange={(next) => {
        // Endpoints come and go: the list is read again each time it is looked at.
        if (next) void refetch();
        onOpenChange(next);
      }}
    >
      <MenuTrigger asChild>
        <button
          type="button"
          aria-label={current === null ? 'Choose a model' : `Model: ${modelName(current)}`}
          className="flex h-8 min-w-0 items-center gap-1.5 rounded-control px-2 text-meta text-muted hover:bg-hover hover:text-text data-[state=open]:bg-hover"
        >
          <span className={cx('truncate', isWaiting && 'text-warning')}>
            {current !== null ? modelName(current) : isWaiting ? 'Not reachable' : 'Model'}
          </span>
          {kind === 'demo' && <DemoTag />}
          <ChevronDown size={14} aria-hidden className="shrink-0 text-faint" />
        </button>
      </MenuTrigger>
      <MenuContent side="top" align="start" className="w-80">
        <MenuRadioGroup value={value ?? DEFAULT} onValueChange={(next) => onPick(next === DEFAULT ? null : next)}>
          <MenuRadioItem value={DEFAULT}>
            <span className="flex min-w-0 flex-1 items-baseline justify-between gap-3">
              Default
              <span className="truncate text-faint text-small">
                {data && (data.defaultModelId === null ? 'not reachable' : modelName(data.defaultModelId))}
              </span>
            </span>
          </MenuRadioItem>
          {data?.connections.map((connection) => (
            <Fragment key={connection.id}>
              <MenuSeparator />
              <ConnectionModels connection={connection} />
            </Fragment>
          ))}
        </MenuRadioGroup>
      </MenuContent>
    </Menu>
  );
}

function ConnectionModels({ connection }: { connection: ConnectionState }) {
  const isConnected = connection.state === 'connected';
  return (
    <>
      <MenuLabel className="flex items-center gap-2">
        <span aria-hidden className={cx('size-1.5 rounded-full', isConnected ? 'bg-done' : 'bg-line-strong')} />
        <span className="font-medium text-muted">{connection.label}</span>
        <span className="truncate">{connection.address}</span>
      </MenuLabel>
      {!isConnected && (
        <p className="px-2 pb-1.5 pl-[22px] text-small text-muted">
          <WithCode text={connection.reason ?? 'Cannot be reached.'} />
        </p>
      )}
      {isConnected && connection.models.length === 0 && (
        <p className="px-2 pb-1.5 pl-[22px] text-small text-muted">No models there yet.</p>
      )}
      {connection.models.map((model) => (
        <MenuRadioItem key={model.id} value={model.id} disabled={!isConnected}>
          <span className="flex min-w-0 flex-1 items-baseline justify-between gap-3">
            <span className="truncate">{model.name}</span>
            {connection.kind === 'demo' ? (
              <DemoTag />
            ) : (
              model.advertisedWindowTokens !== null && (
                <span className="tabular shrink-0 text-faint text-small">
                  {formatCount(model.advertisedWindowTokens)} tokens
                </span>
              )
            )}
          </span>
        </MenuRadioItem>
      ))}
    </>
  );
}

function DemoTag() {
  return (
    <span className="shrink-0 rounded-[4px] bg-warning-soft px-1.5 py-px text-[0.6875rem] font-medium text-warning">
      demo
    </span>
  );
}

/** `ollama/qwen3:8b` → `qwen3:8b`. */
export const modelName = (id: string): string => id.slice(id.indexOf('/') + 1);
