// Every plot can be saved as the reader sees it: as SVG, or as PNG with twice the points.
const DENSITY = 2;

function standalone(figure) {
  const shown = all("svg", figure).find((one) => one.getBoundingClientRect().width > 0);
  const copied = shown.cloneNode(true);
  const parts = [shown, ...all("*", shown)];
  [copied, ...all("*", copied)].forEach((part, i) => {
    const look = getComputedStyle(parts[i]);
    for (const name of ["fill", "stroke"]) part.setAttribute(name, look[name]);
    part.removeAttribute("class");
  });
  const { width, height } = shown.viewBox.baseVal;
  copied.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copied.setAttribute("font-family", getComputedStyle(shown).fontFamily);
  copied.setAttribute("width", width);
  copied.setAttribute("height", height);
  copied.prepend(shape("rect", { width, height, fill: getComputedStyle(figure).backgroundColor }));
  return { text: new XMLSerializer().serializeToString(copied), width, height };
}

async function asPng({ text, width, height }) {
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await picture.decode();
  const canvas = element("canvas", { width: DENSITY * width, height: DENSITY * height });
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((found) => { canvas.toBlob(found, "image/png"); });
}

for (const figure of all("figure")) {
  const said = find("svg title", figure)?.textContent.trim() || "chart";
  const name = said.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 60) || "chart";
  const bar = element("p", { class: "save" });
  bar.append(
    button("SVG", `Download the picture "${said}" as SVG`, () => save(`${name}.svg`, "image/svg+xml", standalone(figure).text)),
    button("PNG", `Download the picture "${said}" as PNG`, async () => save(`${name}.png`, "image/png", await asPng(standalone(figure)))),
  );
  figure.append(bar);
}
