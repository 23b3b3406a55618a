import type { Message } from '../../messages/schema';
import { toUnits, type Unit } from './units';

/** One user message and everything up to the next one. Messages before the first user message are a turn without one. */
export interface Turn {
  /** Null for what stands before the first user message. */
  request: Message | null;
  /** All units, the request's own among them. */
  units: Unit[];
}

/** A context taken apart. */
export interface GroupedContext {
  /** Summaries of earlier compressions. They have role user and start no turn (product §1). */
  summaries: Message[];
  /** Excerpts that memory recall brought in: dropped when old, their chunks may be recalled again (product §2). */
  recalls: Message[];
  turns: Turn[];
}

export const isMemoryRecall = (message: Message): boolean => message.metadata.source === 'memory_recall';

/** Groups a context, in context order, into turns. Every message lands in exactly one place. */
export function groupTurns(context: readonly Message[]): GroupedContext {
  const grouped: GroupedContext = { summaries: [], recalls: [], turns: [] };
  const rest: Message[] = [];
  for (const message of context) {
    if (message.isSummary) grouped.summaries.push(message);
    else if (isMemoryRecall(message)) grouped.recalls.push(message);
    else rest.push(message);
  }
  for (const unit of toUnits(rest)) {
    const [first] = unit.messages;
    const current = grouped.turns[grouped.turns.length - 1];
    if (first?.role === 'user') grouped.turns.push({ request: first, units: [unit] });
    else if (current === undefined) grouped.turns.push({ request: null, units: [unit] });
    else current.units.push(unit);
  }
  return grouped;
}

/** All messages of a turn, unit by unit. */
export function turnMessages(turn: Turn): Message[] {
  return collectMessages([turn]);
}

/** All messages of several turns, into one array: these loops run over whole histories. */
export function collectMessages(turns: readonly Turn[]): Message[] {
  const messages: Message[] = [];
  for (const turn of turns) {
    for (const unit of turn.units) {
      for (const message of unit.messages) messages.push(message);
    }
  }
  return messages;
}
