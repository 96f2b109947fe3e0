// Happy Fox on boardgame.io's own server, states in memory as it ships; prints its port.
//
// The rules are those of Foxden's Happy Fox without options (HF-…), written as a boardgame.io
// game: moves that change G, random from its own plugin, hidden cards taken out by playerView.
const { Server, Origins } = require('boardgame.io/server');
const { INVALID_MOVE } = require('boardgame.io/core');

const SET = [...Array(15).fill('goose'), ...Array(5).fill('fox'), ...Array(4).fill('dog')];
const HAND = 5;
const WORTH = { goose: 0, fox: 0, dog: 0 };

const left = (G, p) => (p + 1) % G.seats.length;
const down = (seat) => seat.row.filter((place) => place && !place.up);

// HF-6, HF-17: draws up to the hand limit, as far as the pile reaches.
function refill(seat) {
  let held = seat.hand.goose + seat.hand.fox + seat.hand.dog;
  while (held < HAND && seat.pile.length) {
    seat.hand[seat.pile.pop()] += 1;
    held += 1;
  }
  seat.inPile = seat.pile.length;
}

function setup({ ctx, random }) {
  const seats = [];
  for (let p = 0; p < ctx.numPlayers; p += 1) {
    const seat = { hand: { ...WORTH }, pile: random.Shuffle(SET), inPile: 0, row: [], won: { ...WORTH } };
    refill(seat);
    seats.push(seat);
  }
  return { seats, turn: 0, played: 0, grab: null };
}

// HF-10 to HF-12: the next opponent clockwise with a face-down card.
function nextVictim(G, grabber, from) {
  let p = from;
  for (let n = 0; n < G.seats.length; n += 1) {
    p = left(G, p);
    if (p !== grabber && down(G.seats[p]).length) return p;
  }
  return -1;
}

function endTurn(G, p, events) {
  refill(G.seats[p]);
  G.grab = null;
  G.played += 1;
  G.turn = Math.floor(G.played / G.seats.length);
  if (G.turn === SET.length) {
    for (const seat of G.seats) {
      for (const place of down(seat)) seat.won[place.card] += 1; // HF-19
      seat.row = [];
    }
  }
  events.endTurn();
}

function winGrab(G, p, events) {
  const seat = G.seats[p];
  seat.won.goose += G.grab.shown.length;
  seat.won.fox += 1;
  for (const [owner, k] of G.grab.shown) G.seats[owner].row[k] = null;
  endTurn(G, p, events);
}

function lay({ G, playerID, events }, card) {
  const p = Number(playerID);
  const seat = G.seats[p];
  if (G.grab || (card !== 'goose' && card !== 'dog') || !seat.hand[card]) return INVALID_MOVE;
  seat.hand[card] -= 1;
  seat.row[G.turn] = { card, up: false };
  endTurn(G, p, events);
}

function fox({ G, playerID, events }) {
  const p = Number(playerID);
  const seat = G.seats[p];
  if (G.grab || !seat.hand.fox) return INVALID_MOVE;
  seat.hand.fox -= 1;
  const victim = nextVictim(G, p, p);
  if (victim < 0) { // HF-13
    seat.won.fox += 1;
    endTurn(G, p, events);
  } else {
    G.grab = { victim, shown: [] };
  }
}

function turn({ G, playerID, events }, k) {
  const p = Number(playerID);
  if (!G.grab) return INVALID_MOVE;
  const { victim, shown } = G.grab;
  const place = G.seats[victim].row[k];
  if (!place || place.up) return INVALID_MOVE;
  if (place.card === 'dog') { // HF-16
    for (const [owner, at] of shown) {
      G.seats[owner].won.goose += 1;
      G.seats[owner].row[at] = null;
    }
    G.seats[victim].row[k] = null;
    G.seats[victim].won.dog += 1;
    G.seats[victim].won.fox += 1;
    endTurn(G, p, events);
    return;
  }
  place.up = true;
  shown.push([victim, k]);
  G.grab.victim = nextVictim(G, p, victim);
  if (G.grab.victim < 0) winGrab(G, p, events); // HF-14
}

function stop({ G, playerID, events }) {
  if (!G.grab || !G.grab.shown.length) return INVALID_MOVE;
  winGrab(G, Number(playerID), events);
}

// HF-21: hands and rows are their owner's, piles nobody's.
function playerView({ G, playerID }) {
  const seats = G.seats.map((seat, p) => {
    if (String(p) === playerID) return { ...seat, pile: null };
    const row = seat.row.map((place) => (place && !place.up ? { card: null, up: false } : place));
    const { goose, fox: foxes, dog } = seat.hand;
    return { ...seat, hand: goose + foxes + dog, pile: null, row };
  });
  return { ...G, seats };
}

function endIf({ G }) {
  if (G.turn < SET.length) return undefined;
  const scores = G.seats.map(({ won }) => won.goose + won.fox + won.dog);
  const most = Math.max(...scores);
  return { scores, winners: scores.flatMap((score, p) => (score === most ? [p] : [])) };
}

const happyFox = {
  name: 'happy-fox', setup, playerView, endIf, turn: { minMoves: 1 }, moves: { lay, fox, turn, stop },
};

if (require.main === module) {
  const server = Server({ games: [happyFox], origins: [Origins.LOCALHOST] });
  server.run({ port: 0 }).then(({ appServer }) => console.log(appServer.address().port));
}
module.exports = { happyFox };
