"use strict";
(() => {
  // Everything that comes from a results file goes through textContent, never through innerHTML.
  const byId = (id) => document.getElementById(id);
  const index = JSON.parse(byId("index").textContent);
  const rows = [...document.querySelectorAll("#task-table tbody tr")];
  const searched = rows.map((row) => row.firstChild.textContent.toLowerCase());

  const make = (name, className, ...children) => {
    const element = document.createElement(name);
    if (className) element.className = className;
    for (const child of children) if (child !== null && child !== undefined) element.append(child);
    return element;
  };

  // Filters -----------------------------------------------------------------------------------
  const filters = { domain: byId("domain"), state: byId("state"), check: byId("check"), tag: byId("tag") };
  const search = byId("search");

  function isShown(row, number) {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.every((word) => searched[number].includes(word))) return false;
    return Object.entries(filters).every(([key, select]) => {
      const found = key === "domain" ? [row.dataset[key]] : row.dataset[key].split(" ");
      return select.value === "" || found.includes(select.value);
    });
  }

  function filter() {
    let shown = 0;
    rows.forEach((row, number) => {
      row.hidden = !isShown(row, number);
      if (!row.hidden) shown += 1;
    });
    byId("count").textContent = `${shown} of ${rows.length} tasks`;
  }

  search.addEventListener("input", filter);
  Object.values(filters).forEach((select) => select.addEventListener("change", filter));
  byId("reset").addEventListener("click", () => {
    search.value = "";
    Object.values(filters).forEach((select) => { select.value = ""; });
    filter();
    search.focus();
  });
  filter();

  // Theme -------------------------------------------------------------------------------------
  const themes = ["", "light", "dark"];
  byId("theme").addEventListener("click", (event) => {
    const root = document.documentElement;
    const next = themes[(themes.indexOf(root.dataset.theme || "") + 1) % themes.length];
    if (next) root.dataset.theme = next; else delete root.dataset.theme;
    event.target.textContent = `Theme${next ? `: ${next}` : ""}`;
  });

  // One task ----------------------------------------------------------------------------------
  const viewer = byId("viewer");
  const body = byId("viewer-body");
  const sides = [byId("left"), byId("right")];
  let current = "";
  let opener = null;

  const visibleKeys = () => rows.filter((row) => !row.hidden).map((row) => row.dataset.key);
  const localeOf = (name) => index.arms.find((arm) => arm.name === name).locale;
  const read = (number) => JSON.parse(byId(`c${number}`).textContent);

  function choose(key) {
    // What has flipped opens with both sides of the flip, anything else with an arm and its
    // reference.
    const task = index.tasks[key];
    const flip = index.flips[key];
    if (flip && flip.length) return [[flip[0], flip[1]], [flip[2], flip[3]]];
    const names = Object.keys(task);
    const second = index.arms.find((arm) => arm.reference && arm.name in task && arm.reference in task);
    const first = second ? second.reference : names[0];
    const other = second ? second.name : names[names.length - 1];
    return [[first, task[first][0][0]], [other, task[other][0][0]]];
  }

  function fill(select, key, chosen) {
    select.replaceChildren();
    for (const [arm, trials] of Object.entries(index.tasks[key])) {
      const group = make("optgroup");
      group.label = arm;
      for (const [trial, outcome] of trials) {
        const option = make("option", "", `${arm}, trial ${trial}: ${outcome}`);
        option.value = JSON.stringify([arm, trial]);
        option.selected = arm === chosen[0] && trial === chosen[1];
        group.append(option);
      }
      select.append(group);
    }
  }

  function argumentsTable(pairs, isKnown) {
    const table = make("table", "");
    for (const [name, written, reached] of pairs) {
      const row = make("tr", "", make("td", "", name));
      const cell = make("td", "", make("code", "", written));
      if (reached !== null && reached !== undefined) {
        cell.append(" → ", make("code", "reached", reached));
        cell.lastChild.title = "what reached the tool";
      }
      row.append(cell);
      table.append(row);
    }
    if (!isKnown) table.append(make("tr", "", make("td", "", ""), make("td", "muted", "as written")));
    return table;
  }

  function pretty(text) {
    try {
      return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      return text;
    }
  }

  function showCall(call) {
    const kind = call.gold ? "gold" : call.expected ? "differs" : "";
    const box = make("div", `call ${kind}`);
    const verdict = call.gold ? "as in gold" : call.expected ? "differs from gold" : "";
    const head = make("div", "", make("code", "name", call.name));
    if (verdict) head.append(" ", make("span", `chip ${call.gold ? "pass" : "fail"}`, verdict));
    box.append(head, argumentsTable(call.arguments, call.known));
    for (const [name, value] of call.expected || []) {
      box.append(make("div", "expected", "gold has ", make("code", "", `${name}: ${value}`)));
    }
    if (call.result !== null) {
      const details = make("details", "");
      const words = call.error ? "refused" : "result";
      details.append(make("summary", call.error ? "refused" : "muted", words));
      details.append(make("pre", "", pretty(call.result)));
      details.open = call.error;
      box.append(details);
    }
    return box;
  }

  function showItem(item, locale) {
    const parts = [];
    if (item.text || !item.calls.length) {
      const said = make("div", `said ${item.who}`);
      const who = make("span", "who", item.who);
      if (item.label && item.label !== "target") {
        who.append(make("span", "label off", `language: ${item.label}`));
      }
      const text = make("span", "", item.text || "(no text)");
      text.lang = locale;
      said.append(who, text);
      parts.push(said);
    }
    return parts.concat(item.calls.map(showCall));
  }

  function showVerdict(data) {
    const isPassed = data.outcome === "passed";
    const box = make("div", `verdict ${isPassed ? "passed" : "lost"}`);
    box.append(make("b", "", data.outcome), data.ending ? ` · ended by ${data.ending}` : "");
    if (data.reason) box.append(make("div", "", data.reason));
    const lost = make("ul", "");
    for (const check of data.lost) {
      const whose = { agent: "fail", caller: "caller" }[check.loss] || "none";
      box.append(make("div", "unmet", "Lost ", make("span", `chip ${whose}`, check.name), check.detail));
    }
    for (const one of data.tags || []) {
      const whose = { agent: "fail", caller: "caller" }[one.side] || "none";
      box.append(make("div", "unmet", "Error ", make("span", `chip ${whose}`, one.title), one.detail));
    }
    for (const check of data.checks) {
      const unmet = check.items.filter((item) => !item.met).length;
      const counts = check.counts ? "" : ", does not count";
      const said = `${check.name}: ${check.items.length - unmet} of ${check.items.length} met${counts}`;
      const line = make("li", check.counts ? "" : "muted", `${unmet ? "✗" : "✓"} ${said}`);
      const failed = check.items.filter((item) => !item.met && item.text);
      if (failed.length && unmet < 20) {
        line.append(make("ul", "", ...failed.map((item) => make("li", "", `not met: ${item.text}`))));
      }
      lost.append(line);
    }
    for (const fault of data.faults || []) lost.append(make("li", "caller", `The caller: ${fault}`));
    box.append(lost);
    if (!isPassed && data.unmade.length) {
      const details = make("details", "", make("summary", "", "Calls of gold that were not made so"));
      for (const call of data.unmade) {
        const text = call.arguments.map(([name, value]) => `${name}: ${value}`).join(", ");
        details.append(make("div", "call", make("code", "name", call.name), " ", text));
      }
      box.append(details);
    }
    return box;
  }

  function load(select) {
    const [arm, trial] = JSON.parse(select.value);
    const found = index.tasks[current][arm].find((entry) => entry[0] === trial);
    const missing = { outcome: found[1], reason: "", ending: "", lost: [], tags: [], checks: [], faults: [], turns: [], unmade: [] };
    return { arm, trial, data: found[2] === null ? missing : read(found[2]) };
  }

  function turn(title, cells) {
    const row = make("section", title ? "turn" : "turn top", title ? make("h3", "", title) : null);
    row.tabIndex = -1;
    for (const [arm, parts] of cells) {
      row.append(make("div", "side", make("div", "arm", arm), ...parts));
    }
    return row;
  }

  function show() {
    const loaded = sides.map(load);
    const names = loaded.map(({ arm, trial }) => `${arm}, trial ${trial}`);
    const parts = [turn("", loaded.map(({ data }, n) => [names[n], [showVerdict(data)]]))];
    const count = Math.max(...loaded.map(({ data }) => data.turns.length));
    for (let number = 0; number < count; number += 1) {
      const cells = loaded.map(({ arm, data }, n) => {
        const items = data.turns[number];
        const shown = items ? items.flatMap((item) => showItem(item, localeOf(arm))) : [make("p", "muted", "– ended –")];
        return [names[n], shown];
      });
      parts.push(turn(number ? `Turn ${number}` : "Opening", cells));
    }
    body.replaceChildren(...parts);
    body.scrollTop = 0;
  }

  function open(key) {
    current = key;
    const chosen = choose(key);
    sides.forEach((select, number) => fill(select, key, chosen[number]));
    byId("viewer-title").textContent = `Task ${key.replace("/", " ")}`;
    show();
    if (!viewer.open) viewer.showModal();
    byId("viewer-title").focus();
  }

  function step(direction) {
    const keys = visibleKeys();
    const place = keys.indexOf(current) + direction;
    if (place >= 0 && place < keys.length) open(keys[place]);
  }

  function move(direction) {
    const turns = [...body.children];
    const top = body.getBoundingClientRect().top + 8;
    const focused = turns.indexOf(document.activeElement);
    const first = turns.findIndex((element) => element.getBoundingClientRect().bottom > top);
    const place = focused >= 0 ? focused + direction : first + (direction > 0 ? 0 : -1);
    const next = turns[Math.min(Math.max(place, 0), turns.length - 1)];
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "start" });
  }

  function cycle(number) {
    const select = sides[number];
    const place = [...body.children].indexOf(document.activeElement);
    select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
    show();
    if (place > 0 && place < body.children.length) body.children[place].focus();
  }

  const keys = {
    j: () => move(1), k: () => move(-1), n: () => step(1), p: () => step(-1),
    1: () => cycle(0), 2: () => cycle(1),
  };

  // On the document: a turn that had the focus may have been replaced.
  document.addEventListener("keydown", (event) => {
    if (!viewer.open) return;
    const isTyping = event.target.tagName === "SELECT";
    const action = keys[event.key.toLowerCase()];
    if (!action || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  });
  viewer.addEventListener("close", () => {
    const row = rows.find((found) => found.dataset.key === current);
    const button = row && !row.hidden ? row.querySelector("button") : opener;
    if (button) button.focus();
  });
  sides.forEach((select) => select.addEventListener("change", show));
  byId("close").addEventListener("click", () => viewer.close());
  byId("next").addEventListener("click", () => step(1));
  byId("previous").addEventListener("click", () => step(-1));

  // A modal dialog prints its first page only, and a folded table prints nothing.
  let unfold = [];
  window.addEventListener("beforeprint", () => {
    if (viewer.open) {
      viewer.close();
      viewer.show();
    }
    unfold = [...document.querySelectorAll("#more details:not([open])")];
    unfold.forEach((details) => { details.open = true; });
  });
  window.addEventListener("afterprint", () => {
    unfold.forEach((details) => { details.open = false; });
    if (viewer.open) {
      viewer.close();
      viewer.showModal();
    }
  });

  const table = byId("task-table");
  table.addEventListener("click", (event) => {
    const button = event.target.closest("button.open");
    if (!button) return;
    opener = button;
    open(button.closest("tr").dataset.key);
  });
  table.addEventListener("keydown", (event) => {
    const direction = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!direction || !event.target.matches("button.open")) return;
    const shown = rows.filter((row) => !row.hidden);
    const next = shown[shown.indexOf(event.target.closest("tr")) + direction];
    if (!next) return;
    event.preventDefault();
    next.querySelector("button").focus();
  });
})();
