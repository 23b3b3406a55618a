import { useEffect, useRef, useState } from 'react';
import type { CodeHighlighter, CodeToken } from './highlighter';

/** Larger blocks stay plain: their colours would cost more than they tell. */
const MAX_LENGTH = 120_000;
const MAX_LINES = 2000;
/** Lines coloured at once: about 5 to 10 ms with the slower grammars. */
const SLICE_LINES = 40;
const PLAIN = /^(?:|text|txt|plain|plaintext|output|none|mermaid)$/;

interface Progress {
  language: string;
  /** The text of the lines coloured so far, to tell an append from a change. */
  source: string;
  lines: CodeToken[][];
  highlighter: Promise<CodeHighlighter | null>;
}

/**
 * Coloured lines of a block, from its first line on; the rest is to be shown plain. While the block grows only finished lines
 * are coloured, each once.
 */
export function useHighlight(code: { text: string; language: string; isClosed: boolean }): CodeToken[][] {
  const { text, language, isClosed } = code;
  const progress = useRef<Progress | null>(null);
  const [lines, setLines] = useState<CodeToken[][]>([]);
  const isPlain = PLAIN.test(language) || text.length > MAX_LENGTH;

  useEffect(() => {
    const isContinued = progress.current?.language === language && text.startsWith(progress.current.source);
    if (isPlain) {
      progress.current = null;
      setLines((before) => (before.length === 0 ? before : []));
      return;
    }
    if (!isContinued) {
      const highlighter = import('./highlighter').then((module) => module.openHighlighter(language)).catch(() => null);
      progress.current = { language, source: '', lines: [], highlighter };
    }
    const state = progress.current;
    let isCancelled = false;
    let timer: ReturnType<typeof setTimeout> | undefined;

    function readSlice(highlighter: CodeHighlighter) {
      if (isCancelled || !state) return;
      const rest = text.slice(state.source.length).split('\n');
      const finished = isClosed ? rest : rest.slice(0, -1);
      if (finished.length === 0 || state.source.length >= text.length || state.lines.length >= MAX_LINES) return;
      const slice = finished.slice(0, SLICE_LINES);
      const hasMore = finished.length > slice.length;
      state.lines = [...state.lines, ...highlighter.readLines(slice)];
      state.source += slice.join('\n') + (hasMore || !isClosed ? '\n' : '');
      setLines(state.lines);
      if (hasMore) timer = setTimeout(() => readSlice(highlighter), 0);
    }

    state?.highlighter.then((highlighter) => highlighter && readSlice(highlighter)).catch(() => {});
    return () => {
      isCancelled = true;
      clearTimeout(timer);
    };
  }, [text, language, isClosed, isPlain]);

  return isPlain || !text.startsWith(progress.current?.source ?? '') ? [] : lines;
}
