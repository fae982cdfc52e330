/** Reads a file of games and checks their dice as the page does: node read_games.js FILE PLAYER. */

import { readFileSync } from "node:fs";
import { gamesIn } from "../../app/web/js/device_file.js";
import { checkDice } from "../../app/web/js/dice_proof.js";

const [file = "", player = ""] = process.argv.slice(2);
const games = gamesIn(readFileSync(file, "utf8"), player);
const verdicts = await Promise.all(games.map(({ record }) => checkDice(record)));
console.log(JSON.stringify(games.map(({ seat, record }, at) => ({ seat, game: record.id, ...verdicts[at] }))));
