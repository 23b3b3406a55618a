/** A cursor over one line that counts columns the CommonMark way: a tab reaches to the next multiple of four. */
export interface LineCursor {
  /** Characters after the cursor's position, with a half-eaten tab shown as the spaces it still stands for. */
  rest(): string;
  /** Columns of white space at the cursor. */
  indent(): number;
  isBlank(): boolean;
  /** First character that is not white space, '' at the end of the line. */
  firstChar(): string;
  /** Text from the first character that is not white space. */
  trimmed(): string;
  /** Eats up to `columns` columns of white space. */
  skipColumns(columns: number): void;
  /** Eats all white space, then `characters` characters. */
  skipMarker(characters: number): void;
}

/** Opens a cursor at the start of a line (without its line ending). */
export function openLine(line: string): LineCursor {
  let position = 0;
  let column = 0;
  let pendingTabColumns = 0;
  let textStart = -1;
  let textColumn = 0;

  function find() {
    if (textStart >= position) return;
    textStart = position;
    textColumn = column + pendingTabColumns;
    for (; textStart < line.length; textStart += 1) {
      const char = line.charCodeAt(textStart);
      if (char === 32) textColumn += 1;
      else if (char === 9) textColumn += 4 - (textColumn % 4);
      else break;
    }
  }

  return {
    rest: () => ' '.repeat(pendingTabColumns) + line.slice(position),
    indent: () => {
      find();
      return textColumn - column;
    },
    isBlank: () => {
      find();
      return textStart >= line.length;
    },
    firstChar: () => {
      find();
      return line.charAt(textStart);
    },
    trimmed: () => {
      find();
      return line.slice(textStart);
    },
    skipColumns: (columns) => {
      let left = columns;
      while (left > 0) {
        if (pendingTabColumns > 0) {
          pendingTabColumns -= 1;
        } else {
          const char = line.charCodeAt(position);
          if (char === 9) pendingTabColumns = 3 - (column % 4);
          else if (char !== 32) return;
          position += 1;
        }
        column += 1;
        left -= 1;
      }
    },
    skipMarker: (characters) => {
      find();
      position = textStart + characters;
      column = textColumn + characters;
      pendingTabColumns = 0;
      textStart = -1;
    },
  };
}
