#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""browser.py PAGE [-f FIGURES] [-o REGEX] [-s DIR]: opens a page in headless Chromium, light and
dark, wide and narrow and as printed, and prints a line for each thing that is wrong: requests,
messages, text that is hard to read, parts that are too wide, figures that do not show, numbers that
are not right-aligned. Exit status 1 if there was one. -f: how many figures there must be. -o: looks
only in this way, such as "dark, 390 px". -s: leaves pictures of what was seen in DIR."""

import argparse
import base64
import fcntl
import itertools
import json
import os
import re
import select
import subprocess
import sys
import tempfile
import time

CONTRAST = 4.5
SIZES = ((1280, "screen"), (390, "screen"), (800, "print"))
TIMEOUT = 60

# LOOK runs in the page. The viewport is as high as the page's contents, because the browser says
# only for points inside the viewport which element is there.
LOOK = """
(() => {
  const faults = [];
  const say = (what, e, text) =>
    faults.push(`${what}: ${text ?? e.textContent.trim().slice(0, 60)}`);
  const rgb = c => {
    const m = c.match(/[\\d.]+/g).map(Number);
    return m.length > 3 && m[3] == 0 ? null : m.slice(0, 3);
  };
  const lum = c => c.map(v => v / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (a, b) => {
    const [x, y] = [lum(a), lum(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
  };
  const shows = e => {
    const r = e.getBoundingClientRect();
    return r.width > 0 && r.height > 0 && e.checkVisibility();
  };
  const behind = (e) => {
    const svg = e.closest('svg');
    if (svg) {
      const r = e.getBoundingClientRect();
      for (const o of document.elementsFromPoint(r.x + r.width / 2, r.y + r.height / 2)) {
        if (!svg.contains(o) || o.closest('text') || o === svg) continue;
        const c = getComputedStyle(o).fill;
        if (c !== 'none' && rgb(c)) return rgb(c);
      }
    }
    for (let p = e; p; p = p.parentElement) {
      const c = rgb(getComputedStyle(p).backgroundColor);
      if (c) return c;
    }
    return [255, 255, 255];
  };
  let texts = 0;
  for (const e of document.body.querySelectorAll('*')) {
    if (e.closest('style, script, title, desc, defs') || !shows(e)) continue;
    if (![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())) continue;
    const style = getComputedStyle(e);
    const ink = rgb(e.closest('svg') ? style.fill : style.color), paper = behind(e);
    texts++;
    if (!ink || contrast(ink, paper) < MIN)
      say('hard to read', e, `${ink} on ${paper}: ${e.textContent.trim().slice(0, 40)}`);
  }
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth)
    say('wider than the window', document.body, `${root.scrollWidth} of ${innerWidth}`);
  for (const e of document.body.querySelectorAll('*'))
    if (shows(e) && !e.closest('.scroll, svg') && e.getBoundingClientRect().right > innerWidth + 1)
      say('sticks out', e, e.tagName);
  const figures = [...document.querySelectorAll('figure')];
  for (const f of figures) {
    const seen = [...f.querySelectorAll('svg')].filter(shows);
    const r = seen.length === 1 ? seen[0].getBoundingClientRect() : null;
    if (!r || r.width < 300 || r.height < 100 ||
        seen[0].querySelectorAll('path, polygon, rect').length < 5) {
      const size = `${seen.length} shown, ${r && r.width} x ${r && r.height}`;
      say('figure does not show', f, `${f.parentElement.id}: ${size}`);
    }
    for (const t of f.querySelectorAll('svg text')) {
      if (!shows(t) || !r) continue;
      const b = t.getBoundingClientRect();
      if (b.left < r.left - 1 || b.right > r.right + 1 ||
          b.top < r.top - 1 || b.bottom > r.bottom + 1)
        say('text is cut off', t, `${f.parentElement.id}: ${t.textContent}`);
    }
  }
  for (const c of document.querySelectorAll('td.n'))
    if (getComputedStyle(c).textAlign !== 'right') say('not right-aligned', c);
  const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
  for (const id of new Set(ids.filter((id, i) => ids.indexOf(id) !== i)))
    say('id twice', document.body, id);
  return JSON.stringify({ faults, texts, figures: figures.length, height: root.scrollHeight });
})()
"""


class Browser:
    """A Chromium process that is controlled over two pipes"""

    def __init__(self, profile):
        self.buffer, self.events, self.last = b"", [], 0
        to_read, self.to = os.pipe()
        self.frm, from_write = os.pipe()
        # The browser expects the pipes as file descriptors 3 and 4. Before bash puts them there,
        # they must have other numbers.
        high_read, high_write = (fcntl.fcntl(fd, fcntl.F_DUPFD, 10) for fd in (to_read, from_write))
        self.child = subprocess.Popen(
            ["bash", "-c", f'exec chromium "$@" 3<&{high_read} 4>&{high_write}', "bash",
             "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--hide-scrollbars", "--no-first-run", "--remote-debugging-pipe",
             f"--user-data-dir={profile}", "about:blank"],
            pass_fds=(high_read, high_write), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        for fd in (to_read, from_write, high_read, high_write):
            os.close(fd)
        self.session = None
        targets = self.call("Target.getTargets")["targetInfos"]
        page = [t for t in targets if t["type"] == "page"][0]
        self.session = self.call("Target.attachToTarget", targetId=page["targetId"],
                                 flatten=True)["sessionId"]

    def message(self, until):
        while b"\0" not in self.buffer:
            if not select.select([self.frm], [], [], max(0, until - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            more = os.read(self.frm, 1 << 16)
            if not more:
                raise EOFError("the browser has ended")
            self.buffer += more
        one, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(one)

    def call(self, method, **params):
        self.last += 1
        request = {"id": self.last, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.to, json.dumps(request).encode() + b"\0")
        until = time.monotonic() + TIMEOUT
        while True:
            m = self.message(until)
            if m.get("id") == self.last:
                if "error" in m:
                    raise RuntimeError(f"{method}: {m['error']['message']}")
                return m["result"]
            self.events.append(m)

    def wait(self, method):
        until = time.monotonic() + TIMEOUT
        while not any(e.get("method") == method for e in self.events):
            self.events.append(self.message(until))

    def close(self):
        self.child.kill()
        self.child.wait()


def heard(events, page):
    """Yield a line for each request to elsewhere and for each message of the browser."""
    for e in events:
        p = e.get("params", {})
        if e.get("method") == "Network.requestWillBeSent":
            url = p["request"]["url"]
            if url != page and not url.startswith("data:"):
                yield f"request: {url[:80]}"
        elif e.get("method") == "Runtime.consoleAPICalled":
            yield f"console: {p['type']}"
        elif e.get("method") == "Runtime.exceptionThrown":
            yield f"exception: {p['exceptionDetails']['text']}"
        elif e.get("method") == "Log.entryAdded":
            yield f"message: {p['entry']['text'][:80]}"


def look(browser, width, scheme, media):
    size = {"width": width, "deviceScaleFactor": 1, "mobile": False}
    browser.call("Emulation.setEmulatedMedia", media=media,
                 features=[{"name": "prefers-color-scheme", "value": scheme}])
    # The first look finds out how high the page is, the second one looks with a viewport of that
    # height.
    height = 1000
    for _ in range(2):
        browser.call("Emulation.setDeviceMetricsOverride", height=height, **size)
        got = browser.call("Runtime.evaluate", expression=LOOK.replace("MIN", str(CONTRAST)))
        if "value" not in got["result"]:
            raise RuntimeError(got["exceptionDetails"]["exception"]["description"])
        seen = json.loads(got["result"]["value"])
        height = seen["height"]
    return seen


def save(browser, path):
    shot = browser.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)
    with open(path, "wb") as f:
        f.write(base64.b64decode(shot["data"]))


def main():
    args = argparse.ArgumentParser()
    args.add_argument("page")
    args.add_argument("-f", "--figures", type=int)
    args.add_argument("-o", "--only", default="")
    args.add_argument("-s", "--shots")
    args = args.parse_args()
    page, faults = "file://" + os.path.realpath(args.page), []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(profile)
        try:
            for domain in ("Page", "Network", "Runtime", "Log"):
                browser.call(domain + ".enable")
            browser.call("Page.navigate", url=page)
            browser.wait("Page.loadEventFired")
            for scheme, (width, media) in itertools.product(("light", "dark"), SIZES):
                where = f"{scheme}, {width} px, {media}"
                if not re.search(args.only, where):
                    continue
                seen = look(browser, width, scheme, media)
                faults += [f"{where}: {f}" for f in seen["faults"]]
                if not seen["texts"]:
                    faults.append(f"{where}: no text is seen")
                if args.figures is not None and seen["figures"] != args.figures:
                    faults.append(f"{where}: {seen['figures']} figures")
                if args.shots:
                    save(browser, f"{args.shots}/{scheme}-{width}-{media}.png")
            faults += heard(browser.events, page)
        finally:
            browser.close()
    for fault in dict.fromkeys(faults):
        print(fault)
    sys.exit(1 if faults else 0)


main()
