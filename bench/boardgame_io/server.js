/* boardgame.io's own server with its Socket.IO transport, in memory. `GET /lag` tells how long its
   event loop was blocked at most since it was last asked, in milliseconds. */

const { monitorEventLoopDelay } = require("node:perf_hooks");
const { Server } = require("boardgame.io/server");
const { Pots } = require("./game.js");

const EVERY = 10;
const delay = monitorEventLoopDelay({ resolution: EVERY });
delay.enable();

const server = Server({ games: [Pots], origins: false });
server.router.get("/healthz", (ctx) => {
  ctx.body = { status: "ok" };
});
server.router.get("/lag", (ctx) => {
  ctx.body = { longest_ms: Math.max(0, delay.max / 1e6 - EVERY) };
  delay.reset();
});
server.run(Number(process.argv[2] ?? 0)).then(({ appServer }) => {
  console.log(`Serving on http://127.0.0.1:${appServer.address().port}`);
});
