import { createContext } from 'react';
import type { Definition } from '../parse/types';

/** What all parts of one message share. */
export interface MessageContext {
  definitions: ReadonlyMap<string, Definition>;
}

export const MarkdownContext = createContext<MessageContext>({ definitions: new Map() });
