extension ReportPage {
  /// The style of the page.
  static let style = """
    :root { color-scheme: light dark;
      --paper: #f6f7f9; --card: #fff; --ink: #1b2330; --soft: #566173; --line: #d5dae2;
      --head: #eef1f5; --link: #1257b0; --value: #2f7d5b; --nil: #c3c9d3;
      --good: #11643f; --good-paper: #e2f3ea; --attention: #7a4d00; --attention-paper: #fdf0d3;
      --bad: #a11226; --bad-paper: #fde5e6; }
    @media (prefers-color-scheme: dark) { :root {
      --paper: #12161c; --card: #1a2029; --ink: #e6eaf0; --soft: #9eabbd; --line: #343d4b;
      --head: #232b37; --link: #86b8ff; --value: #4fb287; --nil: #4b5666;
      --good: #7fdcae; --good-paper: #12352a; --attention: #f3c872; --attention-paper: #3a2c0e;
      --bad: #ff9ca4; --bad-paper: #431820; } }
    * { box-sizing: border-box; }
    html { scroll-padding-top: 4.5rem; -webkit-text-size-adjust: 100%; }
    body { margin: 0; background: var(--paper); color: var(--ink);
      font: 15px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
    main, .band > *, footer { max-width: 76rem; margin: 0 auto; padding: 0 1.5rem; }
    a { color: var(--link); }
    .band { padding: 2rem 0 1.75rem; border-bottom: 1px solid var(--line); }
    .good { background: var(--good-paper); } .good h1, .good .icon { color: var(--good); }
    .attention { background: var(--attention-paper); }
    .attention h1, .attention .icon { color: var(--attention); }
    .bad { background: var(--bad-paper); } .bad h1, .bad .icon { color: var(--bad); }
    .kicker { font-size: .8rem; letter-spacing: .06em; text-transform: uppercase;
      color: var(--ink); opacity: .8; }
    h1 { font-size: clamp(1.45rem, 1rem + 2vw, 2.2rem); line-height: 1.2; font-weight: 650;
      display: flex; gap: .9rem; align-items: flex-start; text-wrap: balance; }
    .band h1 { margin: .4rem auto .6rem; }
    .icon { flex: none; width: 1.2em; height: 1.2em; }
    .where { overflow-wrap: anywhere; }
    .meaning { margin: 0 auto .5rem; }
    .skip { position: absolute; left: 1rem; top: -4rem; z-index: 2; padding: .4rem .8rem;
      background: var(--card); border: 1px solid var(--soft); border-radius: 6px; }
    .skip:focus { top: .5rem; }
    nav ul { max-width: 76rem; margin: 0 auto; padding: .7rem 1.5rem; display: flex;
      flex-wrap: wrap; gap: .2rem 1.1rem; list-style: none; }
    nav a { display: inline-block; padding: .1rem 0; }
    .tools { position: sticky; top: 0; z-index: 1; background: var(--paper);
      border: solid var(--line); border-width: 1px 0; }
    .tools > div { max-width: 76rem; margin: 0 auto; padding: .45rem 1.5rem; display: flex;
      flex-wrap: wrap; gap: .3rem 1.1rem; align-items: center; }
    .tools input, .tools button { font: inherit; font-size: .9rem; color: inherit;
      background: var(--card); border: 1px solid var(--soft); border-radius: 6px;
      padding: .25rem .6rem; }
    .tools input { width: 15rem; min-width: 9rem; flex: 0 1 15rem; }
    .tools button { cursor: pointer; }
    .found { color: var(--soft); font-size: .85rem; }
    section { margin: 2rem 0; }
    h2 { font-size: 1.25rem; margin: 0 0 .35rem; font-weight: 650; }
    h2 small, h3 small { font-weight: 400; color: var(--soft); font-size: .85rem; }
    section > p { margin: 0 0 .8rem; color: var(--soft); max-width: 46rem; }
    .tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr));
      gap: .75rem; margin: 0 0 1.25rem; }
    .tiles div, .card { background: var(--card); border: 1px solid var(--line);
      border-radius: 10px; }
    .tiles div { padding: .7rem .9rem; min-width: 0; }
    .tiles dt { color: var(--soft); font-size: .85rem; }
    .tiles dd { margin: 0; font-size: 1.35rem; font-weight: 620; line-height: 1.3; overflow-wrap: anywhere;
      font-variant-numeric: tabular-nums; }
    .findings { list-style: none; margin: 0; padding: .35rem 1rem; }
    .findings li { padding: .4rem 0 .4rem 1.6rem; border-top: 1px solid var(--line);
      position: relative; }
    .findings li:first-child { border-top: 0; }
    .findings li::before { content: ""; position: absolute; left: .2rem; top: .85rem;
      width: .65rem; height: .65rem; border-radius: 50%; background: var(--nil); }
    .findings .is-attention::before { background: var(--attention); border-radius: 2px; }
    .findings .is-bad::before { background: var(--bad); border-radius: 2px;
      transform: rotate(45deg); }
    .findings .is-bad { font-weight: 600; }
    .marks { display: flex; flex-wrap: wrap; gap: .2rem 1.4rem; font-size: .85rem;
      margin: .6rem 0 0; max-width: none; }
    .marks span { padding-left: 1.1rem; position: relative; }
    .marks span::before { content: ""; position: absolute; left: 0; top: .4em; width: .65rem;
      height: .65rem; border-radius: 2px; background: var(--attention); }
    .marks .is-bad::before { background: var(--bad); transform: rotate(45deg); }
    .card { overflow-x: auto; }
    summary { cursor: pointer; }
    .fold { margin: 0 0 1rem; }
    .fold > summary { padding: .3rem 0; color: var(--link); width: fit-content; }
    table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
    th, td { text-align: left; padding: .45rem .8rem; vertical-align: top;
      border-top: 1px solid var(--line); }
    thead th { border-top: 0; background: var(--head); font-size: .85rem; white-space: nowrap; }
    tbody th { font-weight: 600; }
    tfoot td, tfoot th { border-top: 2px solid var(--soft); font-weight: 600; }
    .number { text-align: right; white-space: nowrap; }
    td[data-k] { overflow-wrap: normal; }
    thead button { font: inherit; color: inherit; background: none; border: 0; padding: 0;
      cursor: pointer; }
    thead button::after { content: " \\2195"; opacity: .45; }
    thead [aria-sort=ascending] button::after { content: " \\2191"; opacity: 1; }
    thead [aria-sort=descending] button::after { content: " \\2193"; opacity: 1; }
    .q { overflow-wrap: anywhere; }
    tbody th .q { overflow-wrap: break-word; }
    td:first-child { min-width: 9rem; }
    .mono, .digest { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace;
      font-size: .88em; }
    .digest { display: block; color: var(--soft); font-size: .75rem; overflow-wrap: anywhere;
      font-weight: 400; }
    .tag { display: inline-block; padding: 0 .55em; border-radius: 99px; font-size: .85rem;
      font-weight: 600; white-space: nowrap; }
    .tag.good { color: var(--good); } .tag.bad { color: var(--bad); }
    .tag.plain { background: var(--head); color: var(--soft); }
    .more { padding: .5rem .8rem; margin: 0; color: var(--soft); border-top: 1px solid var(--line); }
    .bar { display: block; width: 8rem; min-width: 5rem; height: .6rem; border-radius: 3px;
      margin-top: .4rem; }
    .bar .v { fill: var(--value); } .bar .n { fill: var(--nil); }
    .swatch { display: inline-block; width: .7rem; height: .7rem; border-radius: 3px;
      background: var(--value); } .swatch.n { background: var(--nil); }
    .entity { margin: .6rem 0; }
    .entity > summary { padding: .5rem .8rem; }
    .entity h3 { display: inline; font-size: 1.02rem; margin: 0; overflow-wrap: anywhere; }
    .entity .scroll { border-top: 1px solid var(--line); }
    .scroll { overflow-x: auto; scroll-margin-top: 6rem; }
    .figures { display: flex; flex-wrap: wrap; gap: 1rem; margin: 0; align-items: flex-start; }
    figure { margin: 0; max-width: 100%; padding: .4rem; }
    .zoom { border: 0; margin: 0; padding: .2rem .5rem .4rem; display: flex; gap: 1rem;
      font-size: .85rem; }
    .zoom legend { float: left; padding: 0; color: var(--soft); }
    .diagram { display: block; width: auto; height: auto; max-width: 100%; max-height: 80vh;
      font-family: system-ui, "Segoe UI", Roboto, Arial, sans-serif; }
    figure:has(.full:checked) .diagram, figure:has(.twice:checked) .diagram {
      max-width: none; max-height: none; }
    figure:has(.twice:checked) .diagram { zoom: 2; }
    \(DiagramGraph.Drawing.style)
    .legend { display: flex; flex-wrap: wrap; gap: .2rem 1.4rem; font-size: .85rem;
      color: var(--soft); margin: .5rem 0 0; align-items: center; }
    .legend svg { width: 3.2rem; height: 1rem; vertical-align: middle; margin-right: .3rem; }
    .facts { display: grid; grid-template-columns: max-content 1fr; margin: 0; }
    .facts dt, .facts dd { padding: .4rem .9rem; margin: 0; border-top: 1px solid var(--line); }
    .facts dt:first-of-type, .facts dd:first-of-type { border-top: 0; }
    .facts dt { color: var(--soft); }
    .facts dd { overflow-wrap: anywhere; }
    footer { color: var(--soft); font-size: .85rem; padding-bottom: 2.5rem; }
    [hidden] { display: none !important; }
    :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
    @media (max-width: 40rem) {
      body { font-size: 14px; }
      main, .band > *, footer, nav ul, .tools > div { padding-left: 1rem; padding-right: 1rem; }
      .tools input { flex: 1; }
      table, tbody, tfoot, tr, th, td { display: block; }
      thead { display: none; }
      tr { border-top: 1px solid var(--line); padding: .35rem .6rem; }
      th, td, tfoot td, tfoot th { border: 0; padding: .1rem 0; }
      td[data-k] { display: inline-block; margin-right: .9rem; text-align: left; }
      td[data-k]::before { content: attr(data-k) " "; color: var(--soft); font-size: .85em;
        font-weight: 400; }
      td:empty { display: none; }
      .tiles { grid-template-columns: repeat(2, 1fr); gap: .5rem; }
      .facts { grid-template-columns: 1fr; }
      .facts dd { border-top: 0; padding-top: 0; }
      .bar { width: 5rem; } }
    @media print {
      :root { --paper: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb;
        --head: #f0f0f0; --link: #000; --value: #2f7d5b; --nil: #c3c9d3; --good: #0b4f31;
        --good-paper: #fff; --attention: #6b4300; --attention-paper: #fff; --bad: #8c0c1e;
        --bad-paper: #fff; color-scheme: light; }
      @page { margin: 14mm; }
      body { font-size: 9.5pt; -webkit-print-color-adjust: exact; print-color-adjust: exact; }
      nav, .tools, .skip, .zoom { display: none; }
      /* A button is painted on the first sheet only. */
      thead button { display: contents; } thead button::after { content: none; }
      .printed::details-content { content-visibility: visible; display: block; }
      .printed > summary { list-style: none; } .fold.printed > summary { display: none; }
      .fold:not(.printed):not([open]) > summary::after {
        content: " (folded, and not printed: open the list to print it)"; }
      main, .band > *, footer { max-width: none; padding-left: 0; padding-right: 0; }
      .band { padding: 0 0 .6rem; border-bottom: 2px solid; }
      h1 { font-size: 17pt; } h2, h3 { break-after: avoid; }
      section { margin: 1.1rem 0; }
      .card, figure, .scroll { overflow: visible; border-radius: 0; }
      tr, .tiles div, .findings li { break-inside: avoid; }
      thead { display: table-header-group; } tfoot { display: table-row-group; }
      tbody th .q { overflow-wrap: anywhere; }
      .digest { font-size: 6.3pt; white-space: nowrap; }
      th, td { padding: .2rem .4rem; }
      thead th { white-space: normal; }
      .tiles { grid-template-columns: repeat(7, 1fr); gap: .4rem; }
      .tiles dd { font-size: 12pt; } .tiles div { padding: .3rem .5rem; }
      .diagram { max-height: 12cm; }
      figure { break-inside: avoid; }
      a { text-decoration: none; } .bar { width: 4.5rem; min-width: 3rem; } }
    """
}
