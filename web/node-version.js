// Ends with status 1 if this Node is too old to build the page: Vite needs 20.19, or 22.12 or newer.
const [major, minor] = process.versions.node.split(".").map(Number);
const old = major === 20 ? minor < 19 : major === 22 ? minor < 12 : major < 24;
process.exit(Number(old));
