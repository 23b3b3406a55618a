import { Eye, EyeOff } from 'lucide-react';

const seen = [
  'The whole transcript: messages, thinking, tool calls with their results, plans',
  'What is said later, as long as the chat exists',
  'Images in the messages, and artifacts that the agent published',
];
const unseen = [
  'Other files, your other chats, who you are',
  'What the model keeps in its context, other versions of answers',
];

/** What whoever has the link can read, and what not. */
export function WhatIsSeen() {
  return (
    <div className="space-y-3 text-meta">
      <p className="text-muted">Whoever has the link can read this chat, without signing in. Nobody can write in it.</p>
      <List icon={<Eye size={15} strokeWidth={1.75} className="text-accent" />} label="Seen" items={seen} />
      <List icon={<EyeOff size={15} strokeWidth={1.75} className="text-faint" />} label="Not seen" items={unseen} />
    </div>
  );
}

function List({ icon, label, items }: { icon: React.ReactNode; label: string; items: readonly string[] }) {
  return (
    <ul aria-label={label} className="space-y-1">
      {items.map((item) => (
        <li key={item} className="flex items-start gap-2.5">
          <span aria-hidden className="mt-0.5 shrink-0">
            {icon}
          </span>
          {item}
        </li>
      ))}
    </ul>
  );
}
