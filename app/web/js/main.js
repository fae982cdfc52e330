/** Puts the pages behind their addresses and starts. */

import { applyTheme, onSystemTheme, preferences } from "./preferences.js";
import { route, startRouting } from "./router.js";
import { drawBar, focusPage, homeLink } from "./shell.js";
import { unlockSounds } from "./sounds.js";
import { roomCodeIn } from "./typed_codes.js";
import { BuilderPage } from "./views/builder.js";
import { DeviceListPage } from "./views/device_list.js";
import { fairPage } from "./views/fair.js";
import { gamePage } from "./views/game.js";
import { homePage } from "./views/home.js";
import { LeaderboardsPage } from "./views/leaderboards.js";
import { MePage } from "./views/me.js";
import { openMenu } from "./views/menu.js";
import { missingPage } from "./views/missing.js";
import { PlayerPage } from "./views/player.js";
import { RoomPage } from "./views/room.js";
import { rulesPage } from "./views/rules.js";
import { chooseLanguage, language, loadLanguage } from "./words.js";

route(/^\/$/, () => homePage());
route(/^\/rooms\/([^/]+)\/?$/, ([code = ""]) => new RoomPage(roomCodeIn(code)));
route(/^\/leaderboards\/?$/, (_none, query) =>
  query.get("where") === "device" ? new DeviceListPage(query) : new LeaderboardsPage(query),
);
route(/^\/leaderboards\/([^/]+)\/?$/, ([variant = ""], query) => new LeaderboardsPage(query, variant));
route(/^\/games\/([^/]+)\/?$/, ([id = ""], query) => gamePage(id, query.get("from") === "device"));
route(/^\/players\/([^/]+)\/?$/, ([id = ""], query) => new PlayerPage(id, query));
route(/^\/rules\/?$/, () => rulesPage());
route(/^\/variants\/?$/, (_none, query) => new BuilderPage(null, query.get("room")));
route(/^\/variants\/([^/]+)\/?$/, ([name = ""], query) => new BuilderPage(name, query.get("room")));
route(/^\/fair\/?$/, () => fairPage());
route(/^\/me\/?$/, () => new MePage());
route(/^/, () => missingPage());

applyTheme();
onSystemTheme(applyTheme);
document.addEventListener("pointerup", unlockSounds);
document.addEventListener("keydown", unlockSounds);

await loadLanguage(preferences.language ?? chooseLanguage(navigator.languages));
document.documentElement.lang = language();

startRouting((page, isFirst) => {
  const main = /** @type {HTMLElement} */ (document.getElementById("main"));
  main.className = "";
  if (!(page instanceof RoomPage)) drawBar([homeLink()], openMenu);
  main.replaceChildren(page.element);
  scrollTo(0, 0);
  if (!isFirst) focusPage();
});
