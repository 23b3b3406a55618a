/** How blocks start and end, after CommonMark 0.31 and GFM. All are tried at the first character of a line that is not white space. */

export const ATX_HEADING = /^(#{1,6})(?:[ \t]+|$)(.*)$/;
export const FENCE_OPEN = /^(`{3,})([^`]*)$|^(~{3,})(.*)$/;
export const FENCE_CLOSE = /^(`{3,}|~{3,})[ \t]*$/;
export const SETEXT_UNDERLINE = /^(?:=+|-+)[ \t]*$/;
export const THEMATIC_BREAK = /^(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$/;
export const BULLET = /^[-*+](?=[ \t]|$)/;
export const ORDERED = /^(\d{1,9})([.)])(?=[ \t]|$)/;
export const TASK = /^\[([ xX])\][ \t]+(?=\S)/;

const RAW_HTML = /^<(script|pre|style|textarea)(?=[\s>]|$)/i;
const BLOCK_TAGS =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul';
const BLOCK_HTML = new RegExp(`^</?(?:${BLOCK_TAGS})(?=\\s|/?>|$)`, 'i');
const ATTRIBUTE = `\\s+[a-zA-Z_:][\\w:.-]*(?:\\s*=\\s*(?:[^"'=<>\`\\s]+|'[^']*'|"[^"]*"))?`;

/** One HTML tag, comment, instruction or declaration, at lastIndex. */
export const HTML_TAG = new RegExp(
  `<[A-Za-z][A-Za-z0-9-]*(?:${ATTRIBUTE})*\\s*/?>|</[A-Za-z][A-Za-z0-9-]*\\s*>|<!--(?:-?>|[sS]*?-->)|<\\?[sS]*?\\?>|<![A-Za-z][^>]*>|<!\\[CDATA\\[[sS]*?\\]\\]>`,
  'y',
);
const LONE_TAG = new RegExp(`^(?:<[A-Za-z][A-Za-z0-9-]*(?:${ATTRIBUTE})*\\s*/?>|</[A-Za-z][A-Za-z0-9-]*\\s*>)\\s*$`);

/**
 * What ends the HTML block that starts with this text: a pattern to look for in its lines, null for a blank line,
 * undefined when no HTML block starts here.
 */
export function findHtmlEnd(text: string, isInParagraph: boolean): RegExp | null | undefined {
  const raw = RAW_HTML.exec(text);
  if (raw) return /<\/(?:script|pre|style|textarea)>/i;
  if (text.startsWith('<!--')) return /-->/;
  if (text.startsWith('<?')) return /\?>/;
  if (text.startsWith('<![CDATA[')) return /\]\]>/;
  if (/^<![A-Za-z]/.test(text)) return />/;
  if (BLOCK_HTML.test(text)) return null;
  return !isInParagraph && LONE_TAG.test(text) ? null : undefined;
}
