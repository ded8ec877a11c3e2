extension ReportPage {
  /// The script of the page: it adds a filter, makes tables sortable, and opens what is folded where
  /// a link leads into it.
  ///
  /// The page is whole without it.
  static let script = """
    "use strict";
    (() => {
      const all = (selector, root = document) => [...root.querySelectorAll(selector)];
      const rows = all("main tbody tr");
      const folds = all("details");
      const openAround = element => {
        for (let fold = element.closest("details"); fold;
          fold = fold.parentElement.closest("details")) fold.open = true;
      };
      const reveal = () => {
        const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
        if (!target) return;
        openAround(target);
        target.scrollIntoView();
      };
      window.addEventListener("hashchange", reveal);
      if (location.hash) reveal();

      let opened = [];
      window.addEventListener("beforeprint", () => {
        opened = folds.filter(fold => fold.matches(".printed:not([open])"));
        for (const fold of opened) fold.open = true;
      });
      window.addEventListener("afterprint", () => {
        for (const fold of opened) fold.open = false;
      });

      if (rows.length > 10) {
        const tools = document.createElement("div");
        tools.className = "tools";
        tools.setAttribute("role", "search");
        const bar = document.createElement("div");
        const top = document.createElement("a");
        top.href = "#contents";
        top.textContent = "Contents";
        const field = document.createElement("input");
        field.type = "search";
        field.placeholder = "Filter all lists";
        field.setAttribute("aria-label", "Filter all lists");
        const found = document.createElement("span");
        found.className = "found";
        found.setAttribute("role", "status");
        bar.append(top, field, found);
        tools.append(bar);
        document.querySelector("nav").after(tools);
        const number = count => count.toLocaleString("en-US");
        const missing = Number(document.body.dataset.missing);
        const sections = all("main section").filter(section => section.querySelector("tbody"));
        const entities = all(".entity");
        let words;
        let wereOpen;
        const filter = () => {
          const text = field.value.trim().toLowerCase();
          const isOn = text !== "";
          words ??= new Map(rows.map(row => [row, row.textContent.toLowerCase()]));
          wereOpen ??= new Map(folds.map(fold => [fold, fold.open]));
          const shown = new Set(rows.filter(row => !isOn || words.get(row).includes(text)));
          const matches = new Set();
          for (const entity of entities) {
            const isNamed = isOn
              && entity.querySelector("h3").textContent.toLowerCase().includes(text);
            const own = all("tbody tr", entity);
            if (isNamed) {
              matches.add(entity);
              for (const row of own) shown.add(row);
            }
            entity.hidden = isOn && !isNamed && !own.some(row => shown.has(row));
          }
          for (const row of rows) {
            row.hidden = !shown.has(row);
            if (isOn && !row.hidden) matches.add(row);
          }
          const open = new Set();
          for (const match of matches) {
            for (let fold = match.closest("details"); fold && !open.has(fold);
              fold = fold.parentElement.closest("details")) open.add(fold);
          }
          for (const fold of folds) fold.open = isOn ? open.has(fold) : wereOpen.get(fold);
          if (!isOn) wereOpen = undefined;
          for (const section of sections) {
            section.hidden = isOn && ![...matches].some(match => section.contains(match));
          }
          for (const box of all(".box")) {
            box.classList.toggle("dim", isOn && !box.textContent.toLowerCase().includes(text));
          }
          found.textContent = isOn ? number(shown.size) + " of " + number(rows.length) + " rows"
            + (missing ? "; " + number(missing) + " more are not in this page" : "") : "";
        };
        field.addEventListener("input", filter);
        document.addEventListener("keydown", event => {
          if (event.key === "/" && document.activeElement !== field) {
            event.preventDefault();
            field.focus();
          } else if (event.key === "Escape" && document.activeElement === field) {
            field.value = "";
            filter();
          }
        });
      }

      for (const table of all("table.sortable")) {
        const body = table.tBodies[0];
        const heads = [...table.tHead.rows[0].cells];
        heads.forEach((head, column) => {
          if (head.textContent.trim() === "") return;
          const button = document.createElement("button");
          button.type = "button";
          button.append(...head.childNodes);
          head.append(button);
          head.setAttribute("aria-sort", "none");
          button.addEventListener("click", () => {
            const down = head.getAttribute("aria-sort") === "ascending";
            for (const other of heads) {
              if (other.hasAttribute("aria-sort")) other.setAttribute("aria-sort", "none");
            }
            head.setAttribute("aria-sort", down ? "descending" : "ascending");
            const keys = new Map([...body.rows].map(row => {
              const text = row.cells[column]?.textContent.trim() ?? "";
              return [row, head.classList.contains("number") && text !== ""
                ? Number(text.replaceAll(",", "")) : text];
            }));
            const sorted = [...body.rows].sort((first, second) => {
              const [a, b] = [keys.get(first), keys.get(second)];
              const order = a === "" ? (b === "" ? 0 : -1) : b === "" ? 1
                : typeof a === "number" ? a - b
                : a.localeCompare(b, undefined, { numeric: true });
              return down ? -order : order;
            });
            body.append(...sorted);
          });
        });
      }
    })();
    """
}
