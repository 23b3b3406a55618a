/**
 * Opens a PDF with pdf.js in a worker of its own. Fonts and character maps that a PDF may leave out are part of our build and
 * load one by one; nothing is evaluated, and nothing comes from elsewhere.
 */
import { GlobalWorkerOptions, getDocument, InvalidPDFException, type PDFDocumentProxy } from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { Unreadable } from '../use-file';

GlobalWorkerOptions.workerSrc = workerUrl;

type Addresses = Record<string, string>;
const fonts = import.meta.glob<string>('/../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}', {
  query: '?url',
  import: 'default',
  eager: true,
});
const cmaps = import.meta.glob<string>('/../node_modules/pdfjs-dist/cmaps/*.bcmap', {
  query: '?url',
  import: 'default',
  eager: true,
});

async function bytesOf(addresses: Addresses, fileName: string): Promise<Uint8Array> {
  const address = Object.entries(addresses).find(([path]) => path.endsWith(`/${fileName}`))?.[1];
  if (address === undefined) throw new Error(`pdf.js asks for ${fileName}, which it does not bring`);
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${fileName} could not be loaded`);
  return new Uint8Array(await response.arrayBuffer());
}

class FontFiles {
  fetch({ filename }: { filename: string }) {
    return bytesOf(fonts, filename);
  }
}

class CharacterMaps {
  async fetch({ name }: { name: string }) {
    return { cMapData: await bytesOf(cmaps, `${name}.bcmap`), isCompressed: true };
  }
}

export interface OpenPdf {
  document: PDFDocumentProxy;
  close(): void;
}

/** Throws `Unreadable` with words for what a person can understand: a password, no PDF. */
export async function openPdf(blob: Blob): Promise<OpenPdf> {
  const data = new Uint8Array(await blob.arrayBuffer());
  const task = getDocument({
    data,
    isEvalSupported: false,
    // WebAssembly would need a wider content policy. JPEG 2000 pictures inside PDFs stay empty without it.
    useWasm: false,
    useWorkerFetch: false,
    CMapReaderFactory: CharacterMaps,
    StandardFontDataFactory: FontFiles,
    verbosity: 0,
  });
  // Ends its worker too.
  const close = () => void task.destroy();
  try {
    return { document: await task.promise, close };
  } catch (error) {
    close();
    if (error instanceof Error && error.name === 'PasswordException')
      throw new Unreadable('This PDF is locked with a password.');
    if (error instanceof InvalidPDFException) throw new Unreadable('This PDF is damaged and cannot be shown.');
    throw error;
  }
}

export const closePdf = (pdf: OpenPdf): void => pdf.close();
