import { createContext } from 'react';
import type { Definition } from '../parse/types';

/** What all parts of one message share. */
export interface MessageContext {
  definitions: ReadonlyMap<string, Definition>;
  /** Time the message's formulas have taken so far, added up as they are drawn. */
  mathTime: { spentMs: number };
}

export const MarkdownContext = createContext<MessageContext>({ definitions: new Map(), mathTime: { spentMs: 0 } });
