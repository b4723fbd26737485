// Light, dark, or as the system says; printing opens what is folded.
function theme() {
  const root = document.documentElement;
  const tools = find("[data-tools]");
  const words = { auto: "Theme: auto", light: "Theme: light", dark: "Theme: dark" };
  const order = Object.keys(words);
  let now = "auto";
  const shown = button("", "", () => set(order[(order.indexOf(now) + 1) % order.length]));
  function set(next) {
    now = next;
    if (next === "auto") delete root.dataset.theme; else root.dataset.theme = next;
    shown.textContent = words[next];
    shown.setAttribute("aria-label", `Colours: ${next}. Change`);
  }
  set("auto");
  tools.append(shown, button("Print", "Print this report", () => window.print()));
  let folded = [];
  window.addEventListener("beforeprint", () => {
    folded = all("details:not([open])");
    folded.forEach((one) => { one.open = true; });
  });
  window.addEventListener("afterprint", () => folded.forEach((one) => { one.open = false; }));
}
theme();
