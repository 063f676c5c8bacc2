"""Headless Chromium, driven by its DevTools protocol over two pipes. It needs nothing beside Python and Chromium."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")


def program():
    """The path of Chromium, or None."""
    return next((found for found in map(shutil.which, PROGRAMS) if found), None)


class Browser:
    """A browser with one page.

    Attributes:
        errors: what the page threw or wrote to its console as an error, and requests that its policy refused.
        requests: addresses that the page asked for.
    """

    def __init__(self, width=1280, height=900):
        self.errors, self.requests, self._last, self._buffer = [], [], 0, b""
        self._home = tempfile.TemporaryDirectory()
        to_read, self._write = os.pipe()
        self._read, to_write = os.pipe()
        # The program reads its file 3 and writes its file 4.
        command = (f'exec "$0" --headless --no-sandbox --disable-gpu --no-first-run --disable-dev-shm-usage --user-data-dir="$1" '
                   f'--remote-debugging-pipe about:blank 3<&{to_read} 4>&{to_write}')
        self._process = subprocess.Popen(["bash", "-c", command, program(), self._home.name], pass_fds=(to_read, to_write),
                                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        target = self._call("Target.createTarget", {"url": "about:blank"})["targetId"]
        self._session = self._call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        self.resize(width, height)
        self.prefer()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._call("Browser.close", {})
        except OSError:
            pass
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._read)
        os.close(self._write)
        shutil.rmtree(self._home.name, ignore_errors=True)

    def resize(self, width, height, mobile=False):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)

    def prefer(self, dark=False, reduced_motion=False):
        """What the page sees of the reader's preferences."""
        self.send("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if reduced_motion else "no-preference"}])

    def open(self, path):
        """Loads a file, and waits for its scripts."""
        self.errors.clear()
        self.requests.clear()
        self.send("Page.navigate", url=path.resolve().as_uri())
        self.wait_for("document.readyState === 'complete' && location.protocol === 'file:'")

    def evaluate(self, expression):
        found = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise AssertionError(found["exceptionDetails"].get("exception", {}).get("description", found["exceptionDetails"]["text"]))
        return found["result"].get("value")

    def wait_for(self, expression, seconds=60):
        end = time.monotonic() + seconds
        while not self.evaluate(expression):
            if time.monotonic() > end:
                raise AssertionError(f"the page never had {expression}")
            time.sleep(0.02)

    def press(self, key, times=1, shift=False):
        """A key, as from a keyboard: "Tab", "ArrowLeft", " ", "+"."""
        codes = {"Tab": 9, "Enter": 13, " ": 32, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
        event = {"key": key, "windowsVirtualKeyCode": codes.get(key, ord(key[0])), "modifiers": 8 if shift else 0}
        if len(key) == 1 or key == "Enter":
            event["text"] = "\r" if key == "Enter" else key
        for _ in range(times):
            self.send("Input.dispatchKeyEvent", type="keyDown", **event)
            self.send("Input.dispatchKeyEvent", type="keyUp", **{k: v for k, v in event.items() if k != "text"})

    def mouse(self, kind, x, y, **more):
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def screenshot(self, path, clip=None):
        options = {"clip": {**clip, "scale": 1}} if clip else {}
        found = self.send("Page.captureScreenshot", captureBeyondViewport=True, **options)
        path.write_bytes(base64.b64decode(found["data"]))

    def send(self, method, **parameters):
        return self._call(method, parameters, self._session)

    def _call(self, method, parameters, session=None):
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") == self._last:
                if "error" in answer:
                    raise AssertionError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def _message(self, seconds=60):
        while b"\0" not in self._buffer:
            if not select.select([self._read], [], [], seconds)[0]:
                raise TimeoutError("Chromium does not answer")
            more = os.read(self._read, 1 << 16)
            if not more:
                raise OSError("Chromium ended")
            self._buffer += more
        text, self._buffer = self._buffer.split(b"\0", 1)
        message = json.loads(text)
        self._note(message.get("method"), message.get("params", {}))
        return message

    def _note(self, event, detail):
        if event == "Runtime.exceptionThrown":
            thrown = detail["exceptionDetails"]
            self.errors.append(thrown.get("exception", {}).get("description", thrown["text"]))
        elif event == "Runtime.consoleAPICalled" and detail["type"] in ("error", "assert"):
            self.errors.append(" ".join(str(entry.get("value", entry.get("description"))) for entry in detail["args"]))
        elif event == "Log.entryAdded" and detail["entry"]["level"] in ("error", "warning"):
            self.errors.append(detail["entry"]["text"])
        elif event == "Network.requestWillBeSent":
            self.requests.append(detail["request"]["url"])
