import type { ReactNode } from 'react';
import { CopyButton } from './copy-button';

interface CodeFrameProps {
  name: string;
  /** What "Copy" copies. */
  text: string;
  tools?: ReactNode;
  children: ReactNode;
}

/** The frame around code and diagrams: name on the left, tools on the right. Code reads left to right in every script. */
export function CodeFrame({ name, text, tools, children }: CodeFrameProps) {
  return (
    <figure className="md-frame" dir="ltr">
      <figcaption className="md-frame-head">
        <span className="md-frame-name">{name}</span>
        <span className="md-frame-tools">
          {tools}
          <CopyButton text={text} label={`Copy ${name} code`} />
        </span>
      </figcaption>
      {children}
    </figure>
  );
}
