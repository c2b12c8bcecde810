"""`slipstick run --live`: a run that is watched and steered by whoever asks its server."""

import json
import math
import signal
import socket
import struct
import threading
import time
import zlib

from web_server import SECRET, ServerTest

# A block on a slope of 25° stays with μ = 0.5; without friction it slides with g sin α.
SLOPE = """format: slipstick-scene 1
title: A <block>
materials: [{name: wood, friction: 0.5}]
world: {shapes: [{type: plane, material: wood, rotation: {axis: [0, 1, 0], angle: 25*deg}}]}
bodies:
  - name: block
    mass: 2
    position: [0.1*sin(25*deg), 0, 0.1*cos(25*deg)]
    rotation: {axis: [0, 1, 0], angle: 25*deg}
    shapes: [{type: box, size: [0.4, 0.3, 0.2], material: wood}]
stepper: {step: 0.001, duration: 0.5}
output: {every: 0.01}
parameters: [{name: friction, key: materials.wood.friction, least: 0, most: 1}]
"""


class Live(ServerTest):
    def start(self, *arguments):
        self.write("slope.yaml", SLOPE)
        self.serve("run", "slope.yaml", "--live", "-q", "-o", "out", *arguments, says=("stderr",))
        self.addCleanup(self.stop)

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=20)

    def wait_for_end(self):
        output, _ = self.process.communicate(timeout=60)
        return self.process.returncode, output

    def wish(self, **wish):
        status, body = self.get("/live/control", method="POST", body=json.dumps(wish).encode())
        self.assertEqual(status, 200, body)

    def news(self, start=0, version=-1):
        """(JSON, times of the frames)"""
        status, answer = self.get_bytes(f"/live/news?from={start}&version={version}")
        self.assertEqual(status, 200)
        length = struct.unpack_from("<I", answer)[0]
        told = json.loads(answer[4:4 + length])
        times = []
        if told["frames"]:
            block = zlib.decompress(answer[4 + length:])
            count, at = block[0] % 128, 1
            if block[0] >= 128:
                count, at = count + 128 * block[1], 2
            self.assertEqual(count, told["frames"])
            times = list(struct.unpack_from(f"<{count}d", block, at))
            self.assertEqual(times, [row[0] for row in told["rows"][-len(times):]])
        return told, times

    def until(self, holds, start=0):
        """The first news that fulfil it."""
        deadline = time.monotonic() + 30
        version = -1
        while time.monotonic() < deadline:
            told, _ = self.news(start, version)
            if holds(told):
                return told
            version = told["version"]
        self.fail(f"never came: {told}")

    def phase(self, phase):
        return self.until(lambda told: told["status"]["phase"] == phase)

    def test_waits_steps_and_ends_with_results(self):
        self.start()
        told, times = self.news()
        self.assertEqual((told["status"]["phase"], times), ("ready", [0]))
        self.assertEqual(told["status"]["values"], {"friction": 0.5})
        for number in range(1, 4):
            self.wish(action="step")
            told = self.until(lambda news, n=number: news["next"] == n + 1)
            self.assertAlmostEqual(told["rows"][-1][0], number * 1e-3, places=12)
            self.assertEqual(told["status"]["phase"], "paused")
        self.wish(action="step", count=5)
        self.assertAlmostEqual(self.until(lambda news: news["next"] == 9)["rows"][-1][0], 8e-3, places=12)
        self.assertFalse((self.folder / "out/summary.json").exists())
        self.wish(action="speed", value=0)
        self.wish(action="continue")
        told = self.phase("ended")
        self.assertIn("500 steps passed", told["status"]["verdict"])
        self.assertAlmostEqual(told["rows"][-1][0], 0.5, places=9)
        status, report = self.get("/report.html")
        self.assertEqual(status, 200)
        self.assertIn("report-data", report)
        self.assertNotIn("Changed by hand", report)
        # with nobody there it ends by itself
        code, output = self.wait_for_end()
        self.assertEqual(code, 0)
        self.assertIn("500 steps", output)
        self.assertNotIn("parameter_changes", self.summary("out"))

    def test_changed_friction_changes_the_motion_and_is_told(self):
        self.start()
        self.wish(action="step", count=200)
        self.until(lambda news: news["next"] == 201)
        self.wish(action="set", name="friction", value=0)
        told = self.until(lambda news: news["status"]["change_count"] == 1)
        self.assertEqual(told["status"]["values"], {"friction": 0})
        self.assertEqual(told["status"]["changes"][0]["name"], "friction")
        self.wish(action="speed", value=0)
        self.wish(action="continue")
        self.phase("ended")
        self.wait_for_end()
        summary = self.summary("out")
        self.assertEqual(len(summary["parameter_changes"]), 1)
        change = summary["parameter_changes"][0]
        self.assertEqual((change["name"], change["from"], change["to"]), ("friction", 0.5, 0))
        self.assertAlmostEqual(change["time_seconds"], 0.2, places=12)
        speed = math.dist(summary["bodies"]["block"]["velocity_metres_per_second"], (0, 0, 0))
        self.assertAlmostEqual(speed, 0.3 * 9.81 * math.sin(math.radians(25)), places=5)
        report = (self.folder / "out/report.html").read_text(encoding="utf-8")
        self.assertIn("Changed by hand", report)

    def test_goes_on_alone_when_its_pages_are_closed(self):
        self.start()
        self.wish(action="step")
        self.until(lambda news: news["next"] == 2)  # paused, and then nobody asks any more
        code, _ = self.wait_for_end()
        self.assertEqual(code, 0)
        self.assertEqual(self.summary("out")["steps"], 500)

    def test_does_not_wait_for_who_does_not_read(self):
        self.start("--time", "100", "--set", "output.every=1")
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            # asks a hundred times and never takes an answer
            connection.sendall(b"GET /live/news?from=0&version=-1 HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % self.port * 100)
            self.wish(action="speed", value=0)
            self.wish(action="continue")
            first = self.until(lambda news: news["next"] > 1)["next"]
            self.until(lambda news: news["next"] > first + 10)
        self.wish(action="end")
        self.phase("ended")
        self.assertIs(self.summary("out")["stopped_early"], True)

    def test_ctrl_c_leaves_a_readable_result(self):
        self.start("--time", "100")
        self.wish(action="continue")
        self.phase("running")
        self.process.send_signal(signal.SIGINT)
        code, _ = self.wait_for_end()
        self.assertEqual(code, 130)
        self.assertIs(self.summary("out")["stopped_early"], True)
        self.assertTrue((self.folder / "out/report.html").is_file())

    def test_ctrl_c_before_anybody_came(self):
        self.start()
        self.process.send_signal(signal.SIGINT)
        self.assertEqual(self.wait_for_end()[0], 130)
        self.assertEqual(self.summary("out")["steps"], 0)

    def test_page(self):
        self.start()
        status, page = self.get("/")
        self.assertEqual(status, 200)
        self.assertIn("A &lt;block&gt;", page)
        self.assertIn("connect-src 'self'", self.headers["Content-Security-Policy"])
        self.assertIn("frame-ancestors 'none'", self.headers["Content-Security-Policy"])
        self.assertEqual(self.get("/report.html")[0], 404)  # not yet

    def test_wishes_that_make_no_sense(self):
        self.start()
        for body in (b"", b"{", b"[]", b"3", b"{}", b'{"action": 3}', b'{"action": "dance"}', b'{"action": "speed"}',
                     b'{"action": "speed", "value": "fast"}', b'{"action": "set", "name": "friction"}',
                     b'{"action": "set", "name": "mass", "value": 1}', b'{"action": "set", "name": "friction", "value": 7}',
                     b'{"action": "set", "name": "friction", "value": -0.1}', b'{"action": "set", "name": "friction", "value": 1e999}',
                     b'{"action": "set", "name": 1, "value": 1}', b"\xff\xfe", b"[" * 100000):
            with self.subTest(body[:60]):
                self.assertEqual(self.get("/live/control", method="POST", body=body)[0], 400)
        for query in ("", "?from=x", "?from=-5", "?from=99999999999999999999", "?version=%00"):
            self.assertEqual(self.get("/live/news" + query)[0], 200)
        told, _ = self.news()
        self.assertEqual((told["next"], told["status"]["phase"], told["status"]["values"]), (1, "ready", {"friction": 0.5}))

    def test_this_machine_alone(self):
        self.start()
        self.write("secret.txt", SECRET)
        self.check_bound_to_loopback_alone()
        self.check_names_of_other_hosts_are_refused(("/", "/live/news"), "friction")
        # a page from elsewhere cannot steer it
        for origin in ("http://evil.example", "null", "https://127.0.0.1", f"http://127.0.0.1:{self.port + 1}"):
            status, _ = self.get("/live/control", method="POST", body=b'{"action": "end"}', headers={"Origin": origin})
            self.assertEqual(status, 403)
        self.assertEqual(self.news()[0]["status"]["phase"], "ready")

    def test_gives_nothing_else(self):
        self.start()
        self.write("secret.txt", SECRET)
        self.write("out/secret.txt", SECRET)
        for path in ("/secret.txt", "/../secret.txt", "/%2e%2e/secret.txt", "/out/secret.txt", "/summary.json", "/recording.h5",
                     "/report.html/../secret.txt", "/live/../secret.txt", "/live/%2e%2e/secret.txt", "/live/control", "/live",
                     "//etc/passwd", "/etc/passwd", "/report.html%00", "/live/news/../../secret.txt"):
            with self.subTest(path):
                status, body = self.get(path)
                self.assertIn(status, (400, 403, 404))
                self.assertNotIn(SECRET, body)
                self.assertNotIn("root:", body)

    def test_several_pages_see_the_same(self):
        self.start()
        seen = []

        def watch():
            told = self.until(lambda news: news["status"]["phase"] == "ended")
            seen.append((told["next"], told["rows"][-1]))

        watching = [threading.Thread(target=watch) for _ in range(3)]
        for one in watching:
            one.start()
        self.wish(action="speed", value=0)
        self.wish(action="continue")
        for one in watching:
            one.join(timeout=60)
        self.assertEqual(len(seen), 3)
        self.assertEqual(seen.count(seen[0]), 3)

    def test_what_is_refused(self):
        bad = SLOPE.replace("least: 0,", "least: -1,")
        self.write("bad.yaml", bad)
        message = self.refused("run", "bad.yaml", "--live", "-o", "out")
        self.assertIn("parameters.friction.least", message)
        self.assertIn("bad.yaml:", message)
        self.assertFalse((self.folder / "out").exists())
        self.assertIn("--live", self.refused("run", "bad.yaml", "--port", "1234", "-o", "out"))
        self.start()
        self.assertIn("taken", self.refused("run", "slope.yaml", "--live", "--port", str(self.port), "-o", "out2"))
