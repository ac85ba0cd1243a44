/** The sections of the admin page, one at a time: `/#admin/SECTION`, `/#admin/SECTION/ID`. */

import { make, replace } from "../shell/elements.js";
import { t } from "../shell/language.js";
import { session } from "../shell/session.js";
import { auditSection } from "./audit.js";
import { datasetSection, datasetsSection } from "./datasets.js";
import { importSection } from "./import.js";
import { jobSection, jobsSection } from "./jobs.js";
import { usersSection } from "./users.js";

const SECTIONS = [
  { name: "import", title: "admin.import", build: importSection },
  { name: "imports", title: "admin.jobs", build: jobsSection, buildOne: jobSection },
  { name: "datasets", title: "admin.datasets", build: datasetsSection, buildOne: datasetSection },
  { name: "users", title: "admin.users", build: usersSection, isForAdmins: true },
  { name: "audit", title: "admin.audit", build: auditSection, isForAdmins: true },
];

let root = null;
let path = [];
/** What the section that is shown does when another takes its place. */
let leave = null;

export function mount(element) {
  root = element;
}

export function show(parameters) {
  path = parameters.path;
  draw();
}

export function hide() {
  leave?.();
  leave = null;
}

export const render = () => draw();

function draw() {
  hide();
  const sections = SECTIONS.filter(({ isForAdmins }) => !isForAdmins || session.user?.role === "admin");
  const section = sections.find(({ name }) => name === path[0]) ?? sections[0];
  const one = path[1] && section.buildOne;
  const content = one ? section.buildOne(path[1]) : section.build();
  leave = content.leave ?? null;
  replace(root, make("div", { class: "page admin-page" },
    make("h1", { tabindex: "-1", text: t("admin.title") }),
    make("nav", { class: "admin-sections", "aria-label": t("admin.sections") }, make("ul", {},
      ...sections.map(({ name, title }) => make("li", {}, make("a", { href: `/#admin/${name}`,
        "aria-current": name === section.name ? "page" : null, text: t(title) }))))),
    content));
}
