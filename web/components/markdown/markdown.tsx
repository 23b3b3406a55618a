interface MarkdownProps {
  text: string;
  isStreaming: boolean;
}

/** Placeholder until the real renderer is merged. */
export function Markdown({ text }: MarkdownProps) {
  return <div className="whitespace-pre-wrap break-words">{text}</div>;
}
