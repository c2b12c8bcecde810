// Text always enters the page through textContent, so nothing that a scene file says can become markup.
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className = "",
  ...content: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.append(...content);
  return node;
}

// Blank lines separate paragraphs.
export function paragraphs(text: string, className: string): HTMLElement[] {
  return text
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => element("p", className, part));
}
