import { X } from 'lucide-react';
import { IconButton } from '../components/button';
import { Modal } from '../components/modal';

const isMac = typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.userAgent);
const command = isMac ? '⌘' : 'Ctrl';

const shortcuts: [keys: string[], what: string][] = [
  [['Enter'], 'Send; while an answer runs, queue'],
  [['Shift', 'Enter'], 'New line'],
  [['Esc'], 'Stop the answer, when nothing is written'],
  [[command, 'Shift', 'O'], 'New chat'],
  [[command, 'Shift', 'S'], 'Show or hide the sidebar'],
  [[command, 'Shift', 'L'], 'Show or hide the side panel with the plan'],
  [['F2'], 'Rename the chat'],
  [['↑', '↓'], 'In the list: walk through the chats'],
  [['Delete'], 'In the list: delete a chat, with a minute to undo'],
  [[command, 'Enter'], 'Send an edited message'],
  [['Space'], 'In the plan: tick off a step'],
  [['Alt', '↑ ↓'], 'In the plan: move a step'],
  [['?'], 'This list'],
];

export function HelpDialog({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  return (
    <Modal
      isOpen={isOpen}
      onClose={onClose}
      label="Keyboard shortcuts"
      className="pop-in m-auto w-[min(28rem,calc(100vw-24px))] rounded-card border border-line p-0 shadow-pop"
    >
      <div className="p-5">
        <div className="mb-3 flex items-center justify-between">
          <h2 className="font-semibold text-read">Keyboard shortcuts</h2>
          <IconButton label="Close" onClick={onClose}>
            <X size={17} />
          </IconButton>
        </div>
        <dl className="divide-y divide-line">
          {shortcuts.map(([keys, what]) => (
            <div key={what} className="flex items-center justify-between gap-4 py-2 text-meta">
              <dt className="text-muted">{what}</dt>
              <dd className="flex shrink-0 gap-1">
                {keys.map((key) => (
                  <kbd
                    key={key}
                    className="min-w-6 rounded-[4px] border border-line bg-sunken px-1.5 py-px text-center font-sans text-small text-text"
                  >
                    {key}
                  </kbd>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </Modal>
  );
}
