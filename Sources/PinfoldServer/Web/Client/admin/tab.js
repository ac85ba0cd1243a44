/** The admin page: to curators imports and datasets, to admins users and the audit log too. */

import { register } from "../shell/router.js";

let page = null;

register({
  name: "admin",
  icon: "admin",
  order: 50,
  title: "admin.title",
  style: new URL("./admin.css", import.meta.url),
  shownTo: (user) => ["curator", "admin"].includes(user?.role),
  outlines: {
    admin: "M8 1.6 13.4 3.8v3.8c0 3.4-2.2 5.8-5.4 6.8-3.2-1-5.4-3.4-5.4-6.8V3.8zM5.6 8l1.8 1.8L10.6 6.4",
    file: "M4 1.8h5l3.4 3.4v9H4zM9 1.8v3.4h3.4",
  },
  async mount(element) {
    page = await import("./page.js");
    page.mount(element);
  },
  show: (parameters) => page.show(parameters),
  hide: () => page?.hide(),
  render: () => page.render(),
});
