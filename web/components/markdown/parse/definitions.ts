import { decodeEscapes } from './entities';
import type { Definition } from './types';

const DEFINITION =
  /^ {0,3}\[((?:\\.|[^[\]\\])+)\]:[ \t]*\n?[ \t]*(?:<((?:\\.|[^<>\\\n])*)>|([^\s<][^\s]*))(?:[ \t]*(?:\n[ \t]*|[ \t])("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\((?:\\.|[^()\\])*\)))?[ \t]*(?:\n|$)/;
const DEFINITION_WITHOUT_TITLE =
  /^ {0,3}\[((?:\\.|[^[\]\\])+)\]:[ \t]*\n?[ \t]*(?:<((?:\\.|[^<>\\\n])*)>|([^\s<][^\s]*))[ \t]*(?:\n|$)/;

/** The form in which link labels are compared. */
export function normaliseLabel(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase();
}

/** Takes the link definitions off the head of a paragraph. `rest` is the paragraph's remaining text. */
export function takeDefinitions(text: string): { definitions: Definition[]; rest: string } {
  const definitions: Definition[] = [];
  let rest = text;
  while (rest.startsWith('[')) {
    const match = DEFINITION.exec(rest) ?? DEFINITION_WITHOUT_TITLE.exec(rest);
    if (!match?.[1]?.trim() || match[1].startsWith('^')) break;
    const title = match[4] ? decodeEscapes(match[4].slice(1, -1)) : null;
    definitions.push({ label: normaliseLabel(match[1]), href: decodeEscapes(match[2] ?? match[3] ?? ''), title });
    rest = rest.slice(match[0].length);
  }
  return { definitions, rest };
}
