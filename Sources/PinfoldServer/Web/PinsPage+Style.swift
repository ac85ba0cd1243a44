extension PinsPage {
    static let style = #"""
        .bar {
          position: sticky; top: 0; z-index: 10; display: flex; align-items: center; gap: .5rem 1.5rem;
          min-height: 60px;
          padding: .5rem max(1rem, calc((100% - 1240px) / 2)); background: var(--card);
          border-bottom: 1px solid var(--line);
        }
        .brand { display: inline-flex; align-items: center; gap: .55rem; color: var(--ink); text-decoration: none; }
        .brand-name { font-weight: 700; font-size: 1.2rem; letter-spacing: -.025em; }
        .bar nav { display: flex; gap: .25rem; align-self: stretch; }
        .bar nav a {
          display: inline-flex; align-items: center; gap: .4rem; padding: .35rem .75rem; border-radius: 8px;
          color: var(--muted); text-decoration: none; font-weight: 550; white-space: nowrap;
        }
        #sign-out svg { display: none; }
        .bar nav a:hover { color: var(--ink); background: var(--well); }
        .bar nav a[aria-current] { color: var(--ink); background: var(--well); }
        .badge {
          min-width: 1.3rem; padding: 0 .35rem; border-radius: 1rem; background: var(--spruce); color: var(--on-ink);
          font-size: .78rem; line-height: 1.3rem; text-align: center; font-variant-numeric: tabular-nums;
        }
        .bar-end { display: flex; align-items: center; gap: .75rem; margin-inline-start: auto; min-width: 0; }
        .me { color: var(--muted); max-width: 12rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }

        .button {
          display: inline-flex; align-items: center; justify-content: center; gap: .45rem; min-height: 42px;
          padding: .45rem 1rem; border: 1px solid var(--ink); border-radius: 9px; background: var(--ink);
          color: var(--on-ink); font-weight: 600; cursor: pointer; white-space: nowrap;
        }
        .button:hover { filter: brightness(1.25); }
        .button:active { transform: translateY(1px); }
        .button[aria-disabled="true"], .button:disabled { opacity: .55; cursor: progress; }
        .button.quiet { background: transparent; color: var(--ink); border-color: var(--line); font-weight: 550; }
        .button.quiet:hover { background: var(--well); filter: none; }
        .button.small { min-height: 34px; padding: .2rem .7rem; font-size: .9rem; border-radius: 8px; }
        .button.wide { width: 100%; }
        .button svg, .round svg { width: 16px; height: 16px; fill: none; stroke: currentColor; stroke-width: 2;
          stroke-linecap: round; }
        .round {
          display: inline-grid; place-items: center; width: 36px; height: 36px; border: 1px solid var(--line);
          border-radius: 50%; background: var(--card); cursor: pointer;
        }
        .round:hover { background: var(--well); }
        .round:disabled { opacity: .4; cursor: default; }
        .link {
          padding: 0; border: 0; background: none; color: var(--spruce); cursor: pointer; text-decoration: underline;
          text-underline-offset: .18em; text-decoration-thickness: .07em; font-weight: 550;
        }
        .small-text, .hint, .optional { color: var(--muted); font-size: .875rem; }
        .optional { font-weight: 400; }
        .hint { line-height: 1.4; }

        .field { display: grid; gap: .35rem; min-width: 0; }
        .field > label, legend { font-weight: 600; font-size: .925rem; padding: 0; }
        legend { margin-bottom: .35rem; }
        input:not([type="radio"]), select, textarea {
          width: 100%; min-height: 42px; padding: .5rem .75rem; border: 1px solid var(--edge); border-radius: 9px;
          background: var(--card); min-width: 0;
        }
        textarea { resize: vertical; min-height: 5.2rem; display: block; }
        ::placeholder { color: var(--muted); opacity: .85; }
        [aria-invalid="true"] { border-color: var(--fault) !important; box-shadow: inset 0 0 0 1px var(--fault); }
        .fault { color: var(--fault); font-size: .875rem; line-height: 1.35; }
        .alert {
          padding: .65rem .85rem; border: 1px solid var(--fault); border-radius: 9px; color: var(--fault);
          font-size: .94rem; line-height: 1.4;
        }
        .alert.calm { border-color: var(--line); background: var(--well); color: var(--ink); }
        .joined { display: flex; gap: .5rem; }
        .joined input { flex: 1; font-variant-numeric: tabular-nums; }
        .panel {
          background: var(--card); border: 1px solid var(--line); border-radius: 16px; padding: 1.25rem;
          box-shadow: var(--shadow);
        }
        .notice { max-width: 40rem; margin: 2rem auto; padding: 0 1rem; }

        .door {
          display: grid; gap: 2.25rem; align-content: center; max-width: 1020px; margin: 0 auto;
          padding: 2rem 1rem 4rem;
        }
        .door > * { position: relative; }
        .backdrop { display: none; }
        .pitch { display: grid; gap: 1.1rem; align-content: center; }
        .pitch .mark { width: 38px; height: 38px; }
        .pitch .brand-name { font-size: 1.4rem; }
        .pitch h1 { font-size: clamp(2rem, 1.3rem + 3.4vw, 3.5rem); line-height: 1.04; letter-spacing: -.035em; }
        .pitch > p:last-child { max-width: 30rem; color: var(--muted); font-size: 1.1rem; text-wrap: pretty; }
        .door .panel form { display: grid; gap: 1.05rem; }
        .door .panel h2 { font-size: 1.35rem; }
        .door .panel { padding: 1.5rem; }
        .aside-note { color: var(--muted); text-align: center; }

        .pins-view {
          display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.25rem; max-width: 1272px; margin: 0 auto;
          padding: 1rem 1rem 6.5rem;
        }
        .side { display: grid; gap: 1rem; align-content: start; min-width: 0; }
        .overview { background: var(--card); border: 1px solid var(--line); border-radius: 16px; overflow: hidden; }
        .overview svg#plot { display: block; width: 100%; max-width: 560px; margin: 0 auto; aspect-ratio: 1;
          cursor: crosshair;
          user-select: none; -webkit-user-select: none; touch-action: manipulation; }
        .overview figcaption {
          display: flex; align-items: center; justify-content: space-between; gap: .75rem;
          padding: .4rem .5rem .5rem 1rem;
          min-height: 54px; color: var(--muted); font-size: .875rem; line-height: 1.35;
        }
        .zoom { display: inline-flex; gap: .35rem; flex: none; }
        .chosen {
          display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem .75rem;
          padding: .65rem 1rem; border-top: 1px solid var(--line);
        }
        .chosen-acts { display: flex; flex-wrap: wrap; gap: .4rem; }
        .position { font: .85rem/1.4 var(--mono); color: var(--muted); white-space: nowrap; }
        .disc { fill: var(--paper); }
        .ring { fill: none; stroke: var(--line); stroke-width: 1; }
        .ring.rim { stroke: var(--edge); stroke-width: 1.25; }
        .axis { stroke: var(--line); stroke-width: 1; }
        .centre { fill: none; stroke: var(--ink); stroke-width: 1.75; stroke-linecap: round; }
        .cross { fill: none; stroke: var(--focus); stroke-width: 2; stroke-linecap: round; }
        #plot text { font-family: var(--sans); fill: var(--muted); font-size: 10.5px; }
        #plot .compass { font-size: 12px; font-weight: 650; text-anchor: middle; }
        #plot .scale { text-anchor: middle; paint-order: stroke; stroke: var(--paper); stroke-width: 6px;
          stroke-linejoin: round; font-variant-numeric: tabular-nums; }
        #plot .dot-name { fill: var(--ink); font-size: 11px; font-weight: 550; paint-order: stroke;
          stroke: var(--paper);
          stroke-width: 3.5px; stroke-linejoin: round; pointer-events: none; }
        .dot { stroke: var(--card); stroke-width: 1.75; }
        .dot.picked { stroke: var(--ink); stroke-width: 2.5; }
        .halo { fill: none; stroke: var(--ink); stroke-width: 1.25; opacity: .55; }
        .food { --hue: var(--food); } .nightlife { --hue: var(--nightlife); } .nature { --hue: var(--nature); }
        .shopping { --hue: var(--shopping); } .culture { --hue: var(--culture); } .education { --hue: var(--education);
          }
        .other { --hue: var(--other); }
        .dot { fill: var(--hue, var(--other)); }

        .listing { display: grid; gap: .9rem; align-content: start; min-width: 0; }
        .filters { display: grid; gap: .7rem; min-width: 0; }
        .filter-row { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 9rem); gap: .5rem; }
        .chips { display: flex; flex-wrap: wrap; gap: .4rem; }
        .chip {
          display: inline-flex; align-items: center; gap: .4rem; min-height: 36px; padding: .2rem .75rem .2rem .55rem;
          border: 1px solid var(--line); border-radius: 99px; background: var(--card); cursor: pointer;
          font-size: .925rem;
          font-weight: 550;
        }
        .chip svg { width: 18px; height: 18px; color: var(--hue); }
        .chip:hover { background: var(--well); }
        .chip[aria-pressed="true"] { background: var(--hue); border-color: var(--hue); color: var(--card); }
        .chip[aria-pressed="true"] svg { color: var(--card); }
        .icon { fill: none; stroke: currentColor; stroke-width: 1.35; stroke-linecap: round; stroke-linejoin: round; }
        .summary { color: var(--muted); font-size: .925rem; min-height: 1.5em; font-variant-numeric: tabular-nums; }
        .pins { display: grid; gap: .6rem; min-width: 0; transition: opacity .15s; }
        .pins[aria-busy="true"] { opacity: .55; }
        .pin {
          display: grid; grid-template-columns: 40px minmax(0, 1fr); gap: .1rem .9rem; padding: 1rem;
          background: var(--card); border: 1px solid var(--line); border-radius: 14px; scroll-margin: 84px 0 100px;
        }
        .pin.picked { border-color: var(--ink); box-shadow: 0 0 0 1px var(--ink); }
        .token {
          display: grid; place-items: center; width: 40px; height: 40px; border-radius: 50%; color: var(--hue);
          background: color-mix(in srgb, var(--hue) 14%, transparent);
        }
        .token svg { width: 21px; height: 21px; }
        .pin-head { display: flex; align-items: baseline; justify-content: space-between; gap: .25rem 1rem; }
        .pin h2 { font-size: 1.075rem; min-width: 0; }
        .distance { flex: none; font-weight: 600; font-variant-numeric: tabular-nums; white-space: nowrap; }
        .distance small { font-weight: 450; font-size: .82rem; color: var(--muted); margin-inline-start: .3rem; }
        .meta { display: flex; flex-wrap: wrap; color: var(--muted); font-size: .9rem; align-items: baseline;
          margin-inline-start: -1.25rem; clip-path: inset(0 0 0 1.25rem); }
        /* The point before the first of a line lies in the part that is clipped away. */
        .meta > *::before { content: "·"; display: inline-block; width: 1.25rem; color: var(--edge); text-align: center;
          letter-spacing: 0; }
        .stars { color: var(--star); letter-spacing: .06em; white-space: nowrap; }
        .stars .unlit { color: var(--unlit); }
        .comment { margin-top: .45rem; white-space: pre-line; unicode-bidi: plaintext; text-wrap: pretty;
          max-width: 65ch; }
        .address { margin-top: .3rem; color: var(--muted); font-size: .9rem; line-height: 1.4; }
        .pin-foot { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between;
          gap: .25rem .75rem;
          margin-top: .35rem; min-height: 28px; }
        .pin-foot .link { color: var(--muted); font-size: .9rem; padding: .25rem 0; }
        .pin-foot .link:hover { color: var(--fault); }
        .tag { padding: 0 .45rem; border: 1px solid var(--line); border-radius: 6px; font-size: .8rem;
          line-height: 1.45;
          color: var(--ink); }
        .gone { grid-template-columns: minmax(0, 1fr) auto; align-items: center; border-style: dashed; background: none;
          color: var(--muted); padding: .6rem 1rem; }
        .bone { height: 118px; background: var(--card); border: 1px solid var(--line); border-radius: 14px;
          opacity: .6; }
        .blank { padding: 2.5rem 1.25rem; border: 1px dashed var(--edge); border-radius: 14px; text-align: center;
          display: grid; gap: .4rem; }
        .blank h2 { font-size: 1.15rem; }
        .blank p { color: var(--muted); max-width: 34rem; margin: 0 auto; text-wrap: balance; }

        .people-view { max-width: 1080px; margin: 0 auto; padding: 1.5rem 1rem 4rem; display: grid; gap: 1.1rem;
          grid-template-columns: minmax(0, 1fr); }
        .people-view > h1 { font-size: 1.7rem; letter-spacing: -.025em; }
        .people-columns, .people-columns > div { display: grid; gap: 1rem; align-content: start;
          grid-template-columns: minmax(0, 1fr); }
        .people-view .panel { display: grid; gap: .85rem; box-shadow: none; min-width: 0; }
        .people-view h2 { font-size: 1.05rem; }
        .people { display: grid; }
        .people > li { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .8rem; padding: .7rem 0;
          border-top: 1px solid var(--line); }
        .people > li:first-child { border-top: 0; padding-top: .1rem; }
        .people > li:last-child { padding-bottom: 0; }
        .people > .none { color: var(--muted); }
        .face { flex: none; display: grid; place-items: center; width: 40px; height: 40px; border-radius: 50%;
          background: var(--well); color: var(--spruce); font-weight: 650; }
        .who { flex: 1 1 9rem; min-width: 0; line-height: 1.35; }
        .who b { font-weight: 600; }
        .who span { color: var(--muted); font-size: .9rem; display: block; }
        .acts { display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; color: var(--muted); font-size: .9rem;
          }

        dialog {
          width: min(560px, calc(100vw - 1.5rem)); max-height: calc(100dvh - 1.5rem); padding: 0;
          border: 1px solid var(--line);
          border-radius: 18px; background: var(--card); color: var(--ink); box-shadow: 0 24px 64px #0005;
          overflow: auto;
        }
        dialog::backdrop { background: #0b110ea6; }
        dialog form { display: grid; gap: 1rem; padding: 1.25rem; }
        .dialog-head, .dialog-foot { display: flex; align-items: center; justify-content: space-between; gap: .6rem; }
        .dialog-head h2 { font-size: 1.3rem; }
        .dialog-foot { justify-content: flex-end; position: sticky; bottom: 0; margin: 0 -1.25rem -1.25rem;
          padding: .8rem 1.25rem; background: var(--card); border-top: 1px solid var(--line); }
        .pair { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; align-items: start; }
        .choices { display: flex; flex-wrap: wrap; gap: .4rem; }
        .choice { position: relative; display: inline-flex; }
        .choice input, .star input { position: absolute; inset: 0; opacity: 0; margin: 0; cursor: pointer; }
        .choice > span {
          display: inline-flex; align-items: center; gap: .4rem; min-height: 36px; padding: .2rem .8rem;
          border: 1px solid var(--line); border-radius: 99px; font-size: .925rem; font-weight: 550;
        }
        .choice svg { width: 18px; height: 18px; color: var(--hue); }
        .choice:hover > span { background: var(--well); }
        .choice input:checked + span { background: var(--hue, var(--ink)); border-color: var(--hue, var(--ink));
          color: var(--card); }
        .choice input:checked + span svg { color: var(--card); }
        .choice input:focus-visible + span, .star input:focus-visible + span { outline: 2.5px solid var(--focus);
          outline-offset: 2px; border-radius: 99px; }
        .rating-row { display: flex; align-items: center; gap: .75rem; }
        .star-input { display: inline-flex; }
        .star { position: relative; display: inline-grid; place-items: center; width: 36px; height: 36px;
          font-size: 1.6rem;
          line-height: 1; color: var(--unlit); }
        .star:has(input:checked), .star:has(~ .star input:checked) { color: var(--star); }
        .toast {
          position: fixed; inset-inline: 0; bottom: 1.25rem; z-index: 20; width: max-content;
          max-width: calc(100vw - 2rem);
          margin: 0 auto; display: flex; align-items: center; gap: 1rem; padding: .7rem 1.1rem; border-radius: 12px;
          background: var(--ink); color: var(--on-ink); box-shadow: 0 12px 32px #0004;
        }
        .toast:empty { display: none; }
        .toast .link { color: inherit; }

        @media (min-width: 900px) {
          .door { grid-template-columns: 1.15fr minmax(360px, 420px); gap: 4rem; min-height: 100vh; min-height: 100dvh;
            padding-block: 3rem; }
          .door > .backdrop { display: block; position: fixed; right: -26rem; top: -26rem; width: 60rem;
            height: 60rem; color: var(--line); stroke-width: 1.5; z-index: -1; }
          .people-columns { grid-template-columns: repeat(2, minmax(0, 1fr)); }
        }
        @media (min-width: 980px) {
          .pins-view { grid-template-columns: minmax(400px, 480px) minmax(0, 1fr); gap: 1.75rem; padding-top: 1.5rem; }
          .side { position: sticky; top: 84px; align-self: start; }
        }
        @media (min-width: 980px) and (max-height: 760px) {
          .overview svg#plot { width: min(100%, calc(100vh - 310px)); }
        }
        @media (max-width: 719px) {
          .bar { gap: .5rem; padding-inline: .75rem; }
          .bar-end { gap: .5rem; }
          .me { display: none; }
          #bar .drop { position: fixed; inset-inline-end: 1rem; bottom: 1rem; z-index: 9; min-height: 52px;
            padding-inline: 1.25rem; border-radius: 99px; box-shadow: 0 8px 28px #0004; }
          .toast { bottom: 5rem; }
          #sign-out { min-height: 38px; padding-inline: .7rem; font-size: .925rem; }
          .chips { flex-wrap: nowrap; overflow-x: auto; margin-inline: -1rem; padding: 3px 1rem; scrollbar-width: none;
            }
          .chip { flex: none; }
          .overview svg#plot { max-width: 330px; }
          body.on-people #bar .drop { display: none; }
        }
        @media (max-width: 559px) {
          .people .acts { flex-basis: 100%; padding-inline-start: 52px; }
        }
        @media (max-width: 419px) {
          .bar .brand-name { display: none; }
          .bar nav a { padding-inline: .6rem; }
          #sign-out svg { display: block; }
          #sign-out span { position: absolute; clip-path: inset(50%); width: 1px; overflow: hidden; }
          .pin { padding: .9rem; column-gap: .75rem; }
          .filter-row { grid-template-columns: minmax(0, 1fr) minmax(0, 8.7rem); }
          .star { width: 32px; }
        }
        """#
}
