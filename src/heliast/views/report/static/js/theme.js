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

// What scrolls sideways can be reached and scrolled by keys; what does not is no stop on the way.
function stops() {
  for (const one of all(".scroll, .still")) {
    if (one.scrollWidth > one.clientWidth + 1) {
      one.tabIndex = 0;
      if (one.classList.contains("still")) {
        one.setAttribute("role", "group");
        one.setAttribute("aria-label", find("title", one).textContent);
      }
    } else {
      one.removeAttribute("tabindex");
    }
  }
}
stops();
window.addEventListener("resize", stops);
document.addEventListener("toggle", stops, true);
