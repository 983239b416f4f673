/* A small card game, for measuring only: what a player may know of it is about as much as in Poison
   with four players. 48 cards go into three pots; whoever fills one above 13 takes what lay in it. */

const { INVALID_MOVE } = require("boardgame.io/core");

const SUITS = ["R", "B", "P"];
const VALUES = [1, 1, 1, 2, 2, 2, 4, 4, 5, 5, 5, 7, 7, 7];
const POTS = 3;
const MOST = 13;

function deck() {
  const suits = SUITS.flatMap((suit) => VALUES.map((value) => suit + value));
  return [...suits, ..."XXXXXX"];
}

function worth(card) {
  return card === "X" ? 4 : Number(card.slice(1));
}

function deal(random, players) {
  const hands = Array.from({ length: players }, () => []);
  random.Shuffle(deck()).forEach((card, i) => hands[i % players].push(card));
  return {
    hands: hands.map((hand) => hand.sort()),
    pots: Array.from({ length: POTS }, () => []),
    taken: Array.from({ length: players }, () => []),
  };
}

function suitOf(pot) {
  const potion = pot.find((card) => card !== "X");
  return potion === undefined ? null : potion[0];
}

function fits(G, card, place) {
  if (card === "X") return true;
  const suit = suitOf(G.pots[place]);
  if (suit !== null) return suit === card[0];
  return !G.pots.some((pot) => suitOf(pot) === card[0]);
}

function legal(G, hand) {
  const moves = [];
  for (const card of new Set(hand)) {
    for (let place = 0; place < POTS; place++) {
      if (fits(G, card, place)) moves.push(`${card}@${place + 1}`);
    }
  }
  return moves;
}

function play({ G, playerID, random, ctx }, card, place) {
  const hand = G.hands[playerID];
  const at = hand.indexOf(card);
  if (at < 0 || !G.pots[place] || !fits(G, card, place)) return INVALID_MOVE;
  hand.splice(at, 1);
  const sum = G.pots[place].reduce((total, each) => total + worth(each), 0);
  if (sum + worth(card) > MOST) {
    G.taken[playerID].push(...G.pots[place]);
    G.pots[place] = [];
  }
  G.pots[place].push(card);
  if (G.hands.every((each) => each.length === 0)) {
    Object.assign(G, deal(random, ctx.numPlayers), { round: G.round + 1 });
  }
}

/* What a player may know: one's own hand, and how many cards the others have. */
function playerView({ G, ctx, playerID }) {
  const hand = G.hands[playerID] ?? [];
  return {
    round: G.round,
    legal: ctx.currentPlayer === playerID ? legal(G, hand) : [],
    pots: G.pots,
    sums: G.pots.map((pot) => pot.reduce((total, card) => total + worth(card), 0)),
    taken: G.taken.map((cards) => cards.length),
    hands: G.hands.map((cards) => cards.length),
    hand,
  };
}

exports.Pots = {
  name: "pots",
  setup: ({ random, ctx }) => ({ ...deal(random, ctx.numPlayers), round: 1 }),
  moves: { play },
  turn: { minMoves: 1, maxMoves: 1 },
  disableUndo: true,
  playerView,
};
