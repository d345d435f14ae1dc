"use strict";
// Loads a page that somebody looks at again when the archive was written anew, or another server has taken over.
{
  const { seen } = document.currentScript.dataset;
  new EventSource("/.pbem/changes").addEventListener("message", ({ data }) => {
    if (data !== seen) location.reload();
  });
}
