/** What tells one capture group from another: a letter, a colour and a line. */

const STYLES = [
  { colour: "light-dark(#9a5a00, #ffd76a)", dash: "none" },
  { colour: "light-dark(#0a559c, #86e2ff)", dash: "10 5" },
  { colour: "light-dark(#9c1462, #ffa3d3)", dash: "3 5" },
  { colour: "light-dark(#37610a, #c9ff85)", dash: "16 5 3 5" },
  { colour: "light-dark(#a83b08, #ffb47a)", dash: "6 4" },
  { colour: "light-dark(#5527a8, #d3bcff)", dash: "14 4" },
] as const;

export const styleOf = (group: number): { colour: string; dash: string } => STYLES[group % STYLES.length] ?? STYLES[0];

export const letterOf = (group: number): string => String.fromCharCode(65 + group);
