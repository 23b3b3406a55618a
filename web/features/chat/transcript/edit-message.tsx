import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../components/button';
import { isComposing } from '../../../lib/is-composing';

interface EditMessageProps {
  text: string;
  isBusy: boolean;
  onSave(text: string): void;
  onCancel(): void;
}

/** The inline editor of a sent message. Esc leaves it, Ctrl or Cmd with Enter sends. */
export function EditMessage({ text, isBusy, onSave, onCancel }: EditMessageProps) {
  const [value, setValue] = useState(text);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // Newer browsers answer with a promise, which an effect must not return.
    void form.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const isEmpty = value.trim() === '';
  return (
    <form
      ref={form}
      className="rounded-card border border-line-strong bg-raised p-2 shadow-composer"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty) onSave(value);
      }}
    >
      <textarea
        aria-label="Edit your message"
        dir="auto"
        value={value}
        // biome-ignore lint/a11y/noAutofocus: the person has just asked to edit.
        autoFocus
        onFocus={(event) => event.currentTarget.setSelectionRange(text.length, text.length)}
        onChange={(event) => setValue(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (isComposing(event)) return;
          if (event.key === 'Escape') onCancel();
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }
        }}
        className="field-sizing-content block max-h-[40dvh] min-h-20 w-full resize-none bg-transparent px-2 py-1 text-read outline-none"
      />
      <div className="flex flex-wrap items-center justify-between gap-2 pt-1">
        <p className="px-2 text-small text-faint">The version before stays reachable with ‹ ›.</p>
        <div className="ml-auto flex gap-2">
          <Button look="quiet" onClick={onCancel}>
            Cancel
          </Button>
          <Button look="primary" type="submit" disabled={isBusy || isEmpty}>
            Send
          </Button>
        </div>
      </div>
    </form>
  );
}
