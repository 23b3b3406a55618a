/** A block of code with its language, copying and wrapping. */
export function CodeBlock({ text, info }: { text: string; info: string; isClosed: boolean }) {
  return (
    <div className="md-codeblock" dir="ltr">
      <div className="md-codeblock-head">{info}</div>
      <pre>
        <code>{text}</code>
      </pre>
    </div>
  );
}
