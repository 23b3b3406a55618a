import { LongText } from './long-text';

/** What a person wrote, as written: line breaks kept, no Markdown. */
export function UserBubble({ text, author }: { text: string; author: string }) {
  return (
    <>
      {/* Outside of the text, whose direction is that of the first letter in it. */}
      <span className="sr-only">{author}: </span>
      {/* Without text only files were sent: they stand for themselves. */}
      {text !== '' && (
        <div
          dir="auto"
          className="max-w-[min(100%,36rem)] whitespace-pre-wrap rounded-card rounded-br-[3px] bg-user px-3.5 py-2 text-read [overflow-wrap:anywhere]"
        >
          <LongText text={text} />
        </div>
      )}
    </>
  );
}
