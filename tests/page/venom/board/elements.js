export function button(label, onclick, marks) {
  const made = document.createElement("button");
  made.textContent = label;
  made.onclick = onclick;
  for (const [name, on] of Object.entries(marks)) made.classList.toggle(name, on);
  return made;
}

export function list(name, items) {
  const made = document.createElement("ul");
  made.className = `venom-${name}`;
  for (const item of items) {
    const entry = document.createElement("li");
    entry.append(item);
    made.append(entry);
  }
  return made;
}
