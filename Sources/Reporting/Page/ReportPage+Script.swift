extension ReportPage {
  /// The script of the page: it adds a filter and makes tables sortable.
  ///
  /// The page is whole without it.
  static let script = """
    "use strict";
    (() => {
      const rows = [...document.querySelectorAll("tbody tr")];
      const words = new Map(rows.map(row => [row, row.textContent.toLowerCase()]));
      const boxes = [...document.querySelectorAll(".box")];
      const entities = [...document.querySelectorAll(".entity")];
      const bar = document.querySelector("nav > div");
      if (bar && rows.length > 10) {
        const field = document.createElement("input");
        field.type = "search";
        field.placeholder = "Filter all lists";
        field.setAttribute("aria-label", "Filter all lists");
        const found = document.createElement("span");
        found.className = "found";
        found.setAttribute("role", "status");
        bar.append(field, found);
        const filter = () => {
          const text = field.value.trim().toLowerCase();
          let count = 0;
          for (const row of rows) {
            row.hidden = text !== "" && !words.get(row).includes(text);
            if (!row.hidden) count += 1;
          }
          for (const entity of entities) {
            const name = entity.querySelector("h3").textContent.toLowerCase();
            const own = [...entity.querySelectorAll("tbody tr")];
            if (text !== "" && name.includes(text)) {
              for (const row of own) {
                if (row.hidden) { row.hidden = false; count += 1; }
              }
              entity.hidden = false;
            } else {
              entity.hidden = text !== "" && own.every(row => row.hidden);
            }
          }
          for (const box of boxes) {
            box.classList.toggle("dim",
              text !== "" && !box.textContent.toLowerCase().includes(text));
          }
          found.textContent = text === "" ? "" : count + " of " + rows.length + " rows";
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
      for (const table of document.querySelectorAll("table")) {
        const body = table.tBodies[0];
        if (!body || body.rows.length < 2) continue;
        const heads = [...table.tHead.rows[0].cells];
        heads.forEach((head, column) => {
          if (head.textContent.trim() === "") return;
          const button = document.createElement("button");
          button.type = "button";
          button.append(...head.childNodes);
          head.append(button);
          button.addEventListener("click", () => {
            const down = head.getAttribute("aria-sort") === "ascending";
            for (const other of heads) other.removeAttribute("aria-sort");
            head.setAttribute("aria-sort", down ? "descending" : "ascending");
            const key = row => {
              const cell = row.cells[column];
              return cell ? cell.dataset.n ?? cell.textContent.trim() : "";
            };
            const sorted = [...body.rows].sort((first, second) => {
              const [a, b] = [key(first), key(second)];
              const order = a === "" ? (b === "" ? 0 : -1) : b === "" ? 1
                : head.classList.contains("number") ? Number(a) - Number(b)
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
