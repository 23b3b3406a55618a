// A link that was shared, `/#share=…`, leads to its own small page before anything of the client is asked for: the built
// page keeps the client's tags in a template, where no browser looks ahead, and here they are written or not. A file of
// its own, because the content policy allows no inline script. What stands behind `#` never reaches a server.
(() => {
  const turnsToShare = () => {
    const isShare = location.hash.startsWith('#share=');
    if (isShare) location.replace(`/share.html${location.hash}`);
    return isShare;
  };
  addEventListener('hashchange', turnsToShare);
  const client = document.querySelector('template');
  // Written, not appended: so they are the parser's own, and the style sheets hold up the first paint as ever.
  if (!turnsToShare() && client !== null) document.write(client.innerHTML);
})();
