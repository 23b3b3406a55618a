import { Fragment, memo, type ReactNode, use } from 'react';
import { LazyMath } from '../math/lazy-math';
import { parseInlines } from '../parse/inlines';
import type { Inline } from '../parse/types';
import { findSafeHref } from './addresses';
import { MarkdownContext } from './context';
import { GrowingText } from './growing-text';
import { MessageImage } from './remote-image';

/** Text of one block longer than this is shown as written: inline marks in it are not worth a frozen page. */
const MAX_INLINE_LENGTH = 60_000;
/** The inline content of one block. Parsed here, so that only blocks on the page cost anything. */
export const InlineView = memo(function InlineView({ text, isOpenEnded }: { text: string; isOpenEnded: boolean }) {
  const { definitions } = use(MarkdownContext);
  if (text.length > MAX_INLINE_LENGTH) return text;
  const inlines = parseInlines(text, { definitions, isOpenEnded });
  return renderInlines(inlines, isOpenEnded);
});

function renderInlines(inlines: Inline[], isGrowing = false): ReactNode {
  return inlines.map((inline, index) => {
    const isLast = index === inlines.length - 1;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no identity but their place
      <Fragment key={index}>
        {isGrowing && isLast && inline.type === 'text' ? <GrowingText text={inline.text} /> : renderInline(inline)}
      </Fragment>
    );
  });
}

function renderInline(inline: Inline): ReactNode {
  switch (inline.type) {
    case 'text':
      return inline.text;
    case 'break':
      return <br />;
    case 'code':
      return (
        <code className="md-code" dir="ltr">
          {inline.text}
        </code>
      );
    case 'wrap':
      return <inline.tag>{renderInlines(inline.children)}</inline.tag>;
    case 'image':
      return <MessageImage href={inline.href} alt={inline.alt} title={inline.title} />;
    case 'math':
      return (
        <LazyMath text={inline.text} source={inline.source} isDisplay={inline.isDisplay} isPending={!inline.isClosed} />
      );
    case 'link': {
      const children = renderInlines(inline.children);
      const href = inline.href === null ? null : findSafeHref(inline.href);
      if (href === null)
        return <span className={inline.href === null ? 'md-link-pending' : undefined}>{children}</span>;
      return (
        <a href={href} title={inline.title ?? undefined} target="_blank" rel="noopener noreferrer nofollow">
          {children}
        </a>
      );
    }
  }
}
