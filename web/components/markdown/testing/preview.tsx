/** A page with nothing but one message, driven from outside: `showMarkdown(text, isStreaming)`. */
import { StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { Markdown } from '../markdown';
import './preview.css';

declare global {
  interface Window {
    /** Shows a text and returns how long React took, in ms. */
    showMarkdown: (text: string, isStreaming?: boolean) => number;
  }
}

const container = document.getElementById('root');
if (container) {
  const root = createRoot(container);
  window.showMarkdown = (text, isStreaming = false) => {
    const startedAtMs = performance.now();
    flushSync(() =>
      root.render(
        <StrictMode>
          <Markdown text={text} isStreaming={isStreaming} />
        </StrictMode>,
      ),
    );
    return performance.now() - startedAtMs;
  };
}
