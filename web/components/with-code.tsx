/** A sentence of ours in which names stand between backticks, as in messages of the server: set as code, without the marks. */
export function WithCode({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no identity but their place
      <code key={index} className="rounded-[4px] bg-hover px-1 py-px font-mono text-[0.92em]">
        {part}
      </code>
    ),
  );
}
