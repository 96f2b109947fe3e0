// boardgame.io's own server with a game that does next to nothing; prints its port.
const { Server, Origins } = require('boardgame.io/server');

const trivial = {
  name: 'trivial',
  setup: () => ({ moves: 0 }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: { step: ({ G }) => { G.moves += 1; } },
};
const server = Server({ games: [trivial], origins: [Origins.LOCALHOST] });
server.run({ port: 0 }).then(({ appServer }) => console.log(appServer.address().port));
