"""`slipstick view`: what it shows, and what it must never give away."""

import http.client
import json
import os
import re
import signal
import socket
import time

from command_line import BALL
from web_server import SECRET, ServerTest


class View(ServerTest):
    def start(self, *arguments, folder=None):
        self.serve("view", *arguments, folder=folder)
        self.addCleanup(self.stop)

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        _, errors = self.process.communicate(timeout=20)
        self.assertEqual((self.process.returncode, errors), (0, ""))

    def make_runs(self):
        self.write("ball.yaml", BALL)
        self.passes("run", "ball.yaml", "-q", "-o", "out/ball")
        self.slipstick("run", "ball.yaml", "-q", "--set", "title=Too <deep>", "--set", "bodies.ball.position.2=0.05", "-o",
                       "out/more/odd name & 100% #1")
        self.write("secret.txt", SECRET)
        self.write("out-other/secret.txt", SECRET)  # its name starts like the folder's

    def test_gallery(self):
        self.make_runs()
        (self.folder / "out/ball/thumbnail.png").write_bytes(b"\x89PNG\r\n\x1a\n")
        self.write("out/cut/recording.h5", "")
        self.start()
        status, page = self.get("/")
        self.assertEqual(status, 200)
        self.assertIn("A ball", page)
        self.assertIn("✓ passed", page)
        self.assertIn("Too &lt;deep&gt;", page)
        self.assertIn("✗ not passed", page)
        self.assertIn("not finished", page)
        self.assertIn("slipstick run wheel", page)
        self.assertIn('src="runs/ball/thumbnail.png"', page)
        plot = re.search(r'src="(plots/[^"]*)"', page)[1]  # of the other, which nobody made a picture of
        status, drawn = self.get("/" + plot)
        self.assertEqual((status, self.headers["Content-Type"]), (200, "image/svg+xml"))
        self.assertIn('class="curve"', drawn)
        links = re.findall(r'href="(runs/[^"]*)"', page)
        self.assertEqual(len(links), 2)
        for link in links:
            status, report = self.get("/" + link)
            self.assertEqual(status, 200, link)
            self.assertIn("report-data", report)
            self.assertIn("text/html", self.headers["Content-Type"])
        status, summary = self.get("/runs/ball/summary.json")
        self.assertEqual(json.loads(summary)["scene"], "ball")
        self.assertEqual(self.headers["X-Content-Type-Options"], "nosniff")
        self.assertIn("frame-ancestors 'none'", self.headers["Content-Security-Policy"])

    def test_large_files_come_whole(self):
        content = os.urandom(3_000_000)
        (self.folder / "out").mkdir()
        (self.folder / "out/recording.h5").write_bytes(content)
        self.start()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request("GET", "/runs/recording.h5")
        self.assertEqual(connection.getresponse().read(), content)
        connection.close()

    def test_no_runs(self):
        self.start()  # not even the folder is there
        status, page = self.get("/")
        self.assertEqual(status, 200)
        self.assertIn("none yet", page)
        self.assertIn("slipstick run wheel", page)

    def test_nothing_outside_of_the_folder(self):
        self.make_runs()
        out = self.folder / "out"
        os.symlink(self.folder / "secret.txt", out / "link.txt")
        os.symlink(self.folder, out / "linked")
        os.symlink(self.folder / "out/ball/summary.json", out / "inside.json")
        self.write("out/.hidden", SECRET)
        self.write("out/ball/.hidden/file.txt", SECRET)
        self.start("out")
        self.assertEqual(self.get("/runs/inside.json")[0], 200)  # a link that stays inside
        absolute = str(self.folder / "secret.txt")
        for path in ("/runs/../secret.txt", "/runs/%2e%2e/secret.txt", "/runs/%2E%2E%2Fsecret.txt", "/runs/..%2fsecret.txt",
                     "/runs/ball/../../secret.txt", "/runs/ball/%2e%2e/%2e%2e/secret.txt", "/../secret.txt", "/%2e%2e/secret.txt",
                     "/runs/..\\secret.txt", "/runs/..%5csecret.txt", "/runs/%252e%252e/secret.txt", "/runs//secret.txt",
                     "/runs/" + absolute, "/runs/" + absolute.replace("/", "%2f"), "//" + absolute, absolute,
                     "/runs/link.txt", "/runs/linked/secret.txt", "/runs/.hidden",
                     "/runs/ball/.hidden/file.txt", "/runs/../out-other/secret.txt", "/runs/..-other/secret.txt",
                     "/runs/secret.txt%00.json", "/runs/ball/summary.json%00", "/runs/./ball/summary.json", "/runs/ball",
                     "/runs/", "/runs", "/etc/passwd", "/plots/../secret.txt", "/plots/%2e%2e/secret.txt", "/plots/linked/secret.txt",
                     "/plots/ball/summary.json", "/plots/.hidden", "/plots/", "/runs/..;/secret.txt", "/runs/%c0%ae%c0%ae/secret.txt",
                     "/secret.txt", "/runs/~/secret.txt", "file:///etc/passwd", "/runs/ball/summary.json/"):
            with self.subTest(path):
                status, body = self.get(path)
                self.assertIn(status, (400, 403, 404), body[:100])
                self.assertNotIn(SECRET, body)
                self.assertNotIn("root:", body)
        answer = self.raw(b"GET /runs/\xff\xfe/../../secret.txt HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n" %
                          self.port)
        self.assertNotIn(SECRET, answer)
        answer = self.raw(b"GET /runs/%s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n" % (b"../" * 5000))
        self.assertNotIn(SECRET, answer)
        self.assertEqual(self.get("/")[0], 200)  # and it is still alive

    def test_names_of_other_hosts_are_refused(self):
        self.make_runs()
        self.start()
        self.check_names_of_other_hosts_are_refused(("/", "/runs/ball/summary.json"), "ball")

    def test_bound_to_loopback_alone(self):
        self.start()
        self.check_bound_to_loopback_alone()

    def test_only_reading(self):
        self.make_runs()
        self.start()
        for method in ("POST", "PUT", "DELETE", "PATCH"):
            status, _ = self.get("/runs/ball/summary.json", method=method, headers={"Content-Length": "0"})
            self.assertIn(status, (400, 404, 405))
        self.assertTrue((self.folder / "out/ball/summary.json").is_file())

    def test_what_is_refused(self):
        self.write("file.txt", "")
        self.assertIn("no such folder", self.refused("view", "nowhere"))
        self.assertIn("folder", self.refused("view", "file.txt"))
        self.assertIn("--port", self.refused("view", "--port", "70000"))
        self.start()
        self.assertIn("taken", self.refused("view", "--port", str(self.port)))

    def test_ends_by_ctrl_c_with_connections_open(self):
        self.make_runs()
        self.start()
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            connection.sendall(b"GET / HT")  # never finished
            start = time.monotonic()
            self.process.send_signal(signal.SIGINT)
            self.process.wait(timeout=20)
            self.assertLess(time.monotonic() - start, 15)
