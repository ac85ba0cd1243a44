extension DocsPage {
    static let style = #"""
        :root { --get: #1c68bb; --post: #1f7a35; --put: #8a6600; --patch: #6d41c2; --delete: #b3261e; }
        @media (prefers-color-scheme: dark) {
          :root { --get: #72b5ff; --post: #66cf80; --put: #e2bd4b; --patch: #b69bff; --delete: #ff9d94; }
        }
        html { scroll-padding-top: 76px; }
        .bar {
          position: sticky; top: 0; z-index: 10; display: flex; align-items: center; gap: .5rem 1rem; min-height: 60px;
          padding: .5rem max(1rem, calc((100% - 1240px) / 2)); background: var(--card);
          border-bottom: 1px solid var(--line);
        }
        .brand { display: inline-flex; align-items: center; gap: .55rem; color: var(--ink); text-decoration: none; }
        .brand-name { font-weight: 700; font-size: 1.2rem; letter-spacing: -.025em; }
        .what { color: var(--muted); font-weight: 550; }
        .find { flex: 1; display: flex; justify-content: flex-end; min-width: 0; }
        .find input {
          width: min(100%, 24rem); min-height: 42px; padding: .5rem .75rem; border: 1px solid var(--edge);
          border-radius: 9px;
          background: var(--card); min-width: 0;
        }
        .raw { font-family: var(--mono); font-size: .875rem; white-space: nowrap; padding-block: .2rem; }
        .frame { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2rem; max-width: 1272px; margin: 0 auto;
          padding: 1.5rem 1rem 5rem; }
        .index { display: none; }
        .index h2 { font-size: .925rem; letter-spacing: 0; margin: 1.1rem 0 .35rem; }
        .index h2:first-child { margin-top: 0; }
        .index a {
          display: grid; grid-template-columns: 3.6rem minmax(0, 1fr); gap: .4rem; padding: .22rem .5rem;
          border-radius: 7px;
          font: .8rem/1.45 var(--mono); color: var(--ink); text-decoration: none;
        }
        .index a:hover { background: var(--well); }
        .index a[aria-current] { background: var(--well); }
        .index a.type { display: block; }
        ::placeholder { color: var(--muted); opacity: 1; }
        .verb { font: 700 .76rem/1.5 var(--mono); text-transform: uppercase; color: var(--hue); }
        .get { --hue: var(--get); } .post { --hue: var(--post); } .put { --hue: var(--put); }
        .patch { --hue: var(--patch); } .delete { --hue: var(--delete); }
        .notice { max-width: 40rem; margin: 2rem auto; padding: 0 1rem; }
        .status { color: var(--muted); min-height: 1.5em; font-size: .925rem; }
        .status:empty { min-height: 0; }
        main h1 { font-size: clamp(1.7rem, 1.3rem + 1.8vw, 2.4rem); letter-spacing: -.03em; }
        main h1 small { font: 450 .95rem var(--mono); color: var(--muted); letter-spacing: 0;
          margin-inline-start: .4rem; }
        .prose { max-width: 68ch; text-wrap: pretty; }
        .prose + .prose { margin-top: .6rem; }
        #intro .prose { margin-top: .8rem; color: var(--muted); }
        .group { margin-top: 2.5rem; }
        .group > h2 { font-size: 1.4rem; letter-spacing: -.02em; margin-bottom: .35rem; }
        .group > .prose { color: var(--muted); }
        .call { margin-top: .6rem; background: var(--card); border: 1px solid var(--line); border-radius: 13px; }
        .call > summary {
          display: grid; grid-template-columns: 4.4rem minmax(0, 1fr); gap: .1rem .5rem; align-items: baseline;
          padding: .8rem 1rem;
          cursor: pointer; list-style: none; border-radius: 13px;
        }
        .call > summary::-webkit-details-marker { display: none; }
        .call > summary:hover { background: var(--well); }
        .call[open] > summary { border-bottom: 1px solid var(--line); border-radius: 13px 13px 0 0; }
        .path { font: 600 .95rem/1.5 var(--mono); }
        .path i { color: var(--muted); font-style: normal; }
        .call > summary .about { grid-column: 2; color: var(--muted); font-size: .925rem; }
        .body { display: grid; gap: 1.25rem; padding: 1.1rem 1rem 1.25rem; grid-template-columns: minmax(0, 1fr); }
        .body section { display: grid; gap: .5rem; grid-template-columns: minmax(0, 1fr); }
        .body h3 { font-size: 1rem; }
        .body h4 { margin: 0; font-size: .9rem; font-weight: 600; }
        .facts { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; color: var(--muted);
          font-size: .9rem; }
        code { font: .9em var(--mono); background: var(--well); padding: .05em .3em; border-radius: 5px; }
        .wrap { overflow-x: auto; border: 1px solid var(--line); border-radius: 10px; }
        table { width: 100%; border-collapse: collapse; font-size: .9rem; line-height: 1.45; }
        th, td { text-align: start; vertical-align: top; padding: .5rem .75rem; border-top: 1px solid var(--line);
          overflow-wrap: break-word; }
        thead th { border-top: 0; background: var(--well); font-weight: 600; font-size: .84rem; }
        tbody th { font: 600 .86rem/1.55 var(--mono); width: 30%; min-width: 9.5rem; }
        td:nth-child(2) { width: 26%; min-width: 8.5rem; }
        td:nth-child(3) { min-width: 12rem; }
        tbody th em { display: block; font: 450 .8rem var(--sans); color: var(--muted); }
        tbody th em.must { color: var(--fault); }
        .deep1 th { padding-inline-start: 1.75rem; } .deep2 th { padding-inline-start: 2.75rem; }
        .deep3 th, .deep4 th { padding-inline-start: 3.75rem; }
        .limits { display: block; color: var(--muted); font-size: .84rem; }
        pre {
          margin: 0; padding: .85rem 1rem; overflow-x: auto; background: var(--well); border-radius: 10px;
          font: .84rem/1.55 var(--mono);
          overflow-wrap: normal; white-space: pre; tab-size: 2;
        }
        .answer { border: 1px solid var(--line); border-radius: 10px; }
        .answer > summary { padding: .5rem .85rem; cursor: pointer; font-size: .925rem; border-radius: 10px; }
        .answer > summary b { font-family: var(--mono); margin-inline: .15rem .5rem; }
        .answer > summary:hover { background: var(--well); }
        .answer > div { display: grid; gap: .6rem; padding: .3rem .85rem .85rem; grid-template-columns: minmax(0, 1fr);
          }
        .good { color: var(--post); } .moved { color: var(--get); } .bad { color: var(--delete); }
        .anchor { font-size: .875rem; }
        .none { padding: 2.5rem 1.25rem; border: 1px dashed var(--edge); border-radius: 14px; text-align: center;
          color: var(--muted); margin-top: 1.5rem; }
        @media (min-width: 980px) {
          .frame { grid-template-columns: 300px minmax(0, 1fr); gap: 2.5rem; }
          .index { display: block; position: sticky; top: 60px; align-self: start; max-height: calc(100vh - 60px);
            overflow-y: auto; padding: 1.5rem .5rem 2rem 0; margin-top: -1.5rem; scrollbar-width: thin; }
        }
        @media (max-width: 559px) {
          thead { position: absolute; clip-path: inset(50%); }
          tbody tr { display: block; padding: .5rem 0; border-top: 1px solid var(--line); }
          tbody tr:first-child { border-top: 0; }
          tbody th, tbody td, td:nth-child(n) { display: block; width: auto; min-width: 0; padding-block: .1rem;
            border: 0; }
          tbody td:empty { display: none; }
          .bar { flex-wrap: wrap; padding-inline: .75rem; }
          .raw { margin-inline-start: auto; }
          .find { flex-basis: 100%; order: 2; }
          .find input { width: 100%; }
          html { scroll-padding-top: 124px; }
          .call > summary { grid-template-columns: minmax(0, 1fr); }
          .call > summary .about { grid-column: 1; }
        }
        """#
}
