/**
 * The document in which an HTML or SVG artifact runs its scripts after a click. The client puts it into
 * `<iframe sandbox="allow-scripts">` and posts it the artifact's text; so the bytes need no address of their own, and
 * shares, whose token must not stand in a request line, show artifacts the same way.
 *
 * Two policies hold it. Its own (below): an opaque origin, so no cookies, storage or parent; inline scripts only; nothing
 * is loaded and nothing is called. And that of the page around it, whose `frame-src` names this one path: whatever the
 * artifact does to its own location, the browser refuses to go there. Reasons: docs/decisions/0040-artifact-viewers.md.
 */
import type { FastifyInstance } from 'fastify';

export const artifactFramePath = '/artifact-frame.html';

const policy = [
  // Also for someone who opens the address by itself.
  'sandbox allow-scripts',
  "default-src 'none'",
  // The artifact's own text. Eval and WebAssembly give it nothing that it does not have.
  "script-src 'unsafe-inline' 'unsafe-eval'",
  "style-src 'unsafe-inline'",
  'img-src data: blob:',
  'font-src data:',
  'media-src data: blob:',
  // A worker would be one more context to reason about.
  "worker-src 'none'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** Takes the text once, from the page around it, and becomes it. `open` also removes the listener. */
const frame = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Artifact</title>
<script>
addEventListener('message', (event) => {
  if (event.source !== parent || typeof event.data !== 'string') return;
  document.open();
  document.write(event.data);
  document.close();
});
</script>
</html>
`;

export function registerArtifactFrame(http: FastifyInstance): void {
  http.get(artifactFramePath, (_request, reply) => {
    reply
      .header('content-security-policy', policy)
      .header('x-frame-options', 'SAMEORIGIN')
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(frame);
  });
}
