const words = await (await fetch(new URL("languages/en.json", import.meta.url))).json();
document.getElementById("main").textContent = words.shell.welcome;
if ("serviceWorker" in navigator) navigator.serviceWorker.register("/sw.js").catch(() => {});
