/**
 * What comes before everything else: which of the two pages this is, and the chosen theme, so that nothing flashes. A link
 * that was shared, `/#share=…`, is a small page of its own; what stands behind `#` never reaches a server, so the choice is
 * made here. The built document keeps the tags of both pages in templates, where no browser looks ahead, and one of them is
 * written. The build puts this script into the document itself; its hash is part of the content policy.
 */
(() => {
  const shareToken = () => /^#share=(.*)$/s.exec(location.hash)?.[1];
  const token = shareToken();
  // Another link in the same tab: nothing of the page before stays.
  addEventListener('hashchange', () => {
    if (shareToken() !== token) location.reload();
  });

  if (token !== undefined) {
    // Asked for and read while the scripts are on their way; `web/share/share-client.ts` takes it up.
    const asked = fetch('/api/shared/view', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
    });
    window.naviSharedView = asked.then(async (answer) => ({
      status: answer.status,
      body: await answer.json().catch(() => null),
    }));
    window.naviSharedView.then(({ body }) => showAtOnce(body)).catch(() => undefined);
  }
  /** The first screen, as the server drew it, until the scripts draw the same: they clear the place when they do. */
  function showAtOnce(body) {
    const root = document.getElementById('root');
    const html = body?.html;
    if (!html || root === null || root.hasChildNodes()) return;
    root.innerHTML = html;
    root.dataset.drawn = 'early';
    if (body.view.name) document.title = body.view.name;
    // A chat with more above opens at its newest message.
    if (root.querySelector('[data-has-older]') !== null) scrollTo(0, document.documentElement.scrollHeight);
  }

  const page = document.querySelector(`template[data-page="${token === undefined ? 'client' : 'share'}"]`);
  // Written, not appended: so they are the parser's own, and the style sheets hold up the first paint as ever.
  if (page !== null) document.write(page.innerHTML);
  // While developing there are no templates but two documents.
  else if (token !== undefined && location.pathname !== '/share.html') location.replace(`/share.html${location.hash}`);

  // Last, as a browser that has just begun must wait for its storage: what was asked for above comes meanwhile.
  try {
    const theme = localStorage.getItem('navi.theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    // Storage can be switched off; then the system's theme holds.
  }
})();
