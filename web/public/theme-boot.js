// Before the first paint: the chosen theme, so that nothing flashes. A file of its own, because the content policy allows no inline script.
try {
  const theme = localStorage.getItem('navi.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage can be switched off; then the system's theme holds.
}
