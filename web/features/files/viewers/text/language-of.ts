/** Files that say what they are by their whole name. */
const names: Record<string, string> = {
  dockerfile: 'dockerfile',
  containerfile: 'dockerfile',
  makefile: 'makefile',
  gnumakefile: 'makefile',
  'cmakelists.txt': 'cmake',
  '.env': 'dotenv',
  '.gitignore': 'text',
  'nginx.conf': 'nginx',
};

/** The word by which the highlighter knows a file's language: its extension, as a rule. Pure. */
export function languageOf(name: string): string {
  const base = name.slice(name.lastIndexOf('/') + 1).toLowerCase();
  return names[base] ?? /\.([a-z0-9+#]+)$/.exec(base)?.[1] ?? 'text';
}
