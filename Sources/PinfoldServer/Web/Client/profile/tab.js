/** The profile tab: to whoever is signed in their account, to whoever is not the door. */

import { register } from "../shell/router.js";
import { session } from "../shell/session.js";

let root = null;
let turn = 0;
/** The modules of what is shown, once they were needed. */
let page = null;
let door = null;

const loadPage = async () => (page ??= await import("./page.js"));
const loadDoor = async () => (door ??= await import("./door.js"));

async function show({ path = [], invite = null, reset = null }) {
  const mine = (turn += 1);
  const isOutside = !session.user || reset !== null;
  await (isOutside ? loadDoor() : loadPage());
  if (mine !== turn) return;
  if (isOutside) {
    page?.leaveSections();
    door.openDoor(root, { invite, reset });
  } else if (session.user) {
    door?.closeDoor();
    page.showSection(root, path[0] ?? null);
  }
}

register({
  name: "profile",
  icon: "profile",
  order: 40,
  title: "profile.title",
  style: new URL("./profile.css", import.meta.url),
  signedOut: true,
  claims: ["reset"],
  outlines: {
    key: "M5.4 6.4a3 3 0 1 0 0 3.2M7.6 8h6.6v2.4M11.6 8v2",
    device: "M4.4 1.8h7.2v12.4H4.4zM7.4 11.8h1.2",
    eye: "M1.4 8S3.8 3.6 8 3.6 14.6 8 14.6 8 12.2 12.4 8 12.4 1.4 8 1.4 8zM8 6.2a1.8 1.8 0 1 0 .1 0z",
    swap: "M5 13.4V2.6L2.2 5.4M5 2.6l2.8 2.8M11 2.6v10.8l2.8-2.8M11 13.4l-2.8-2.8",
    look: "M8 2.2a5.8 5.8 0 1 0 .1 0zM8 2.2v11.6M8 2.2a5.8 5.8 0 0 1 0 11.6",
    info: "M8 2.2a5.8 5.8 0 1 0 .1 0zM8 7.4v3.6M8 4.9h.1",
  },
  async mount(element) {
    root = element;
    await (session.user ? loadPage() : loadDoor());
  },
  show,
  render() {
    if (door?.isOpen()) door.drawDoor();
    else page?.drawSections();
  },
});
