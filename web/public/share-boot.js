// A link that was shared, `/#share=…`, leads to its own small page before anything of the client runs. A file of its own,
// because the content policy allows no inline script. What stands behind `#` never reaches a server.
(() => {
  const turn = () => {
    if (!location.hash.startsWith('#share=')) return;
    window.stop();
    location.replace(`/share.html${location.hash}`);
  };
  addEventListener('hashchange', turn);
  turn();
})();
