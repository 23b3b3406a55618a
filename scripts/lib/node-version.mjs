// Must run on any Node, however old: no imports, no new syntax.
export function requireNode() {
  const parts = process.versions.node.split('.').map(Number);
  if (parts[0] > 20 || (parts[0] === 20 && parts[1] >= 19)) return;
  console.error(`Navi needs Node.js 20.19 or newer; this is ${process.versions.node}. Get one at https://nodejs.org.`);
  process.exit(1);
}
